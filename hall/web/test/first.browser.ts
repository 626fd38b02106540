// What a first visitor meets: presses from the first page to the first move, the sizes of
// the first page, the options of every game on a phone, and the way back to a running game.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { parseStep } from '../src/step.ts'
import type { View } from '../src/wire.ts'
import cs from '../words/lang/cs.json'
import { boxOf, drawn, says, until } from './browser.ts'
import { load, sum } from './load.ts'
import { colours, obstacles, openVenue } from './venue.ts'
import { Presses } from './presses.ts'
import { ask, logIn, openPage, openRoom, outside, playBot, post, renewed, resign, take, turn, waysIn } from './visit.ts'

declare global {
  interface Window {
    /** How many tones were made, and how often the browser's sound was put to rest after them. */
    knocks: number
    rests: number
  }
}

const venue = openVenue()

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const desktop = { viewport: { width: 1440, height: 900 } }

/** Ways to press in each of two languages, on what has them. */
const visits = ['en', 'cs'].flatMap((locale) => waysIn(locale).map((way) => [locale, way, way === 'touch' ? phone : desktop] as const))

for (const [locale, way, options] of visits) {
  test(`from the first page to one's own move in two presses: ${locale}, ${way}`, async () => {
    const c = await venue.visit({ ...options, locale })
    const page = await openPage(c)
    await page.goto('/')
    assert.deepEqual((await c.cookies()).map((x) => x.name), [], 'whoever only looks is nobody')
    const presses = new Presses(page, way)
    await presses.press('[data-act=play]')
    await page.waitForURL(/\/rooms\//)
    await presses.move()
    assert.equal(presses.count, 2)
    await turn(page) // Rabbit has answered
    const { room } = await ask<{ room: { places: { kind: string; engine?: string }[] } }>(page, `rooms/${new URL(page.url()).pathname.slice('/rooms/'.length)}`)
    assert.deepEqual(room.places.map((p) => p.engine ?? p.kind), ['person', 'bot=2'])
    // All the time whoever plays sees bars, clocks, board and acts, and at the end the result, heard in the same moment, and what comes next.
    assert.deepEqual(await outside(page), [])
    assert.match(await page.title(), /^● /)
    await page.evaluate(() => {
      window.knocks = 0
      const make = AudioContext.prototype.createOscillator
      AudioContext.prototype.createOscillator = function () {
        window.knocks++
        return make.call(this)
      }
      window.rests = 0
      const rest = AudioContext.prototype.suspend
      AudioContext.prototype.suspend = function () {
        window.rests++
        return rest.call(this)
      }
    })
    const tones = () => page.evaluate(() => window.knocks)
    await presses.move()
    await page.waitForFunction(() => window.knocks > 0) // one's own stone
    await turn(page)
    assert.deepEqual(await outside(page), [])
    const before = await tones()
    const end = new Presses(page, way)
    await resign(page, (what) => end.press(what))
    await says(page.locator('#card-said'), new RegExp(`^${locale === 'cs' ? 'Prohr' : 'You lost \\(resignation\\)'}`))
    await page.waitForFunction((n) => window.knocks >= n + 2 && window.rests > 0, before)
    for (const what of ['rematch', 'review']) await page.locator(`#card [data-act=${what}]`).waitFor() // the hall has written the game down
    const unseen = () => page.locator('#card, #card [data-act=rematch], #card [data-act=review]').evaluateAll((list) => list.filter((e) => { const r = e.getBoundingClientRect(); return r.width === 0 || r.bottom > innerHeight + 0.5 || r.top < 0 }).length)
    assert.equal(await until(unseen, (n) => n === 0), 0, 'the result is not in sight') // what the room says next draws the card anew
    const again = new Presses(page, way)
    const game = await page.locator('kibitz-board').getAttribute('game')
    await again.press('#card [data-act=rematch]')
    await page.locator(`kibitz-board[game]:not([game="${game}"])`).waitFor()
    assert.equal(again.count, 1)
    await c.close()
  })
}

/** The first line of a lesson's step that is right, and one that is wrong. */
interface Node { readonly step?: string; readonly view?: View; readonly next?: readonly Node[]; readonly end?: boolean; readonly why?: string }
function line(n: Node, right: boolean): Node[] | undefined {
  if (n.end) return (n.why === undefined) === right ? [] : undefined
  for (const x of n.next ?? []) {
    const rest = x.view && line(x, right)
    if (rest) return [x, ...rest]
  }
  return undefined
}

/** The places with a ring on a board where nothing is picked up, and those that should have one. */
const rings = (page: Page) => page.evaluate(() => {
  const b = document.querySelector<KibitzBoard>('kibitz-board')!
  const v = b.state!.view!
  const able = b.possible.filter((s) => s.from && s.to && v.pieces[s.to[1] * v.width + s.to[0]] !== '.')
  return { drawn: b.querySelectorAll('.kb-take').length, able: new Set(able.map((s) => s.from!.join())).size, take: able[0]?.text, on: b.possible.filter((s) => s.from && s.to && s.to[1] > s.from[1]).map((s) => s.text) }
})

for (const [locale, how, options] of visits) {
  if (how === 'touch' && process.env['EVERY'] !== '1') continue // learn.browser.ts has every lesson by finger
  const mouse = locale === 'cs' ? cs.board['level.1'] : 'Mouse'
  const lost = locale === 'cs' ? cs.board['say.youlost'].replace('{score}', '').replace('{why}', cs.board['why.resign']) : 'You lost (resignation)'
  test(`a child learns Surakarta: rules in one press, a lesson of six steps, and one press to play: ${locale}, ${how}`, async () => {
    const c = await venue.visit({ ...options, locale })
    const page = await openPage(c)
    await page.goto('/')
    const way = new Presses(page, how)
    await way.press('.tile[data-game=surakarta] .rules')
    await page.waitForURL('**/learn/surakarta')
    const steps = JSON.parse(await page.locator('#steps').textContent() ?? '') as { do: string; right: string; for: string; start: Node }[]
    assert.ok(steps.length <= 6)
    const play = async (s: { for: string; start: Node }, list: Node[]): Promise<void> => {
      let at = s.start
      for (const n of list) {
        if (at.view?.seat === s.for) await take(page, await turn(page), parseStep(n.step!)!, how)
        at = n
      }
    }
    for (const s of steps) {
      await says(page.locator('#do'), s.do)
      assert.equal((await rings(page)).drawn, 0, 'a ring would tell which piece it is')
      const wrong = line(s.start, false)
      if (wrong) {
        await play(s, wrong)
        await says(page.locator('#said'), wrong.at(-1)!.why!)
      }
      await play(s, line(s.start, true)!)
      await says(page.locator('#said'), s.right)
    }
    await page.locator('#lesson-end').waitFor()
    await way.press('.lesson [data-act=play]')
    await page.waitForURL(/\/rooms\//)
    assert.equal(way.count, 2)
    assert.equal(await page.locator('#bar-top .bar-name').innerText(), mouse)
    assert.equal(await page.locator('#room-news a').count(), 0, 'the lesson is offered to who comes from it')
    // Whoever takes what he can meets pieces that can run.
    let seen = 0
    for (let n = 0; n < 40 && seen < 1; n++) {
      const t = await turn(page)
      if (t.result) break
      const r = await rings(page)
      assert.equal(r.drawn, r.able)
      if (r.able > 0) seen++
      await take(page, t, parseStep(r.take ?? r.on[n % r.on.length] ?? t.legal[0]!.text)!, how)
      await page.waitForFunction((k) => (document.querySelector<KibitzBoard>('kibitz-board')?.state?.history?.length ?? 0) > k, t.history)
    }
    assert.ok(seen > 0, 'no piece could run in 40 turns')
    await turn(page)
    const help = new Presses(page, how)
    await help.press('.acts [data-act=hint]')
    await page.locator('#hint[data-level="1"]').waitFor()
    assert.equal(help.count, 1)
    await resign(page)
    await page.locator('#card').waitFor()
    assert.equal(await page.locator('#card-said').innerText(), lost)
    assert.deepEqual(await page.locator('.card-acts button:visible, .card-acts a:visible').evaluateAll((list) => list.map((e) => (e as HTMLElement).dataset['act'])), ['rematch', 'review', 'new'])
    await c.close()
  })
}

test('the first game of a kind offers its lesson in a line, the second does not, and the sixth has no rings', async () => {
  for (const locale of ['en', 'zh-TW', 'zh-CN', 'cs', 'es']) {
    const c = await venue.visit({ ...phone, locale })
    const page = await openPage(c)
    await page.goto('/')
    await page.locator('.tile[data-game=surakarta] .tile-play').tap()
    await page.waitForURL(/\/rooms\//)
    await turn(page)
    const offer = page.locator('.say-line #room-news a')
    assert.equal(await offer.getAttribute('href'), '/learn/surakarta')
    for (const width of [390, 320]) { // there is no room for both in one line
      await page.setViewportSize({ width, height: 844 })
      const cut = await page.locator('.say-line :is(a, .kb-status)').evaluateAll((list) => list.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent))
      assert.deepEqual(cut, [], `${locale}, ${width}`)
      const [box, line] = [await boxOf(offer), await boxOf(page.locator('.say-line'))]
      assert.ok(box.width >= 44 && box.height >= 24 && box.x + box.width <= width && box.y + box.height <= line.y + line.height, `${locale}, ${width}: ${JSON.stringify(box)}`)
    }
    // A long fault has the line, and is cut where it is with an ellipsis; the offer goes first, and is no part of what was said.
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      await drawn(page)
      const at = await page.evaluate(async () => { // in one go: what is drawn anew says no fault
        const [line, fault, offer] = ['.say-line', '.say-line .kb-fault', '.say-line #room-news a'].map((x) => document.querySelector<HTMLElement>(x)!) as [HTMLElement, HTMLElement, HTMLElement]
        fault.textContent = `f9 ${'is refused: something is in the way that you do not see. '.repeat(6)}`
        const over = fault.getBoundingClientRect().right - line.getBoundingClientRect().right
        const [cut, stub] = [fault.scrollWidth > fault.clientWidth, offer.getBoundingClientRect().width]
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        const whole = document.getElementById('whole')!.textContent ?? ''
        fault.textContent = ''
        return { over: over > 0.5, cut, stub, whole: whole.slice(0, 13) }
      })
      assert.deepEqual(at, { over: false, cut: true, stub: 0, whole: 'f9 is refused' }, `${locale}, ${width}`)
    }
    await page.setViewportSize({ width: 375, height: 812 })
    await page.locator('.acts [data-act=hint]').tap()
    const hint = page.locator('#hint[data-level="1"]')
    await hint.waitFor()
    assert.ok(await hint.evaluate((e) => e.scrollWidth <= e.clientWidth), `${locale}: a hint is cut`)
    assert.equal(await offer.isVisible(), false)
    const t = await turn(page)
    await take(page, t, t.legal[0]!, 'touch') // the offer is there again
    await offer.waitFor()
    for (let n = 1; locale === 'en' && n <= 5; n++) {
      assert.equal(await page.locator('kibitz-board[rings]').count(), 1, `game ${n}`)
      await resign(page)
      if (n === 2) await says(page.locator('.card-acts [data-act=next]'), 'Try Mouse') // after two games that were lost
      const game = await page.locator('kibitz-board').getAttribute('game')
      await page.locator('.card-acts [data-act=rematch]').tap()
      await page.locator(`kibitz-board[game]:not([game="${game}"])`).waitFor()
      await page.reload()
      await turn(page)
      assert.equal(await offer.count(), 0, `game ${n + 1}`)
    }
    if (locale === 'en') {
      assert.equal(await page.locator('kibitz-board[rings]').count(), 0)
      const hidden = page.locator('kibitz-board[no-targets]')
      assert.equal(await hidden.count(), 1, 'where one may go is shown in the first five games')
      await page.locator('[data-act=more]').tap()
      await Promise.all([page.waitForResponse((r) => r.url().endsWith('/look')), page.locator('#more [data-act=targets]').tap()])
      await page.reload()
      await turn(page)
      assert.equal(await hidden.count(), 0, 'and always, once that was chosen')
    } else await offer.tap()
    if (locale !== 'en') await page.waitForURL('**/learn/surakarta')
    await c.close()
  }
})

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
  assert.match(await page.locator('[data-block="6"]').innerText(), /Cup.*3 entrants/s)
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
