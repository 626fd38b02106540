// The page of a game that is over, and the analysis board: other moves are played, engines
// of the hall analyse.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { KibitzBoard } from '../src/board.ts'
import type { Explored, Review } from '../src/wire.ts'
import { asked, openAt, press } from './analysing.ts'
import { boxOf, drawn } from './browser.ts'
import { obstacles, openVenue } from './venue.ts'

const venue = openVenue()

/** Imports a game of Othello as admin; the record is the hall's own form of moves. */
async function imported(): Promise<string> {
  const page = await openAt(venue, '/login')
  const id = await page.evaluate(async (password) => {
    const json = { 'Content-Type': 'application/json' }
    await fetch('/api/v1/account/login', { method: 'POST', headers: json, body: JSON.stringify({ name: 'admin', password }) })
    const fresh = password + 'Xy7'
    await fetch('/api/v1/account/password', { method: 'POST', headers: json, body: JSON.stringify({ old: password, new: fresh }) })
    const form = new FormData()
    form.append('file', new Blob(['(;GM[Othello]PC[Hall]DT[2026]PB[anna]PW[bert]RE[+4.000]TI[5]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6]B[C3]W[D3]B[C4]W[F4]B[C6]W[F6];)']), 'game.ggf')
    const r = await fetch('/api/v1/games/import', { method: 'POST', body: form })
    const said = await r.text()
    const list = (await (await fetch('/api/v1/games?game=othello&state=over')).json()) as { games: { id: string }[] }
    return list.games[0]?.id ?? said
  }, venue.hall.password)
  await page.context().close()
  return id
}

