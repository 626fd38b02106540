// Browsers without scripts: whole games by forms, from the first page to the result, and
// the page that asks again by itself while it is the other's turn, and only then.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import cs from '../words/lang/cs.json'
import en from '../words/lang/en.json'
import { says } from './browser.ts'
import { Presses } from './presses.ts'
import { openVenue } from './venue.ts'
import { openPage, playByLink, waysIn } from './visit.ts'

const venue = openVenue()

const phone = { viewport: { width: 360, height: 640 }, javaScriptEnabled: false }

/** What the page tells of itself. */
const renews = async (p: Page) => (await p.locator('meta[http-equiv=refresh]').evaluateAll((all) => all.map((e) => e.getAttribute('content'))))[0]

/** Waits until the page asks for a move, or has the result, and is whole: whether it asks. */
async function asked(p: Page): Promise<boolean> {
  await p.locator('.plain-move, [data-act=rematch]').first().waitFor()
  await p.waitForLoadState()
  return await p.locator('.plain-move').count() > 0
}

/** Sends the move that is chosen, and waits for the next question or the result; the address
 * stays the same, so that it tells nothing. */
async function send(p: Page, press: (selector: string) => Promise<unknown>): Promise<void> {
  const prompt = await p.locator('[name=prompt]').getAttribute('value')
  await press('.plain-move button')
  await p.locator(`[name=prompt]:not([value="${prompt}"]), [data-act=rematch]`).first().waitFor({ state: 'attached' })
  await p.waitForLoadState()
}

test('a whole game of Othello against level 1 is played by forms, from the first page on', async () => {
  const c = await venue.visit(phone)
  const p = await openPage(c)
  await p.goto('/')
  await p.locator('.tile[data-game=othello] .gear').click()
  await p.locator('[name=level][value="1"]').check({ force: true })
  await p.locator('.sheet-foot button').click()
  await p.waitForURL(/\/rooms\/\w+\/plain$/)
  let moves = 0
  for (; await asked(p); moves++) {
    assert.ok(moves < 64, 'the game does not end')
    assert.equal(await renews(p), undefined, 'whoever chooses a move is not disturbed')
    assert.match(await p.title(), /^● Your turn/)
    assert.match(await p.locator('main').innerText(), /Whoever is away for 5 minutes loses\./)
    const list = await p.locator('.plain-move option').evaluateAll((all) => all.map((o) => (o as HTMLOptionElement).value))
    const move = list[moves % list.length]!
    await p.locator('.plain-move select').selectOption(move)
    await send(p, (button) => p.locator(button).click())
    if (moves > 0) continue
    assert.match(await p.locator('.plain-latest').innerText(), new RegExp(`guest-\\w+: ${move}\\b`))
    assert.equal(await p.locator('.own-game').count(), 0, 'the game itself needs no way to it')
    assert.equal(await p.getByText('away', { exact: true }).count(), 0, 'whoever reads the page is there')
    // The picture and the text are of the board as it is.
    const text = await p.locator('details pre').textContent() ?? ''
    assert.ok(/\bd/.test(text) && text.split('\n').length >= 10, text)
    assert.ok(await p.locator('img.plain-board').evaluate((e) => (e as HTMLImageElement).naturalWidth > 100))
    assert.ok(await p.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'wider than the screen')
  }
  assert.ok(moves >= 15, `only ${moves} moves`)
  assert.match(await p.locator('.plain-says').innerText(), /^(You won|You lost|Draw) \d+–\d+ /)
  assert.match(await p.title(), /^(Won|Lost|Draw) \d+–\d+ · Othello/)
  assert.equal(await renews(p), undefined)
  await p.locator('[data-act=rematch]').click()
  await p.locator('.plain-move').waitFor() // the rematch asks for a move
  await c.close()
})

