// Fingers on boards whose points are smaller than a finger: a stone is aimed at, seen, and
// placed by a second press.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { pointName } from '../src/names.ts'
import { boxOf, drawn } from './browser.ts'
import { fillRoom, openGuest, start } from './rooms.ts'
import { openVenue } from './venue.ts'
import { decidedSince, renewed, turn } from './visit.ts'

const venue = openVenue()

/** Numbers that are the same each time, 0 to 1. */
function chances(seed: number): () => number {
  let x = seed
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0
    return x / 2 ** 32
  }
}

interface At {
  readonly x: number
  readonly y: number
}

/** A page on which a person is on turn, what it has sent, and its fingers. */
async function sit(game: string, width: number, height: number, moves = ''): Promise<{ page: Page; sent: string[][]; cdp: CDPSession; points: At[]; names: string[] }> {
  const c = await venue.visit({ viewport: { width, height }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' })
  const page = await openGuest(c)
  if (moves) {
    await page.goto('/settings')
    await page.getByLabel('How a move is made').selectOption(moves)
    await renewed(page, () => page.getByRole('button', { name: 'Save' }).click())
    assert.equal(await page.getByLabel('How a move is made').inputValue(), moves)
  }
  const room = await fillRoom(page, game, ['person', 'bot=1'])
  await start(page, room)
  await page.goto(`/rooms/${room}`)
  const { view } = await turn(page)
  const sent: string[][] = []
  page.on('request', (r) => { if (r.url().endsWith('/moves')) sent.push((r.postDataJSON() as { steps: string[] }).steps) })
  const points = await page.evaluate((n) => Array.from({ length: n * n }, (_, i) => {
    const r = document.querySelector(`[data-spot="${i % n},${Math.floor(i / n)}"]`)!.getBoundingClientRect()
    return { x: r.x + r.width / 2, y: r.y + r.height / 2 }
  }), view.width)
  return { page, sent, cdp: await c.newCDPSession(page), points, names: points.map((_, i) => pointName(view, [i % view.width, Math.floor(i / view.width)])) }
}

const touch = (cdp: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', p?: At) =>
  cdp.send('Input.dispatchTouchEvent', { type, touchPoints: p ? [{ x: p.x, y: p.y }] : [] })

/** Both halves of a tap go out at once: what comes between them takes longer than they do. */
async function tap(cdp: CDPSession, p: At): Promise<void> {
  await Promise.all([touch(cdp, 'touchStart', p), touch(cdp, 'touchEnd')])
}

// Not every point is tried, and of the smaller ones fewer.
for (const [game, side, width, height, every] of [['connect6', 19, 390, 844, 3], ['connect6', 19, 360, 640, 6], ['gomoku', 15, 360, 640, 6]] as const) {
  test(`no point of ${side} x ${side} is taken by one tap beside it, at ${width}`, async () => {
    const { page, sent, cdp, points } = await sit(game, width, height)
    const chance = chances(width + side)
    const error = () => (chance() * 2 - 1) * 10
    const board = await boxOf(page.locator('.kb-picture'))
    const inside = (v: number, from: number, long: number) => Math.min(from + long - 2, Math.max(from + 2, v))
    // Each tap is far from the one before: near it would be the second press.
    const order = points.map((_, i) => (i * (side === 19 ? 140 : 98)) % points.length)
    assert.equal(new Set(order).size, points.length)
    let last: At | undefined
    const taps: Promise<void>[] = []
    for (const i of order.filter((_, n) => n % every === 0)) {
      const p = points[i]!
      const at = { x: inside(p.x + error(), board.x, board.width), y: inside(p.y + error(), board.y, board.height) }
      if (last && Math.hypot(at.x - last.x, at.y - last.y) < 50) continue
      taps.push(tap(cdp, at))
      if (taps.length % 20 === 0) await Promise.all(taps)
      last = at
    }
    await Promise.all(taps)
    await drawn(page)
    assert.ok(taps.length > points.length / every / 2)
    assert.deepEqual(sent, [])
    assert.equal(await page.locator('.kb-ghost.kb-pending').count(), 1, 'what was aimed at last is shown')
    await page.context().close()
  })
}

test('a tap beside a point of 15 x 15 at 390 plays that point', async () => {
  const { page, sent, cdp, points } = await sit('gomoku', 390, 844)
  const chance = chances(15)
  const want: string[][] = []
  for (let n = 0; n < 4; n++) {
    const t = await turn(page)
    const step = t.legal.filter((x) => x.op === 'place')[(n * 31) % 100]!
    const p = points[step.to![1] * 15 + step.to![0]]!
    await tap(cdp, { x: p.x + (chance() * 2 - 1) * 10, y: p.y + (chance() * 2 - 1) * 10 })
    want.push([step.text])
    await decidedSince(page, t.history)
  }
  assert.deepEqual(sent, want)
  await page.context().close()
})

test('a stone that was aimed at is moved by a point, taken away, and placed by a second press', async () => {
  const { page, sent, cdp, points, names } = await sit('connect6', 390, 844)
  const [k10, k9] = [names.indexOf('k10'), names.indexOf('k9')]
  const below = points[k9]!.y > points[k10]!.y
  await tap(cdp, points[k10]!)
  await page.getByRole('button', { name: 'Play k10' }).waitFor()
  assert.ok((await boxOf(page.getByRole('button', { name: 'Play k10' }))).height >= 44)
  await page.getByRole('button', { name: below ? 'One point down' : 'One point up' }).click()
  await page.getByRole('button', { name: 'Play k9' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.kb-ghost').waitFor({ state: 'detached' })
  assert.deepEqual(sent, [])

  await tap(cdp, points[k10]!)
  await page.getByRole('button', { name: 'Play k10' }).waitFor()
  await tap(cdp, { x: points[k10]!.x + 14, y: points[k10]!.y + 14 }) // another point, but near
  await decidedSince(page, 0)
  assert.deepEqual(sent, [[`p${k10 % 19},${Math.floor(k10 / 19)}`]])
  await page.context().close()
})

test('the loupe is on the screen at all corners, and goes when the finger does', async () => {
  for (const [width, height] of [[390, 844], [844, 390]] as const) {
    const { page, sent, cdp, points } = await sit('connect6', width, height)
    const loupe = page.locator('.kb-loupe')
    for (const i of [0, 18, 342, 360]) {
      await touch(cdp, 'touchStart', points[i])
      await loupe.waitFor()
      const r = await boxOf(loupe)
      assert.ok(r.x >= 0 && r.y >= 0 && r.x + r.width <= width && r.y + r.height <= height, JSON.stringify([i, r]))
      const p = points[i]!
      assert.ok(Math.hypot(r.x + 56 - p.x, r.y + 56 - p.y) > 56, 'the finger covers it')
      await touch(cdp, 'touchEnd')
      await loupe.waitFor({ state: 'hidden' })
    }
    assert.deepEqual(sent, [])
    await page.context().close()
  }
})

test('where points are larger a finger slides to one, and off the board it takes none', async () => {
  const { page, sent, cdp, points } = await sit('nogo', 320, 568)
  await touch(cdp, 'touchStart', points[0])
  await page.locator('.kb-loupe').waitFor()
  await touch(cdp, 'touchMove', { x: points[0]!.x, y: 5 })
  await touch(cdp, 'touchEnd')
  await drawn(page)
  assert.deepEqual(sent, [])
  await touch(cdp, 'touchStart', points[0])
  await touch(cdp, 'touchMove', points[10])
  await touch(cdp, 'touchEnd')
  await decidedSince(page, 0)
  assert.deepEqual(sent, [['p1,1']])
  await page.context().close()
})

test('who wants it so places with one tap on every board', async () => {
  const { page, sent, cdp, points } = await sit('connect6', 390, 844, 'press')
  await tap(cdp, points[180]!)
  await decidedSince(page, 0)
  assert.deepEqual(sent, [['p9,9']])
  await page.context().close()
})

test('who wants it so confirms every move, in the place of the acts', async () => {
  for (const [width, height] of [[390, 844], [1440, 900], [844, 390]] as const) {
    const { page, sent, points } = await sit('othello', width, height, 'confirm')
    const acts = page.locator('[data-part=acts]')
    const before = await boxOf(acts)
    const t = await turn(page)
    const step = t.legal[0]!
    const at = points[step.to![1] * 8 + step.to![0]]!
    const press = () => page.mouse.click(at.x, at.y)
    await press()
    const yes = acts.getByRole('button', { name: `Play ${pointName(t.view, step.to!)}` })
    await yes.waitFor()
    assert.deepEqual(await boxOf(acts), before, 'the row is where it was')
    assert.deepEqual(await acts.locator('button:visible').allInnerTexts(), [`Play ${pointName(t.view, step.to!)}`, '×'])
    assert.ok((await boxOf(yes)).height >= 44)
    await acts.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('[data-act=resign]').waitFor()
    assert.deepEqual(sent, [])
    await press()
    await yes.click()
    await decidedSince(page, 0)
    assert.deepEqual(sent, [[step.text]])
    await page.context().close()
  }
})

test('a tap on the board that decides nothing forgets that resigning was asked', async () => {
  const { page, cdp, points } = await sit('othello', 390, 844)
  await page.locator('.acts [data-act=resign]').tap()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur()) // as where a button that is tapped gets no focus
  await page.locator('[data-armed]').waitFor()
  await tap(cdp, points[0]!)
  await page.waitForFunction(() => !document.querySelector('[data-armed]'), undefined, { timeout: 1500 }) // by itself after 3 s
  await page.context().close()
})

test('a mouse places at once', async () => {
  const { page, sent, points } = await sit('connect6', 390, 844)
  await page.mouse.click(points[180]!.x, points[180]!.y)
  await decidedSince(page, 0)
  assert.equal(sent.length, 1)
  await page.context().close()
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