test('a variation is played in the page of a game, analysed, and shared', async () => {
  const id = await imported()
  const page = await openAt(venue, `/games/${id}?ply=2`)
  await page.locator('#moves [aria-current]').waitFor()
  await asked(page, 2) // the list is there without the record, which only then is gone through
  await page.mouse.move(5, 5) // now what is made of the game is loaded
  await page.locator('#save-tree:not([hidden])').waitFor({ state: 'attached' })
  await drawn(page)
  assert.equal(await page.locator('#moves [aria-current]').count(), 1, 'the move that is shown is marked')
  assert.ok(await page.locator('#home').isHidden())

  // Another move than that of the game, by a click.
  await press(page, '2,3') // c4
  await asked(page, 3)
  assert.equal(await page.locator('#ply').textContent(), '2 + 1')
  assert.deepEqual(await page.locator('#moves .side a').allTextContents(), ['3 c4'])
  await page.waitForURL(/ply=2&line=p2%2C3$/)

  // The keys stay in the line; g leads back to the game's.
  await page.keyboard.press('a')
  await asked(page, 2)
  await page.keyboard.press('d')
  await asked(page, 3)
  await page.keyboard.press('g')
  await asked(page, 2)
  assert.equal(await page.locator('#ply').textContent(), '2 / 8')

  // A typed move is one too, and the address of a variation leads to it.
  await page.locator('#moves .side a').first().click()
  await asked(page, 3)
  await page.getByRole('textbox', { name: /move/i }).fill('d3')
  await page.keyboard.press('Enter')
  await asked(page, 4)
  await page.waitForURL(/line=p2%2C3_p3%2C2$/)
  const other = await openAt(venue, new URL(page.url()).pathname + new URL(page.url()).search)
  await asked(other, 4)
  assert.deepEqual(await other.locator('#moves .side a').allTextContents(), ['3 c4', '4 d3'])
  await other.context().close()

  // What is removed is gone.
  await page.getByRole('button', { name: 'Remove from here' }).click()
  await asked(page, 3)
  assert.deepEqual(await page.locator('#moves .side a').allTextContents(), ['3 c4'])

  // An engine analyses; a move of its line is put into the tree.
  await page.locator('#ask [name=engine]').selectOption('bot=1')
  await page.getByRole('button', { name: 'Analyse' }).click()
  const second = page.locator('#found li').first().locator('button').first()
  await second.waitFor()
  await page.waitForFunction(() => document.getElementById('analysis-state')?.textContent === 'The engine is done.')
  await page.locator('#board .kb-advised').first().waitFor({ state: 'attached' }) // its first move is marked
  // Who had no account is a guest now, and the page says so.
  await page.locator('header .me').getByRole('button', { name: 'Log out' }).waitFor()
  assert.equal(await page.locator('header .me').getByText('Log in').count(), 0)
  const name = await second.textContent()
  await second.click()
  await asked(page, 4)
  assert.deepEqual(await page.locator('#moves .side a').allTextContents(), ['3 c4', `4 ${name}`])
  await page.getByRole('button', { name: 'Stop' }).click()

  // The whole line is evaluated, and its curve drawn; nothing is asked for that is not there.
  const missing: string[] = []
  page.on('response', (r) => { if (r.status() === 404) missing.push(r.url()) })
  await page.keyboard.press('g')
  await page.locator('#ask [name=engine]').selectOption('bot=6')
  await page.getByRole('button', { name: 'Review the game' }).click()
  await page.waitForFunction(() => Number(document.getElementById('course')?.dataset['points']) >= 9)
  await page.waitForSelector('#course .curve-line')

  // Its review names the costliest turns, marks the moves, and is the same a second time.
  const review = page.locator('#review')
  await review.getByText(/^anna: accuracy \d/).waitFor()
  const said = await review.textContent()
  assert.ok(await page.locator('#moves a').filter({ hasText: '?' }).count() > 0, said ?? '')
  assert.match(said ?? '', /The turns that cost anna most/)
  const picture = review.locator('li img').first() // of the board before the turn
  await picture.scrollIntoViewIfNeeded()
  await page.waitForFunction((e) => (e as HTMLImageElement).naturalWidth > 0, await picture.elementHandle())
  assert.equal(await page.locator('#board .kb-instead').count(), 0)
  await review.locator('li button').first().click()
  // What was played is red, what was better green; another position has neither.
  const tones = () => page.locator('#board :is(.kb-instead, .kb-best)').evaluateAll((list) => list.map((e) => `${e.classList.contains('kb-best') ? 'best' : 'played'} ${(e as SVGElement).style.getPropertyValue('--kb-tone')}`).sort())
  await page.locator('#board .kb-instead').first().waitFor({ state: 'attached' })
  assert.deepEqual(await tones(), ['best var(--good)', 'played var(--warn)'])
  await page.keyboard.press('End')
  await page.waitForFunction(() => !document.querySelector('#board :is(.kb-instead, .kb-best)'))
  await page.getByRole('button', { name: 'Review the game' }).click()
  await page.waitForFunction(() => document.getElementById('analysis-state')?.textContent === 'The engine is done.')
  assert.equal(await review.textContent(), said)
  assert.deepEqual(missing, [])

  // Who looks at it later has it without an account.
  const later = await openAt(venue, `/games/${id}?review`)
  await later.locator('#review').getByText(/^anna: accuracy \d/).waitFor()
  assert.equal(await later.locator('header .me').getByText('Log in').count(), 1)
  await later.context().close()

  // A better move is looked for: another one is not played, after three the best is shown.
  await review.getByRole('button', { name: /^Learn from/ }).first().click()
  const told = review.locator('[data-aloud]')
  await told.getByText(/^1 of \d+: find a better move than/).waitFor()
  await page.waitForFunction(() => (document.querySelector<KibitzBoard>('kibitz-board')?.possible.length ?? 0) > 0)
  await review.getByRole('button', { name: 'Hint' }).click()
  await page.locator('#board .kb-near-best').first().waitFor({ state: 'attached' })
  const played = /than ([a-h])(\d)/.exec(await told.textContent() ?? '')!
  const spot = `${played[1]!.charCodeAt(0) - 97},${Number(played[2]) - 1}`
  for (const answer of [/Tries left: 2/, /Tries left: 1/, /^Best was [a-h]\d/]) {
    await page.waitForFunction(() => (document.querySelector<KibitzBoard>('kibitz-board')?.possible.length ?? 0) > 0)
    await press(page, spot)
    await told.getByText(answer).waitFor()
  }
  assert.deepEqual(await obstacles(page), [])

  // Of another try an engine decides: it is right if it loses next to nothing of the chance. Here the
  // hall's answer is made up, as of a position that is lost, or won, for who is on turn after the try.
  const judged = (await (await page.request.get(`${venue.hall.url}/api/v1/games/${id}/review`)).json()) as Review
  const [asks] = [0, 1].map((s) => judged.turns.find((t) => t.mark && t.seat === s && t.best.length > 0)).filter((t) => t !== undefined)
  for (const [value, answer] of [[-1, 'Right'], [1, 'Tries left: 2']] as const) {
    await page.route('**/api/v1/analyses', (route) => {
      const { moves } = route.request().postDataJSON() as { moves: string[] }
      const line = { ply: moves.length, by: asks!.seat === 0 ? 'second' : 'first', lines: [{ unit: 4, lo: value, hi: value, line: [] }], final: true }
      return route.fulfill({ contentType: 'application/x-ndjson', body: `${JSON.stringify({ event: 'lines', data: line })}\n${JSON.stringify({ event: 'end', data: {} })}\n` })
    }, { times: 1 })
    await review.getByRole('button', { name: /^Learn from/ }).first().click()
    await told.getByText(/^1 of \d+: find a better move than/).waitFor()
    await page.waitForFunction(() => (document.querySelector<KibitzBoard>('kibitz-board')?.possible.length ?? 0) > 0)
    const other = await page.evaluate((known) => document.querySelector<KibitzBoard>('kibitz-board')!.possible.map((s) => s.to!.join()).find((to) => !known.includes(to)),
      [...asks!.best, ...asks!.good].map((m) => m.slice(1)).concat(spot))
    await press(page, other!)
    await told.getByText(answer).waitFor()
  }

  // What was played in the hall stands beside an analysis board, and is played on from there. A busy
  // machine counts a part in its time: it is asked until all is counted.
  await page.route(/\/api\/v1\/base\?/, async (route) => {
    let counted = await route.fetch()
    while (((await counted.json()) as Explored).cut) counted = await route.fetch()
    await route.fulfill({ response: counted })
  })
  await page.goto(`${venue.hall.url}/analysis?game=othello`)
  await asked(page, 0)
  await page.locator('#base summary').click()
  const row = page.locator('#base tbody tr')
  await row.first().waitFor()
  assert.deepEqual(await row.locator('td').allTextContents(), ['f5', '1', 'anna won 1, drawn 0, bert won 0'.replace('anna', 'First').replace('bert', 'Second'), '+4', '2026', ''])
  const who = page.locator('#base select')
  await who.selectOption('engines')
  await page.locator('#base').getByText('No game of this hall came here.').waitFor()
  await who.selectOption('people')
  await row.first().waitFor()
  await row.getByRole('button').click()
  await asked(page, 1)
  await row.getByRole('button', { name: 'd6' }).click()
  await page.locator('#base').getByText('Opening: Perpendicular').waitFor()
  assert.deepEqual(await obstacles(page), [])
  await page.context().close()
})