for (const [locale, title] of [['en', /^● Your turn/], ['cs', /^● Jste na tahu/]] as const) {
  for (const way of waysIn(locale)) {
    if (way === 'click' && process.env['EVERY'] !== '1') continue // a whole game is played so above
    const { board } = locale === 'cs' ? cs : en
    const rabbit = board['level.2']
    const ends = [board['say.youwon'], board['say.youlost'], board['say.drawn']].map((x) => x.replace(/\{.*/, '')).join('|')
    test(`without scripts moves are played by forms, two presses to the first, thirty in all, one press to the next game: ${locale}, ${way}`, async () => {
      const c = await venue.visit({ ...phone, hasTouch: way === 'touch', locale })
      const p = await openPage(c)
      const presses = new Presses(p, way)
      await p.goto('/')
      const address = new RegExp('/rooms/\\w+/plain$')
      await presses.press('[data-block="2"] [data-act=play]')
      await p.waitForURL(address)
      for (let moves = 0; moves < 30; moves++) {
        if (!await asked(p)) {
          assert.ok(moves >= 15, `the game ended after ${moves} moves`)
          assert.match(await p.locator('.plain-says').innerText(), new RegExp(`^(${ends}) ?\\d+–\\d+ `))
          assert.equal(await p.locator('[data-act=review]').count(), 1)
          const before = presses.count
          await presses.press('[data-act=rematch]')
          await p.locator('.plain-move').waitFor()
          assert.equal(presses.count, before + 1)
        }
        assert.match(await p.title(), title)
        const list = p.locator('.plain-move select')
        const names = await list.locator('option').allInnerTexts()
        if (moves === 0) {
          assert.match(await p.locator('.plain-sides .strong').innerText(), new RegExp(`^${board['colour.black']}: guest-`), 'whose turn it is, with which colour')
          assert.deepEqual(names.map((x) => x.trim()).sort(), ['c4', 'd3', 'e6', 'f5'])
          assert.ok(await p.locator('img.plain-board').evaluate((e) => (e as HTMLImageElement).naturalWidth > 100), 'the board is there')
        }
        const n = moves === 0 ? names.findIndex((x) => x.trim() === 'd3') : moves % names.length
        if (way === 'keys') {
          await list.focus()
          for (let k = 0; k < n; k++) await p.keyboard.press('ArrowDown')
        } else await list.selectOption({ index: n })
        await send(p, (button) => presses.press(button))
        if (moves > 0) continue
        assert.equal(presses.count, 2)
        assert.match(await p.locator('.plain-latest').innerText(), new RegExp(`guest-\\w+: d3\\b[^]*${rabbit}[^:]*: [a-h][1-8]`), 'Rabbit has answered')
      }
      await c.close()
    })
  }
}

/** Opens a page anew that may be renewing itself, which is the same. */
async function look(page: Page, address: string): Promise<void> {
  for (;;) {
    try {
      await page.goto(address)
      return
    } catch (e) {
      if (!/interrupted by another navigation|ERR_ABORTED/.test(String(e))) throw e
    }
  }
}

test('two people without scripts: the page asks again while it is the other\'s turn, and what is asked is answered', async () => {
  const [ann, bob] = [await venue.visit(phone), await venue.visit(phone)]
  const [a, b] = [await openPage(ann), await openPage(bob)]
  await playByLink(a, b)
  const room = new URL(a.url()).pathname
  await asked(a)
  await look(b, room)
  assert.equal(await b.locator('.plain-move').count(), 0)
  const every = 'meta[http-equiv=refresh][content="5"]'
  await b.locator(every).waitFor({ state: 'attached' })
  await says(b.locator('main'), /This page renews itself every 5 s/)
  let times = 0
  b.on('request', (r) => { if (r.isNavigationRequest()) times++ })
  await a.locator('.plain-move button').click()
  await a.locator(every).waitFor({ state: 'attached' })
  const before = times
  assert.ok(await asked(b), 'the page has renewed itself')
  assert.ok(times - before <= 3, `it has asked ${times - before} times until it showed the move`)

  // A typed address, an old page and a wrong move are no moves.
  const old = await b.locator('[name=prompt]').getAttribute('value') ?? ''
  for (const [prompt, move, status, text] of [[old, 'a1', 422, /That move is not possible here/], ['99', 'a1', 409, /It is not your turn/]] as const) {
    const r = await b.request.post(`${room.replace(/plain$/, '')}move`, { form: { prompt, move }, headers: { Accept: 'text/html', Origin: venue.hall.url } })
    assert.equal(r.status(), status)
    assert.match(await r.text(), text)
  }
  // A draw is offered, withdrawn, offered again and accepted.
  await b.locator('[value=draw]').click()
  await b.getByText('You offer a draw.').waitFor()
  await look(a, room)
  await a.getByText(/guest-\w+ offers a draw\./).waitFor()
  await b.locator('[value=withdraw]').click()
  await b.locator('[value=draw]').waitFor({ state: 'attached' })
  await look(a, room)
  assert.equal(await a.locator('[value=accept]').count(), 0)
  await b.locator('.plain-move button').click()
  await look(a, room)
  await asked(a)
  await a.locator('[value=draw]').click()
  await look(b, room)
  await b.locator('[value=accept]').click()
  await b.locator('[data-act=rematch]').waitFor()
  assert.match(await b.locator('.plain-says').innerText(), /^Draw \(agreed\)/)
  // Resigning takes two presses.
  await b.locator('[data-act=rematch]').click()
  await look(a, room)
  await a.locator('[data-act=rematch]').click()
  await b.locator('.plain-move').waitFor() // a page that renews itself would close what is opened
  await b.locator('.plain-end summary').first().click()
  await b.locator('[value=resign]').click()
  await b.locator('[data-act=rematch]').waitFor()
  assert.match(await b.locator('.plain-says').innerText(), /^You lost \(resignation\)/)
  await Promise.all([ann.close(), bob.close()])
})

test('every game is played by forms: some moves of each', async () => {
  const c = await venue.visit(phone)
  const p = await openPage(c)
  await p.goto('/')
  const games = await p.locator('.tile').evaluateAll((list) => list.map((e) => e.getAttribute('data-game') ?? ''))
  assert.equal(games.length, 10)
  for (const game of games) {
    await p.goto(`/play/${game}`)
    await p.locator('[name=level][value="1"]').check({ force: true })
    await p.locator('.sheet-foot button').click()
    await p.waitForURL(/\/rooms\/\w+\/plain$/)
    for (let n = 0; n < 2 && await asked(p); n++) {
      const field = p.locator('.plain-move [name=move]')
      if (await field.evaluate((e) => e.localName) === 'select') {
        const list = await p.locator('.plain-move option').evaluateAll((all) => all.map((o) => (o as HTMLOptionElement).value))
        await field.selectOption(list[(n * 7) % list.length]!)
      } else await field.fill(n === 0 ? 'D1 d4' : '')
      await send(p, (button) => p.locator(button).click())
    }
    if (game === 'darkchess') assert.match(await p.locator('.plain-latest').innerText(), /\w\d: (red|black) \w+/)
    assert.ok((await p.locator('.plain-latest li').count()) > 0, `${game}: ${await p.locator('main').innerText()}`)
    const pictures = process.env['PICTURES']
    if (pictures) await p.screenshot({ path: `${pictures}/plain-${game}.png`, fullPage: true })
  }
  await c.close()
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
