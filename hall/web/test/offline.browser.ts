// Two people play, and one of them loses the connection: what both see, and what becomes of
// the move that waits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { until } from './browser.ts'
import { openLine, type Line } from './line.ts'
import { openVenue } from './venue.ts'
import { openPage, openRoom, post, seat, take, turn } from './visit.ts'

const venue = openVenue()

interface Pair {
  readonly bob: BrowserContext
  readonly a: Page
  readonly b: Page
  readonly line: Line
}

/** Two people begin a game, the second over a line that can be cut; the first has moved. */
async function meet(): Promise<Pair> {
  const line = await openLine(venue.hall.url)
  const [ann, bob] = [await venue.visit(), await venue.visit({ baseURL: line.url })]
  const [a, b] = [await openPage(ann), await openPage(bob)]
  const room = await openRoom(a, 'gomoku', { clock: '600' })
  await seat(a, b, room)
  await a.getByRole('button', { name: 'Start', exact: true }).click()
  const t = await turn(a)
  await take(a, t, t.legal[0]!, 'click')
  for (const x of [a, b]) await moves(x, 1)
  return { bob, a, b, line }
}

async function part({ a, b, line }: Pair): Promise<void> {
  await Promise.all([a.context().close(), b.context().close()])
  line.close()
}

/** Waits until a page shows so many moves. */
const moves = (p: Page, n: number) => p.waitForFunction((k) => document.querySelectorAll('#moves li').length === k, n)

const stand = (p: Page) => p.evaluate(() => {
  const s = document.querySelector<KibitzBoard>('kibitz-board')!.state!
  return { game: s.game, at: s.at, left: s.clocks!.map((c) => c.left), by: (s.history ?? []).map((e) => e.by) }
})

/** How far from each other two pages are in what they show of the clock of the second seat, in
 * whole seconds. They are not read at the same moment, so that only what stays apart is wrong. */
const apart = (pages: readonly Page[]) => until(async () => {
  const [a, b] = await Promise.all(pages.map(async (p) => {
    const [min, s] = (await p.locator('.bar-clock[data-clock="1"]').innerText()).replace('≈', '').split(':').map(Number)
    return min! * 60 + s!
  }))
  return Math.abs(a! - b!)
}, (x) => x <= 1)

/** Waits until something is said of the connection; what is said for 3 s stays there, hidden. */
const said = (p: Page, text: string) => p.locator('#connection').getByText(text, { exact: true }).waitFor({ state: 'attached' })

/** Notes from now on how a page's own connection is marked and what is said of it, in its order. */
const noted = async (p: Page): Promise<() => Promise<string[]>> => {
  await p.evaluate(() => {
    const [bar, words] = [document.querySelector<HTMLElement>('#bar-bottom')!, document.querySelector<HTMLElement>('#connection')!]
    const list: string[] = []
    Object.assign(window, { noted: list })
    new MutationObserver(() => {
      const now = [bar.dataset['here'] ?? 'no mark', words.hidden ? 'no words' : words.textContent].join(', ')
      if (list.at(-1) !== now) list.push(now)
    }).observe(document.querySelector('.room')!, { subtree: true, childList: true, characterData: true, attributes: true })
  })
  return () => p.evaluate(() => (window as unknown as { noted: string[] }).noted)
}

/** The boxes of what stands on the stage, and what the other's bar says. */
const boxes = (p: Page) => p.evaluate(() => [...document.querySelectorAll('.stage > [data-part]')].filter((e) => e.getClientRects().length > 0).map((e) => {
  const r = e.getBoundingClientRect()
  return [(e as HTMLElement).dataset['part'], r.x, r.y, r.width, r.height].join(' ')
}))

