// What a first visitor meets: the sizes of the first page, the options of every game on a phone,
// and the way back to a running game.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { boxOf, drawn, says, until } from './browser.ts'
import { load, sum } from './load.ts'
import { colours, obstacles, openVenue } from './venue.ts'
import { Presses } from './presses.ts'
import { ask, desktop, logIn, openPage, openRoom, outside, phone, playBot, post, renewed, resign, take, turn } from './visit.ts'

const venue = openVenue()

/** Boxes of the blocks of the first page, in its order. */
const blocks = (page: Page) => page.locator('[data-block]').evaluateAll((list) => list.map((e) => {
  const r = e.getBoundingClientRect()
  return { block: e.getAttribute('data-block'), top: r.top, bottom: r.bottom, left: r.left, right: r.right }
}))

test('the first page is seen without scrolling on a desktop, and its beginning on a phone', async () => {
  for (const locale of ['en', 'zh-TW', 'zh-CN', 'cs', 'es']) {
    const c = await venue.visit({ locale })
    const page = await openPage(c)
    await page.setViewportSize(desktop.viewport)
    await page.goto('/')
    for (const b of (await blocks(page)).slice(0, 4)) assert.ok(b.top >= 0 && b.bottom <= 900 && b.left >= 0 && b.right <= 1440, `${locale}, desktop: block ${b.block} is at ${b.top} to ${b.bottom}`)
    assert.deepEqual((await blocks(page)).map((b) => b.block), ['1', '2', '3', '4', '5'])
    await page.setViewportSize(phone.viewport)
    const [what, now, games] = await blocks(page)
    assert.ok(what && now && games && what.top >= 0 && now.bottom <= 844, `${locale}, phone: block 2 ends at ${now?.bottom}`)
    assert.ok(games.top <= 844 - 120, `${locale}, phone: of the games ${844 - games.top} is seen`)
    // The head is one line, and nothing is wider than the screen down to 320.
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 })
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${locale}: too wide at ${width}`)
      assert.equal((await boxOf(page.locator('header.top'))).height, 44)
    }
    await c.close()
  }
})

test('every game has its tile, which says what it will do, and targets for a finger', async () => {
  const c = await venue.visit(phone)
  const page = await openPage(c)
  await page.goto('/')
  const tiles = await page.locator('.tile[data-game]').evaluateAll((list) => list.map((e) => {
    const gear = e.querySelector('.gear')!.getBoundingClientRect()
    return { game: e.getAttribute('data-game'), gear: [gear.width, gear.height], rules: e.querySelector('.rules')?.getAttribute('href'), title: e.querySelector('button')!.title, words: e.querySelector('button > span:last-child')!.textContent }
  }))
  assert.equal(tiles.length, 10)
  for (const t of tiles) {
    assert.ok((await page.request.get(`/learn/${t.game}`)).ok(), `${t.game} is not taught`)
    assert.deepEqual(t.gear, [44, 44], `${t.game}`)
    assert.equal(t.rules, `/learn/${t.game}`)
    assert.match(t.title, /against Rabbit, no clock$/)
    assert.ok((t.words?.length ?? 0) > 15, `${t.game} says nothing`)
  }
  await c.close()
})

test('the options of every game with at most five groups are seen whole on a phone', async () => {
  const c = await venue.visit(phone)
  const page = await openPage(c)
  await page.goto('/')
  for (const game of await page.locator('.tile').evaluateAll((list) => list.map((e) => e.getAttribute('data-game') ?? ''))) {
    await page.locator(`.tile[data-game=${game}] .gear`).tap()
    await page.locator('#sheet[open] form').waitFor()
    const s = await page.evaluate(() => {
      const list = document.querySelector('.groups')!
      const foot = document.querySelector('.sheet-foot button')!.getBoundingClientRect()
      return {
        groups: document.querySelectorAll('.groups > .group').length, lacks: list.scrollHeight - list.clientHeight, height: document.querySelector('#sheet')!.getBoundingClientRect().height,
        foot: foot.bottom <= innerHeight && foot.top > 0, small: [...document.querySelectorAll<HTMLElement>('#sheet .chip, #sheet .stepper button')].filter((e) => e.offsetParent && e.getBoundingClientRect().height < 44).length,
      }
    })
    assert.ok(s.foot, `${game}: the button is out of view`)
    assert.ok(s.height <= 0.85 * 844 + 1, `${game}: ${s.height} high`)
    assert.equal(s.small, 0, `${game}: targets are too small`)
    if (s.groups <= 5) assert.ok(s.lacks <= 0, `${game}: ${s.lacks} are out of view`)
    await page.keyboard.press('Escape')
    await page.locator('#sheet').waitFor({ state: 'hidden' })
    assert.equal(await until(() => page.evaluate(() => document.activeElement?.className), (x) => x === 'gear'), 'gear', 'the focus has not come back')
    await page.waitForFunction(() => !(history.state as { sheet?: boolean } | null)?.sheet) // the way back would close the next one
  }
  await c.close()
})

test('an option that is not plain says what it is for, to a finger, to keys and in the language of the page', async () => {
  for (const [locale, game, option, said] of [
    ['en', 'gomoku', 'opening', /swap2: one side places three stones/], ['en', 'phantomgo', 'komi', /komi, because Black begins: 7\.5/],
    ['cs', 'darkchess', 'noeat', /^Po tolika tazích obou stran je remíza/], ['zh-TW', 'surakarta', 'nocapture', /沒有吃子/],
  ] as const) {
    const c = await venue.visit({ ...phone, locale })
    const page = await openPage(c)
    await page.goto('/')
    await page.locator(`.tile[data-game=${game}] .gear`).tap()
    const group = page.locator(`#sheet .group[data-group="option.${option}"]`)
    const word = group.locator('legend button')
    assert.ok((await boxOf(word)).height >= 24)
    assert.match(await word.evaluate((e) => getComputedStyle(e).textDecoration), /underline.* dotted/)
    const tip = group.locator('.tip')
    await word.tap()
    await tip.waitFor() // a tap is a press a little later
    assert.match(await tip.innerText(), said)
    if (locale === 'en') assert.deepEqual(await obstacles(page), [])
    await page.keyboard.press('Escape')
    assert.ok(await page.locator('#sheet').isVisible(), 'Escape closes the tip alone')
    await word.press('Enter')
    await tip.waitFor()
    assert.equal(await page.locator('[data-group="option.size"] .word').count(), 0, 'a size is plain')
    await c.close()
  }
})