// It is judged whole, and the part at fault is named.
test('a turn of two parts', async () => {
  const page = await openAt(venue, '/analysis')
  await page.locator('#paste-text').fill('1. d1-d8/b6 g10-g3/i5 2. j4-g4/f3 a7-d7/b5')
  await page.locator('#paste button.primary').click()
  await asked(page, 0)
  await page.locator('#ask [name=engine]').selectOption('bot=1')
  await page.getByRole('button', { name: 'Review the game' }).click()
  const review = page.locator('#review')
  await review.locator('li button').first().click()
  for (const kind of ['best', 'instead']) await page.waitForFunction((k) => document.querySelectorAll(`#board .kb-${k}`).length === 2, kind)
  await review.locator('[data-aloud]').getByText(/The fault: (\w+-\w+|\/\w+)\.$/).waitFor()
  await page.context().close()
})

test('an analysis board without a record, where chance is asked', async () => {
  const page = await openAt(venue, '/analysis')
  await page.getByRole('button', { name: /dark chess/i }).click()
  await asked(page, 0)
  await press(page, '0,0')
  await page.getByRole('button', { name: 'Let chance decide' }).click()
  await asked(page, 2)
  assert.equal(await page.locator('#moves a').count(), 2)
  await page.waitForURL(/game=darkchess&kept=\w+&moves=f0%2C0_d0%2C0%3A\d+$/)
  await page.context().close()
})

test('choices that are no place of the board leave room for a turn back and on', async () => {
  const page = await openAt(venue, '/analysis?game=gomoku%3Aopening%3Dswap2%2Csize%3D9&moves=f1_c2_f7')
  const wrong: string[] = []
  for (const lang of ['en', 'cs', 'es', 'zh-Hans', 'zh-Hant']) {
    await page.request.post(`${venue.hall.url}/look`, { form: { lang, to: '/settings' }, headers: { Origin: venue.hall.url } })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.reload()
    await page.locator('.kb-buttons .kb-first').nth(2).waitFor()
    for (const [width, height] of [[1440, 900], [1024, 768], [390, 844], [360, 640], [844, 390]] as const) {
      await page.setViewportSize({ width, height })
      wrong.push(...(await page.evaluate(() => {
        const row = document.querySelector('[data-part=acts]')!.getBoundingClientRect()
        return ['.kb-buttons button', '[data-go=back]', '[data-go=on]'].flatMap((what) => [...document.querySelectorAll<HTMLElement>(`[data-part=acts] ${what}`)]).flatMap((e) => {
          const r = e.getBoundingClientRect()
          return r.width > 0 && r.left >= row.left - 0.5 && r.right <= row.right + 0.5 ? [] : [`${e.innerText} ${r.left}–${r.right} of ${row.left}–${row.right}`]
        })
      })).map((x) => `${lang} ${width}x${height}: ${x}`))
    }
  }
  assert.deepEqual(wrong, [])
  await page.context().close()
})