test('25 s without a connection: marks on both sides, the move waits and comes once, the clock is that of the hall', async () => {
  const p = await meet()
  const { a, b, line } = p
  const [own, other] = [b.locator('#bar-bottom'), a.locator('#bar-top')]
  await a.locator('#bar-top[data-here=here]').waitFor()
  const before = await stand(b)
  const [still, quiet] = [await boxes(b), await boxes(a)]
  const t = await turn(b)
  const seen = await noted(b)
  const began = Date.now()
  line.cut()
  const words = 'No connection. Your move will be sent when it is back.'
  await said(b, words)
  assert.deepEqual((await seen()).slice(-2), ['shaky, no words', `shaky, ${words}`], 'a mark, then words')
  assert.match(await own.locator('.bar-clock').innerText(), /^≈\d:\d\d$/)
  assert.equal(await b.locator('.kb-picture').evaluate((e) => getComputedStyle(e).opacity), '0.6')
  await take(b, t, t.legal[0]!, 'click')
  await b.locator('.kb-unsent').getByText('not sent').waitFor()
  await a.locator('#bar-top[data-here=away]').waitFor()
  assert.match(await other.locator('.bar-lag').innerText(), /^away \d:\d\d · game ends in \d+:\d\d$/)
  assert.ok(await other.locator('.bar-lag').isVisible(), 'the absence is hidden')
  assert.ok(await apart([a, b]) <= 1, 'both pages show another clock of who is away')
  const first = await other.locator('.bar-lag').innerText()
  assert.notEqual(await until(() => other.locator('.bar-lag').innerText(), (x) => x !== first), first, 'the time of absence stands')
  assert.deepEqual(await boxes(b), still, 'something has moved on the page without a connection')
  assert.deepEqual(await boxes(a), quiet, 'something has moved on the other page')
  await a.waitForTimeout(Math.max(0, 25_000 - (Date.now() - began)))
  assert.equal((await stand(a)).by.length, 1, 'the move cannot have come')
  line.mend()
  await said(b, 'Back. Your move was sent.')
  for (const x of [a, b]) await moves(x, 2)
  await a.locator('#bar-top[data-here=here]').waitFor()
  await b.locator('#connection').waitFor({ state: 'hidden' })
  await b.locator('#bar-bottom[data-here]').waitFor({ state: 'detached' })
  assert.equal(await b.locator('.kb-unsent').isVisible(), false)
  for (const x of [a, b]) {
    const now = await stand(x)
    assert.deepEqual(now.by, ['first', 'second'], 'exactly one move')
    const took = before.left[1]! - now.left[1]!
    assert.ok(Math.abs(took - (now.at - before.at)) < 5000 && took > 24_000, `the clock lost ${took} ms of ${now.at - before.at}`)
  }
  await part(p)
})

test('who is told that there is no network sees it at once; a move that the game has overtaken is dropped, and that is said', async () => {
  const p = await meet()
  const { a, b, bob } = p
  const t = await turn(b)
  const elsewhere = await venue.visit({ storageState: await bob.storageState() })
  const c = await openPage(elsewhere)
  await c.goto('/')
  await bob.setOffline(true)
  const words = 'No connection. Your move will be sent when it is back.'
  await said(b, words)
  await take(b, t, t.legal[0]!, 'click')
  await b.locator('.kb-unsent').getByText('not sent').waitFor()
  const { game } = await stand(a)
  const done = await post(c, `games/${game}/moves`, { prompt: 1, steps: [t.legal.at(-1)!.text] })
  assert.equal(done.status, 204)
  await moves(a, 2)
  await bob.setOffline(false)
  await said(b, 'The game went on; your move was not played.')
  for (const x of [a, b]) assert.deepEqual((await stand(x)).by, ['first', 'second'])
  await elsewhere.close()
  await part(p)
})

test('what is played in a moment without a connection is there after it, also when a tab is looked at again', async () => {
  const p = await meet()
  const { a, b, line } = p
  const t = await turn(b)
  await take(b, t, t.legal[0]!, 'click')
  await moves(a, 2)
  line.cut()
  const u = await turn(a)
  await take(a, u, u.legal[0]!, 'click')
  await moves(a, 3)
  await a.waitForTimeout(2000) // which the clock of who comes back must have lost
  line.mend()
  await moves(b, 3)
  assert.ok(await apart([a, b]) <= 1, 'both pages show another clock')
  const asked = b.waitForRequest((r) => /\/games\/[^/]+\/events$/.test(r.url()))
  await b.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const headers = await (await asked).allHeaders()
  assert.equal(headers['last-event-id'], undefined, 'a snapshot is asked for')
  const v = await turn(b)
  assert.equal(v.history, 3)
  await part(p)
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