test('options: arrows choose, the button says what it does, and the choice is remembered', async () => {
  const c = await venue.visit({ ...desktop, reducedMotion: 'reduce' })
  const page = await openPage(c)
  await page.goto('/')
  await page.locator('.tile[data-game=gomoku] .gear').click()
  const button = page.locator('.sheet-foot button')
  assert.equal(await button.innerText(), 'Play Rabbit as Black, no clock')
  await page.locator('[name=level]:checked').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  assert.equal(await button.innerText(), 'Play Fox as Black, no clock')
  assert.match(await page.locator('#about-level').innerText(), /^Fox: looks at 74 positions a turn \(about 1350 \?\)$/)
  await page.locator('[name=colour]:checked').focus()
  await page.keyboard.press('ArrowDown')
  await page.locator('[name=clock]:checked').focus()
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
  assert.equal(await button.innerText(), 'Play Fox as White, 5+3')
  await page.locator('.chip', { hasText: '19×19' }).click()
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    assert.deepEqual(await obstacles(page, scheme === 'light' ? undefined : colours), [], `the open options, ${scheme}`)
  }
  await page.goBack() // closes it as Escape does
  await page.locator('#sheet').waitFor({ state: 'hidden' })
  assert.equal(new URL(page.url()).pathname, '/')
  await page.locator('.tile[data-game=gomoku] .gear').click()
  await page.locator('[name=level][value="4"]').check({ force: true })
  await page.locator('.chip', { hasText: '19×19' }).click()
  await page.locator('[name=clock][value=own]').check({ force: true })
  await page.locator('#own').fill('7 min')
  await page.waitForFunction(() => document.querySelector('.sheet-foot button')?.textContent === 'Play Fox as Black, 7+0')
  await button.click()
  await page.waitForURL(/\/rooms\//)
  await turn(page)
  assert.equal(await page.locator('#bar-top .bar-name').innerText(), 'Fox')
  await page.goto('/')
  assert.equal(await page.locator('[data-block="2"] .big span').innerText(), 'Five in a row against Fox, 7+0')
  const presses = new Presses(page, 'click')
  await presses.press('.tile[data-game=gomoku] .tile-play')
  await page.waitForURL(/\/rooms\//)
  const { room } = await ask<{ room: { settings: { game: string; clocks: string[] }; places: { engine?: string }[] } }>(page, `rooms/${new URL(page.url()).pathname.slice('/rooms/'.length)}`)
  assert.match(room.settings.game, /size=19/)
  assert.deepEqual([room.settings.clocks, room.places[1]?.engine, presses.count], [['420', '420'], 'bot=4', 1])
  await c.close()
})

test('Elo and take-back say what they are', async () => {
  const c = await venue.visit(phone)
  const page = await openPage(c)
  await page.goto('/play/othello')
  await page.locator('details.rest summary').tap()
  for (const [word, said] of [['[data-group=level] .word', /^Elo is a number for strength/], ['.checks .word', /^Take-back: your latest/]] as const) {
    await page.locator(word).tap()
    assert.match(await page.locator('.tip:popover-open').innerText(), said)
    assert.deepEqual(await obstacles(page), [])
    await page.keyboard.press('Escape')
  }
  await page.locator('[name=undo]').setChecked(false)
  await page.locator('[name=undo]').setChecked(true)
  await c.close()
})

test('words below a board say what they mean', async () => {
  for (const [locale, game, said, meaning] of [
    ['en', 'phantomgo', 'You may pass', /^A turn without a stone\. After two/], ['cs', 'phantomgo', 'Můžete pasovat', /^Tah bez kamene\. Po dvou/],
    ['es', 'gomoku', 'swap2', /swap2: uno pone/], ['zh-TW', 'darkchess', '未吃子', /和局/],
  ] as const) {
    const c = await venue.visit({ ...phone, locale })
    const page = await openPage(c)
    for (const first of [true, false]) { // in the first game of a kind the line offers its lesson
      await page.goto(`/play/${game}`)
      if (game === 'gomoku') await page.locator('label.chip:has([name="option.opening"][value="swap2"])').tap()
      await page.locator('[data-act=play]').tap()
      await page.waitForURL(/\/rooms\//)
      await turn(page)
      if (!first) continue
      await resign(page)
      await page.locator('.outcome').waitFor() // the hall has written it down: the next is not the first
    }
    if (game === 'darkchess') { // as the game says it from half of the limit on
      await page.evaluate(() => {
        const b = document.querySelector<KibitzBoard>('kibitz-board')!
        b.show({ ...b.state!, view: { ...b.state!.view!, notes: [{ code: 'noeat', args: ['40', '60'], text: '' }] } })
      })
    }
    const word = page.locator('.say-line .word')
    await says(word, new RegExp(said))
    assert.match(await word.evaluate((e) => getComputedStyle(e).textDecoration), /underline.* dotted/)
    const box = await boxOf(word)
    assert.ok(box.height >= 24 && box.x + box.width <= 390, JSON.stringify(box))
    const tip = page.locator('.tip:popover-open')
    await word.tap()
    assert.match(await tip.innerText(), meaning)
    if (locale === 'en') assert.deepEqual(await obstacles(page), [])
    await page.keyboard.press('Escape')
    await word.press('Enter')
    assert.match(await tip.innerText(), meaning)
    assert.deepEqual(await outside(page), [])
    await c.close()
  }
})

test('what one waits for is on the first page, with its tournaments: invitations, and games with whoever comes', async () => {
  const c = await venue.visit(phone)
  const page = await openPage(c)
  await page.goto('/')
  await post(page, 'account/guest', {})
  const asked = await post(page, 'challenges', { game: 'othello', clock: '600+5' })
  assert.equal(asked.status, 201, JSON.stringify(asked.body))
  await page.locator('[data-act=anybody]').tap()
  await page.waitForURL(/\/rooms\//)
  const room = new URL(page.url()).pathname
  await page.goto('/')
  const mine = page.locator('[data-block="7"] li')
  assert.deepEqual(await mine.allInnerTexts(), ['Othello, 5+3 Waiting for an opponent', 'Othello, 10+5, you are Black Waiting for your friend'])
  assert.equal(await mine.first().locator('a').getAttribute('href'), room)
  assert.deepEqual(await obstacles(page), [])
  const admin = await openPage(await venue.visit())
  await logIn(admin, 'admin', venue.hall.password)
  const cup = await post(admin, 'tournaments', { name: 'Cup', game: 'othello', format: 'roundrobin', each: 'tc=60', engines: ['bot=1 name=Ann', 'bot=1 name=Bob', 'bot=1 name=Cec'], open: true })
  assert.ok(cup.status < 300, JSON.stringify(cup))
  await page.reload()
  assert.match(await page.locator('[data-block="6"]').innerText(), /Cup.*Othello · \w+ \d+, \d{4}, \d+:\d\d.*3 entrants/s)
  await Promise.all([c.close(), admin.context().close()])
})

test('a running game is one press away on every page', async () => {
  const c = await venue.visit(phone)
  const page = await openPage(c)
  await page.goto('/')
  await page.locator('[data-act=play]').tap()
  await page.waitForURL(/\/rooms\//)
  await turn(page)
  const room = new URL(page.url()).pathname
  assert.equal(await page.locator('.own-game').isVisible(), false, 'the game itself needs no way to it')
  for (const path of ['/', '/watch', '/games', '/settings', '/analysis?game=othello']) {
    // Where the hall does not know at once whose turn it is, the page asks again.
    await page.route((u) => u.pathname + u.search === path, async (r) => {
      const answer = await r.fetch()
      await r.fulfill({ response: answer, body: (await answer.text()).replace('data-turn="yours"', 'data-turn=""').replace(': Your turn"', '"') })
    })
    await page.goto(path)
    await page.locator('.own-game[title="Your game against Rabbit: Your turn"]').waitFor({ timeout: 5000 })
    const presses = new Presses(page, 'touch')
    await presses.press('.own-game')
    await page.waitForURL((u) => u.pathname === room)
    assert.equal(presses.count, 1)
  }
  await c.close()
})

test('the first page is light, also with a live board, has no obstacle, and needs no script', async () => {
  const player = await venue.visit()
  const game = await openPage(player)
  const { body } = await post(game, 'play', { game: 'othello', listed: true })
  await game.goto((body as { page: string }).page)
  await turn(game)
  for (const colorScheme of ['light', 'dark'] as const) {
    const c = await venue.visit({ ...phone, colorScheme })
    const page = await openPage(c)
    const l = await load(page, '/', true)
    const { packed, requests } = sum(l)
    assert.ok(packed > 5000 && packed <= 50_000, `${packed} bytes: ${JSON.stringify(l.weights)}`)
    assert.ok(requests <= 14, `${requests} requests`)
    assert.ok(l.shift < 0.01, `moved by ${l.shift}`)
    assert.deepEqual(await obstacles(page, colorScheme === 'light' ? undefined : colours), [])
    await c.close()
  }
  await player.close()
  const c = await venue.visit({ ...desktop, javaScriptEnabled: false })
  const page = await openPage(c)
  await page.goto('/')
  assert.deepEqual((await blocks(page)).map((b) => b.block).slice(0, 4), ['1', '2', '3', '4']) // behind them a tournament, if there is one
  await page.locator('.tile[data-game=connect6] .gear').click()
  await page.locator('.chip', { hasText: '13×13' }).click()
  await page.locator('.sheet-foot button').click()
  await page.waitForURL(/\/rooms\//)
  assert.match(await page.locator('.facts, .tags').first().innerText(), /13×13/)
  await c.close()
})

test('guests change names', async () => {
  const page = await openPage(await venue.visit(desktop))
  await page.goto('/')
  await page.locator('[data-act=play]').first().click()
  await page.waitForURL(/\/rooms\//)
  await turn(page)
  await page.locator('#bar-bottom a.bar-name').click()
  await page.getByLabel('Your name').fill('a b')
  await renewed(page, () => page.getByRole('button', { name: 'Change my name' }).click())
  assert.equal(await page.getByLabel('Your name').inputValue(), 'a b', 'what was typed stays')
  await page.getByLabel('Your name').fill('Anna-Maria')
  await page.getByRole('button', { name: 'Change my name' }).click()
  await page.waitForURL(/\/rooms\//)
  await turn(page)
  await resign(page)
  await page.locator('#card [data-act=rematch]').click()
  await turn(page)
  await says(page.locator('#bar-bottom .bar-name'), /^Anna-Maria$/)
})

test('lost scripts', async () => {
  const page = await openPage(await venue.visit(desktop))
  await page.goto('/')
  await page.locator('[data-act=play]').first().click()
  await page.waitForURL(/\/rooms\//)
  await turn(page)
  let kept = 0
  const scripts = /\/(board|room)-\w+\.js/
  await page.route(scripts, (r) => (kept++, r.abort()))
  await page.reload()
  const again = page.locator('#unloaded').getByRole('link', { name: 'Load again' })
  const early = await page.evaluate(() => ({ shown: !document.querySelector<HTMLElement>('#unloaded')!.hidden, at: performance.now() }))
  assert.ok(!early.shown || early.at >= 8000, 'not at once')
  await again.waitFor()
  assert.ok(kept > 0)
  // Until then the board is there as a picture, whole, and what is to be pressed below it.
  const picture = page.locator('#unloaded img.plain-board')
  await picture.waitFor()
  await page.waitForFunction(() => { const e = document.querySelector<HTMLImageElement>('#unloaded img'); return e?.complete && e.naturalWidth > 0 })
  const [board, link, slot] = [await boxOf(picture), await boxOf(again), await boxOf(page.locator('.slot'))]
  assert.ok(board.height > 300 && board.y + board.height <= link.y + 1 && link.y + link.height <= slot.y + slot.height + 1, JSON.stringify([board, link, slot]))
  assert.deepEqual(await obstacles(page), [])
  await page.unroute(scripts)
  await again.click()
  await turn(page)
  assert.equal(await again.isVisible(), false)
})

test('lost scripts of a game that is over, of one that goes on and of an analysis', async () => {
  const page = await openPage(await venue.visit(desktop))
  await page.goto('/')
  await page.locator('[data-act=play]').first().click()
  await page.waitForURL(/\/rooms\//)
  await turn(page)
  const id = await page.locator('kibitz-board').getAttribute('game')
  const other = await openPage(page.context())
  const scripts = /\/(board|game)-\w+\.js/
  const pictures: string[] = []
  other.on('request', (r) => { if (/picture\.(svg|png)/.test(r.url())) pictures.push(new URL(r.url()).pathname + new URL(r.url()).search) })
  for (const [at, picture] of [
    [`/games/${id}`, 'img.plain-board'], ['/analysis?game=othello&moves=f5_d6', 'img[src*="f5"]'], [`/games/${id}?ply=0`, 'img[src*="picture.svg?ply=0"]'],
  ] as const) {
    if (at.includes('ply')) { // by now it is over
      await resign(page)
      await page.locator('.outcome').first().waitFor({ state: 'attached' })
    }
    await other.goto(at)
    await other.locator('.kb-spot').first().waitFor({ state: 'attached' })
    assert.deepEqual(pictures, [], `${at}: the picture is not for who has the board`)
    await other.route(scripts, (r) => r.abort())
    await other.reload()
    const again = other.locator('#unloaded').getByRole('link', { name: 'Load again' })
    await again.waitFor()
    const shown = other.locator(`#unloaded ${picture}`)
    await other.waitForFunction(() => { const e = document.querySelector<HTMLImageElement>('#unloaded img'); return e?.complete && e.naturalWidth > 0 })
    const [board, link, slot] = [await boxOf(shown), await boxOf(again), await boxOf(other.locator('.slot'))]
    assert.ok(board.height > 300 && board.y + board.height <= link.y + 1 && link.y + link.height <= slot.y + slot.height + 1, `${at}: ${JSON.stringify([board, link, slot])}`)
    assert.deepEqual(await obstacles(other), [], at)
    await other.unroute(scripts)
    await again.click()
    await other.locator('.kb-spot').first().waitFor({ state: 'attached' })
    assert.equal(await again.isVisible(), false)
    pictures.length = 0
  }
})

test('seats taken first', async () => {
  const host = await openPage(await venue.visit(desktop))
  const room = await openRoom(host, 'othello')
  await host.getByRole('button', { name: 'Take this seat' }).first().click()
  await host.getByRole('button', { name: 'Leave the seat' }).waitFor()
  const quick = await openPage(await venue.visit(desktop))
  await quick.goto(room)
  const late = await (await venue.visit({ ...desktop, javaScriptEnabled: false })).newPage()
  await late.goto(room)
  await quick.locator('[data-act=join]').click()
  await quick.getByRole('button', { name: 'Leave' }).first().waitFor()
  await late.locator('[data-act=join]').click()
  await says(late.locator('#act-fault'), /^guest-\w+ took the seat first\. Find an opponent$/)
})

test('face-down pieces', async () => {
  const page = await openPage(await venue.visit(phone))
  await playBot(page, 'darkchess', 1)
  const down = page.locator('.stage > .down')
  await down.locator('.kb-tray-piece').first().waitFor({ state: 'attached' })
  const [tabs, pieces, moves] = [await boxOf(page.locator('.tab-row')), await boxOf(down), await boxOf(page.locator('#moves-panel'))]
  assert.ok(pieces.y >= tabs.y + tabs.height - 1 && pieces.y + pieces.height <= moves.y + 1, JSON.stringify([tabs, pieces, moves]))
  await page.locator('#tab-info').click()
  assert.equal(await down.isVisible(), false)
  // What each has taken is a row in its place, on narrow rails too.
  const t = await turn(page)
  await take(page, t, t.legal[0]!, 'touch')
  await page.waitForFunction(() => document.querySelectorAll('.tray .kb-tray-item').length === 14)
  for (const [width, height, across] of [[844, 390, 28], [667, 375, 28], [390, 844, 32], [1280, 720, 36]] as const) {
    await page.setViewportSize({ width, height })
    await drawn(page)
    assert.deepEqual(await page.locator('.tray').evaluateAll((list, w) => list.flatMap((tray) => {
      const [r, items] = [tray.getBoundingClientRect(), [...tray.querySelectorAll('.kb-tray-item')].map((e) => e.getBoundingClientRect())]
      return items.every((x) => x.left >= r.left && x.right <= r.right && Math.abs(x.width - w) < 0.5) ? [] : [`${r.left} to ${r.right}: ${items.map((x) => x.left).join()}`]
    }), across), [], `${width}x${height}`)
  }
})

test('cut sentences', async () => {
  const page = await openPage(await venue.visit({ viewport: { width: 320, height: 568 } }))
  await playBot(page, 'othello', 1)
  await turn(page)
  const text = 'A sentence that is much longer than a line of a narrow screen, and that nobody could read'
  await page.locator('#act-fault').evaluate((e, x) => { e.textContent = x }, text)
  await page.locator('#tab-info').click()
  await says(page.locator('#whole'), new RegExp(text))
  await page.locator('#act-fault').evaluate((e) => { e.textContent = '' })
  await page.waitForFunction(() => document.querySelector('#whole')?.textContent === '')
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