test('what is pressed before the record has come is done when it has', async () => {
  const list = (await (await fetch(venue.hall.url + '/api/v1/games?game=othello&state=over')).json()) as { games: { id: string }[] }
  const page = await (await venue.browser.newContext()).newPage()
  let come = (): void => undefined
  const waits = new Promise<void>((done) => (come = done))
  await page.route('**/replay', async (route) => {
    await waits
    await route.continue()
  })
  await page.goto(`${venue.hall.url}/games/${list.games[0]?.id}`, { waitUntil: 'load' })
  await page.keyboard.press('Home')
  await page.keyboard.press('d')
  come()
  await page.waitForURL(/ply=1$/)
  await page.context().close()
})

// By a held button, a finger across the board, and by itself.
test('a game is gone through', async () => {
  const list = (await (await fetch(venue.hall.url + '/api/v1/games?game=othello&state=over')).json()) as { games: { id: string }[] }
  const c = await venue.visit({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await c.newPage()
  await page.clock.install()
  await page.goto(`/games/${list.games[0]?.id}?ply=0`)
  const at = (n: number) => page.waitForFunction((want) => document.getElementById('ply')?.textContent === `${want} / 8`, n)
  await page.locator('#play:not([hidden])').waitFor()
  await page.clock.pauseAt(Date.now() + 3_600_000) // the position may be played on, and time goes by as it is told
  await at(0)
  const pages = await page.evaluate(() => history.length)

  // Held for 400 ms a button goes a turn on, then eight in a second; its end is no further press.
  const on = await boxOf(page.locator('.steps [data-go=on]'))
  await page.mouse.move(on.x + 5, on.y + 5)
  await page.mouse.down()
  await page.clock.runFor(390)
  await at(0)
  await page.clock.runFor(10 + 4 * 125)
  await at(5)
  await page.mouse.up()
  await page.clock.runFor(1000)
  await at(5)
  await page.mouse.down()
  await page.mouse.up()
  await at(6)

  // A finger that goes left across the board goes a turn on; right, back.
  const board = await boxOf(page.locator('#board .kb-picture'))
  const cdp = await c.newCDPSession(page)
  const swipe = async (from: number, to: number) => {
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x: board.x + board.width * x, y: board.y + board.height * 0.3 }] })
    await touch('touchStart', from)
    for (let k = 1; k <= 4; k++) await touch('touchMove', from + (to - from) * k / 4)
    await touch('touchEnd')
  }
  await swipe(0.7, 0.3)
  await at(7)
  await swipe(0.3, 0.7)
  await at(6)
  assert.equal(await page.locator('#moves .side a').count(), 0, 'a finger that swiped has played')

  // By itself: as many turns a second as was chosen, until the end.
  await page.locator('.steps [data-go=first]').click()
  await at(0)
  const play = page.locator('#play')
  await play.click()
  await page.clock.runFor(1990)
  await at(1)
  await page.locator('#speed').selectOption('2', { force: true })
  await page.clock.runFor(1000)
  await at(3)
  await page.locator('#speed').selectOption('0.5', { force: true })
  await page.clock.runFor(3990)
  await at(4)
  await page.clock.runFor(10_000)
  await at(8)
  assert.equal(await play.textContent(), '▶')
  await page.waitForURL(/ply=8$/)
  assert.equal(await page.evaluate(() => history.length), pages, 'the way back is full of positions')

  // Of formats the page says which have variations, and a file may end where the board stands.
  await page.locator('.steps [data-go=back]').click()
  await at(7)
  const formats = await page.locator('#save-tree option').allTextContents()
  for (const f of ['sgf · with variations', 'json · with variations', 'ggf · without variations']) assert.ok(formats.includes(f), formats.join(', '))
  await page.locator('#tab-info').click()
  await page.locator('#save-tree [name=until]').check()
  await page.locator('#save-tree [name=format]').selectOption('ggf')
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('#save-tree button').click()])
  const text = await readFile(await file.path(), 'utf8')
  assert.match(text, /\bB\[C6/i)
  assert.doesNotMatch(text, /W\[F6/i)
  await c.close()
})
