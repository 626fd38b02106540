// A renju player on a phone of 360 px: the choices of swap2 in words, two presses a stone, and
// no stone that was not aimed at.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import cs from '../words/lang/cs.json'
import en from '../words/lang/en.json'
import { boxOf, says } from './browser.ts'
import { fillRoom, openGuest, start } from './rooms.ts'
import { openVenue } from './venue.ts'
import { Presses } from './presses.ts'
import { ask, decidedSince, openPage, take, turn } from './visit.ts'

const venue = openVenue()

/** What swap2 lets one choose of. */
const choices = { en: ['Place two more stones', 'Play white', 'Take black'], cs: ['Hrát bílými', 'Položit další dva kameny', 'Vzít černé'] }

const stones = (p: Page) => p.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')!.state!.history?.length ?? 0)

/** Begins another game with the same opponent. */
async function rematch(p: Page): Promise<void> {
  const old = await p.evaluate(() => document.querySelector('kibitz-board')!.getAttribute('game'))
  await p.locator('#card [data-act=rematch]').click()
  await p.waitForFunction((id) => document.querySelector('kibitz-board')!.getAttribute('game') !== id, old)
}

test('renju with swap2 at 360 px: three choices in words, two presses a stone, none goes wrong', async () => {
  const c = await venue.visit({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true })
  const p = await openPage(c)
  const cdp = await c.newCDPSession(p)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  // Whoever comes is found with the same options.
  await p.goto('/')
  await p.locator('.tile[data-game=gomoku] .gear').tap()
  for (const [name, value] of [['with', 'anybody'], ['option.size', '15'], ['option.rule', 'renju'], ['option.opening', 'swap2']]) await p.locator(`#sheet label.chip:has([name="${name}"][value="${value}"])`).tap()
  await p.locator('#sheet [data-act=play]').tap()
  await p.waitForURL(/\/rooms\//)
  const { room } = await ask<{ room: { settings: { game: string } } }>(p, `rooms/${new URL(p.url()).pathname.slice('/rooms/'.length)}`)
  assert.match(room.settings.game, /^gomoku:(?=.*rule=renju)(?=.*opening=swap2)/)
  await p.locator('.acts').getByRole('button', { name: 'Cancel' }).tap()
  await p.waitForURL((u) => !u.pathname.startsWith('/rooms/'))
  await p.goto('/play/gomoku')
  for (const [name, value] of [['with', 'engine'], ['level', '1'], ['colour', 'second'], ['option.rule', 'renju'], ['option.opening', 'swap2']]) await p.locator(`label.chip:has([name="${name}"][value="${value}"])`).tap()
  await p.locator('[data-act=play]').tap()
  await p.waitForURL(/\/rooms\//)
  let placed = 0
  const meant: string[] = []
  /** The stones of a game are those that were meant, but for those of Mouse. */
  const whole = async () => {
    const all = await p.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')!.state!.history!.flatMap((e) => e.steps ?? []))
    assert.deepEqual(all.filter((x) => meant.includes(x)), meant.splice(0))
  }
  let at: { x: number; y: number }[] = []
  const spot = (to: readonly [number, number]) => at[to[1] * 15 + to[0]]!
  while (placed < 30) { // of sixty moves
    const t = await turn(p)
    if (t.result) { // Mouse can win in few moves
      await whole()
      await rematch(p)
      continue
    }
    if (t.legal[0]!.op === 'choose') {
      assert.deepEqual((await p.locator('.kb-buttons button').allInnerTexts()).sort(), choices.en)
      for (const e of await p.locator('.kb-buttons button').all()) assert.ok((await boxOf(e)).height >= 44)
      await p.getByRole('button', { name: 'Take black' }).tap()
      await decidedSince(p, t.history)
      continue
    }
    if (at.length === 0) at = await p.locator('.kb-spot').evaluateAll((list) => list.map((e) => { const r = e.getBoundingClientRect(); return { spot: e.getAttribute('data-spot')!.split(',').map(Number), x: r.x + r.width / 2, y: r.y + r.height / 2 } }).sort((a, b) => a.spot[1]! - b.spot[1]! || a.spot[0]! - b.spot[0]!))
    const step = t.legal[(placed * 37 + 11) % t.legal.length]!
    const { x, y } = spot(step.to!)
    if (placed === 1) { // one press too, which begins beside it and slides there
      const beside = spot([step.to![0] === 0 ? 1 : step.to![0] - 1, step.to![1]])
      await touch('touchStart', beside)
      await p.locator('.kb-loupe').waitFor()
      await touch('touchMove', { x, y })
      await p.waitForTimeout(200) // it rests: a finger that is quick until it is lifted has the browser take the next tap for the end of that
      await touch('touchMove', { x, y })
      await touch('touchEnd')
    } else await p.touchscreen.tap(x, y)
    const name = t.view.columns![step.to![0]]! + t.view.rows![step.to![1]]!
    const play = p.getByRole('button', { name: `Play ${name}`, exact: true })
    await play.waitFor()
    assert.equal(await stones(p), t.history, 'one press has made a move')
    assert.equal(await p.locator('.kb-ghost.kb-pending').count(), 1, 'what is aimed at is shown')
    if (placed === 0) { // four arrows, as large as a finger
      const nudges = await p.locator('.kb-nudge').evaluateAll((list) => list.map((e) => { const r = e.getBoundingClientRect(); return [r.width, r.height] }))
      assert.equal(nudges.filter(([w, h]) => w! >= 44 && h! >= 44).length, 4, JSON.stringify(nudges))
      assert.equal((await boxOf(play)).height, 48)
    }
    await play.tap()
    await decidedSince(p, t.history)
    meant.push(step.text)
    placed++
  }
  await whole()
  await c.close()
})

for (const [locale, way] of [['en', 'click'], ['en', 'keys'], ['cs', 'click'], ['cs', 'keys'], ['cs', 'touch']] as const) {
  const each = way === 'touch' ? 2 : 1
  test(`renju with swap2 at 360 px, ${locale}, by ${way}: presses a stone: ${each}`, async () => {
    const c = await venue.visit({ viewport: { width: 360, height: 640 }, locale, hasTouch: way === 'touch' })
    const p = await openPage(c)
    await p.goto('/play/gomoku')
    for (const [name, value] of [['level', '1'], ['colour', 'second'], ['option.rule', 'renju'], ['option.opening', 'swap2']]) await p.locator(`label.chip:has([name="${name}"][value="${value}"])`).click()
    await p.locator('[data-act=play]').click()
    await p.waitForURL(/\/rooms\//)
    assert.equal((await turn(p)).legal[0]!.op, 'choose')
    assert.deepEqual((await p.locator('.kb-buttons button').allInnerTexts()).sort(), choices[locale])
    const presses = new Presses(p, way)
    let placed = 0
    while (placed < 6) {
      const t = await turn(p)
      if (t.result) { // Mouse can win in four moves
        await rematch(p)
      } else if (t.legal[0]!.op === 'choose') {
        await take(p, t, t.legal[0]!, way)
        await decidedSince(p, t.history)
      } else {
        if (way === 'touch') { // the first press aims
          presses.count++
          await take(p, t, t.legal[0]!, way)
          await presses.press('.kb-buttons button:visible')
          await decidedSince(p, t.history)
        } else await presses.move()
        placed++
      }
    }
    assert.equal(presses.count, each * placed)
    await c.close()
  })
}

/** Three of Black's stones in a row and three in a column, which would be fours by one on h8; White's do no harm. */
const fours = ['p4,7', 'p0,0', 'p5,7', 'p4,14', 'p6,7', 'p14,0', 'p7,4', 'p14,14', 'p7,5', 'p0,14', 'p7,6', 'p9,14']

for (const [locale, way] of [['en', 'touch'], ['cs', 'keys'], ['cs', 'touch']] as const) { // who plays there loses
  const { board } = locale === 'cs' ? cs : en
  test(`renju at 360 px, a point that is forbidden is marked for Black alone and named, also before it is pressed twice: ${locale}, ${way}`, async () => {
    const c = await venue.visit({ viewport: { width: 360, height: 640 }, locale, hasTouch: way === 'touch' })
    const p = await openGuest(c)
    const room = await fillRoom(p, 'gomoku:rule=renju', ['person', 'bot=1'], { opening: fours })
    await start(p, room)
    await p.goto(`/rooms/${room}`)
    const t = await turn(p)
    assert.equal(await p.locator('.kb-barred').count(), 1)
    const why = (of: string) => board['spot.barred'].replace('{spot}', of).replace('{why}', board['foul.44'])
    assert.equal(await p.locator('.kb-spot[data-spot="7,7"]').getAttribute('aria-label'), why(board['spot.empty'].replace('{at}', 'h8')))
    await says(p.locator('.kb-notes'), new RegExp(`^${board['foul.44']}: h8`))
    if (way === 'touch') {
      await take(p, t, t.legal.find((s) => s.text === 'p7,7')!, way)
      await says(p.locator('.kb-fault'), why('h8'))
      assert.equal(await stones(p), t.history, 'one press has made a move')
    }
    // White may go there, and has no marks.
    const other = await fillRoom(p, 'gomoku:rule=renju', ['bot=1', 'person'], { opening: [...fours, 'p2,2'] })
    await start(p, other)
    await p.goto(`/rooms/${other}`)
    assert.ok((await turn(p)).legal.some((s) => s.text === 'p7,7'))
    assert.equal(await p.locator('.kb-barred').count(), 0)
    await c.close()
  })
}

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
