// A child learns Surakarta: its rules in one press, a lesson of six steps, one press to a game in which pieces
// that can run have rings; and what lessons are offered to whoever plays a game for the first time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { parseStep } from '../src/step.ts'
import type { View } from '../src/wire.ts'
import cs from '../words/lang/cs.json'
import en from '../words/lang/en.json'
import { boxOf, drawn, says } from './browser.ts'
import { openVenue } from './venue.ts'
import { Presses } from './presses.ts'
import { decidedSince, openPage, phone, resign, take, turn, visits } from './visit.ts'

const venue = openVenue()

/** The first line of a lesson's step that is right, and one that is wrong; the rules may forbid where that ends. */
interface Node { readonly step?: string; readonly view?: View; readonly next?: readonly Node[]; readonly end?: boolean; readonly why?: string }
function line(n: Node, right: boolean): Node[] | undefined {
  for (const x of n.next ?? []) {
    const rest = x.end ? (x.why === undefined) === right && [] : line(x, right)
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
  const { board } = locale === 'cs' ? cs : en
  const mouse = board['level.1']
  test(`a child learns Surakarta: rules in one press, a lesson of six steps, one press to play, rings, a hint in one press, a loss, and one press to try again: ${locale}, ${how}`, async () => {
    const c = await venue.visit({ ...options, locale })
    const page = await openPage(c)
    await page.goto('/')
    const way = new Presses(page, how)
    await way.press('.tile[data-game=surakarta] .rules')
    await page.waitForURL('**/learn/surakarta')
    const steps = JSON.parse(await page.locator('#steps').textContent() ?? '') as { key: string; do: string; right: string; for: string; start: Node }[]
    assert.ok(steps.length <= 6)
    assert.ok(steps.filter((s) => line(s.start, false)).length >= 3, 'runs that are wrong, of which it is said why')
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
      const right = line(s.start, true)!
      await play(s, right)
      await says(page.locator('#said'), s.right)
      if (s === steps.at(-1)) assert.deepEqual([s.start.view, right.at(-1)!.view].map((v) => [...v!.owners].filter((x) => x === '1').length), [1, 0], 'the last piece is taken')
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
      await decidedSince(page, t.history)
    }
    assert.ok(seen > 0, 'no piece could run in 40 turns')
    await turn(page)
    const help = new Presses(page, how)
    await help.press('.acts [data-act=hint]')
    await page.locator('#hint[data-level="1"]').waitFor()
    assert.equal(help.count, 1)
    await resign(page)
    await page.locator('#card').waitFor()
    assert.equal(await page.locator('#card-said').innerText(), board['say.youlost'].replace('{score}', '').replace('{why}', board['why.resign']))
    assert.deepEqual(await page.locator('.card-acts button:visible, .card-acts a:visible').evaluateAll((list) => list.map((e) => (e as HTMLElement).dataset['act'])), ['rematch', 'review', 'new'])
    const again = new Presses(page, how)
    const game = await page.locator('kibitz-board').getAttribute('game')
    await again.press('#card [data-act=rematch]')
    await page.locator(`kibitz-board[game]:not([game="${game}"])`).waitFor()
    await turn(page)
    assert.equal(again.count, 1)
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

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
