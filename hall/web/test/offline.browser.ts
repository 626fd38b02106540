// Two people play, and one of them loses the connection: what both see, and what becomes of
// the move that waits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import cs from '../words/lang/cs.json'
import { until } from './browser.ts'
import { openLine, type Line } from './line.ts'
import { Presses } from './presses.ts'
import { openGuest, together } from './rooms.ts'
import { openVenue } from './venue.ts'
import { openPage, post, take, turn, waysIn, type Way } from './visit.ts'

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
  const [a, b] = [await openGuest(ann), await openGuest(bob)]
  await together(a, b, 'gomoku', { clocks: ['600', '600'], undo: false, lines: false })
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
const said = async (p: Page, text: string) => {
  const words = p.locator('#connection')
  await words.getByText(text, { exact: true }).waitFor({ state: 'attached' }).catch(async (e: Error) => assert.fail(`${e.message}: it says ${await words.textContent()}`))
}

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

interface Loss { offline: number; said: number }

/** Notes from now on, by the page's own clock, when it is told that it has no network and when it
 * says that it has no connection: whoever asks it hears that late where much else runs. */
const timed = async (p: Page): Promise<() => Promise<Loss>> => {
  await p.evaluate(() => {
    const room = document.querySelector('.room')!
    const loss: Loss = { offline: 0, said: 0 }
    Object.assign(window, { loss })
    window.addEventListener('offline', () => { loss.offline ||= Date.now() }, { capture: true })
    new MutationObserver(() => { if (room.matches('.lost')) loss.said ||= Date.now() }).observe(room, { attributes: true })
  })
  return () => p.evaluate(() => (window as unknown as { loss: Loss }).loss)
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
  await b.locator('.kb-unsent').waitFor({ state: 'hidden' })
  for (const x of [a, b]) {
    const now = await stand(x)
    assert.deepEqual(now.by, ['first', 'second'], 'exactly one move')
    const took = before.left[1]! - now.left[1]! // a hall that is held up itself holds clocks meanwhile
    assert.ok(Math.abs(took - (now.at - before.at)) < 5000 && took > 20_000, `the clock lost ${took} ms of ${now.at - before.at}`)
  }
  await part(p)
})

test('who is told that there is no network sees it at once; a move that the game has overtaken is dropped, and that is said', async () => {
  const p = await meet()
  const { a, b, bob } = p
  const t = await turn(b)
  const elsewhere = await venue.visit({ storageState: await bob.storageState() })
  const c = await openPage(elsewhere)
  await bob.setOffline(true)
  const words = 'No connection. Your move will be sent when it is back.'
  await said(b, words)
  await a.context().setOffline(true) // whose turn it is not
  await said(a, 'No connection. It is tried again and again.')
  await a.context().setOffline(false)
  await take(b, t, t.legal[0]!, 'click')
  await b.locator('.kb-unsent').getByText('not sent').waitFor()
  const { game } = await stand(a)
  const done = await post(c, `games/${game}/moves`, { prompt: 1, steps: [t.legal.at(-1)!.text] })
  assert.equal(done.status, 204)
  await moves(a, 2)
  await bob.setOffline(false)
  await said(b, 'The game went on; your move was not played.')
  await moves(b, 2)
  for (const x of [a, b]) assert.deepEqual((await stand(x)).by, ['first', 'second'])
  await elsewhere.close()
  await part(p)
})

test('what is pressed beside moves without a connection waits, as is said, and comes in its order', async () => {
  const p = await ride({})
  const { a, b, bob } = p
  const t = await turn(b)
  await take(b, t, t.legal[0]!, 'click')
  await moves(a, 2)
  const sent: string[] = []
  b.on('response', (r) => { if (r.url().endsWith('/acts')) sent.push((r.request().postDataJSON() as { act: string }).act) })
  await bob.setOffline(true)
  await b.locator('.room.lost').waitFor()
  await b.locator('.acts > [data-act=draw]').click()
  await said(b, 'No connection. What you pressed will be sent when it is back.')
  await b.locator('.acts > [data-act=undo]').click()
  await bob.setOffline(false)
  await a.locator('#offer-text').getByText(/asks to take back/).waitFor()
  assert.deepEqual(await until(async () => sent, (x) => x.length > 1), ['draw', 'undo'])
  await part(p)
})

test('what is played in a moment without a connection is there after it, also when a tab is looked at again', async () => {
  const p = await meet()
  const { a, b, line } = p
  const t = await turn(b)
  await take(b, t, t.legal[0]!, 'click')
  await moves(a, 2)
  await b.emulateMedia({ reducedMotion: 'no-preference' })
  await b.evaluate(() => {
    const animate = Element.prototype.animate
    Object.assign(window, { landed: 0 })
    Element.prototype.animate = function (...of) {
      if (this.matches('.kb-body')) (window as unknown as { landed: number }).landed++
      return animate.apply(this, of)
    }
  })
  line.cut()
  const u = await turn(a)
  await take(a, u, u.legal[0]!, 'click')
  await moves(a, 3)
  await a.waitForTimeout(2000) // which the clock of who comes back must have lost
  line.mend()
  await moves(b, 3)
  assert.ok(await apart([a, b]) <= 1, 'both pages show another clock')
  assert.equal(await b.evaluate(() => (window as unknown as { landed: number }).landed), 1, 'what was missed is not animated')
  const asked = b.waitForRequest((r) => /\/games\/[^/]+\/events$/.test(r.url()))
  await b.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const headers = await (await asked).allHeaders()
  assert.equal(headers['last-event-id'], undefined, 'a snapshot is asked for')
  const v = await turn(b)
  assert.equal(v.history, 3)
  await part(p)
})

/** Two people play without a form between them, the second of whom has a line of his own. */
async function ride(options: BrowserContextOptions): Promise<Pair> {
  const line = await openLine(venue.hall.url)
  const [ann, bob] = [await venue.visit(options), await venue.visit({ ...options, baseURL: line.url })]
  const [a, b] = [await openGuest(ann), await openGuest(bob)]
  await together(a, b, 'gomoku', { clocks: ['300+3', '300+3'] })
  const t = await turn(a)
  await take(a, t, t.legal[0]!, 'click')
  for (const x of [a, b]) await moves(x, 1)
  return { bob, a, b, line }
}

type Ride = readonly [string, Way, BrowserContextOptions, Readonly<Record<'lost' | 'unsent' | 'sent', string>>, RegExp]

const screens = {
  click: { viewport: { width: 1440, height: 900 } }, touch: { viewport: { width: 390, height: 844 }, hasTouch: true }, keys: { viewport: { width: 1280, height: 720 } },
}

const rides: readonly Ride[] = ([
  ['en', { lost: 'No connection. Your move will be sent when it is back.', unsent: 'not sent', sent: 'Back. Your move was sent.' }, /^away (\d+):(\d\d)/],
  ['cs', { lost: cs.script.lost, unsent: cs.board.notsent, sent: cs.script['back.sent'] }, /^pryč (\d+):(\d\d)/],
] as const).flatMap(([locale, words, away]) => waysIn(locale).map((way) => [locale, way, screens[way], words, away] as const))

/** A connection is lost for 40 s: no press is needed for that. */
async function tunnel([locale, way, options, words, away]: Ride): Promise<void> {
  const p = await ride({ ...options, locale })
  const { a, b, bob, line } = p
  const before = await stand(b)
  const t = await turn(b)
  const loss = await timed(b)
  const entered = Date.now()
  line.hush()
  if (way === 'touch') await bob.setOffline(true) // this device knows that it has no network
  await said(b, words.lost)
  const at = await loss()
  const took = at.said - (way === 'touch' ? at.offline : entered)
  assert.ok(took < (way === 'touch' ? 3000 : 15_000), `the mark came after ${took} ms`)
  const presses = new Presses(b, way)
  presses.count++
  await take(b, t, t.legal[0]!, way)
  await b.locator('.kb-unsent').getByText(words.unsent).waitFor()
  await b.waitForTimeout(Math.max(0, 40_000 - (Date.now() - entered)))
  const lag = await until(async () => {
    const text = await a.locator('#bar-top .bar-lag').innerText()
    const [, min, s] = away.exec(text) ?? []
    return { text, seconds: Number(min) * 60 + Number(s), most: (Date.now() - entered) / 1000 }
  }, (x) => x.seconds >= 20)
  assert.ok(lag.seconds >= 20 && lag.seconds <= lag.most + 1, `the other sees how long: ${JSON.stringify(lag)}`)
  assert.equal((await stand(a)).by.length, 1, 'the move cannot have come')
  line.mend()
  if (way === 'touch') await bob.setOffline(false)
  await said(b, words.sent)
  for (const x of [a, b]) await moves(x, 2)
  for (const x of [a, b]) {
    const now = await stand(x)
    assert.deepEqual([now.game, now.by], [before.game, ['first', 'second']], 'exactly one move')
    const lost = before.left[1]! + 3000 - now.left[1]!
    assert.ok(lost > 35_000 && Math.abs(lost - (now.at - before.at)) < 5000, `the clock lost ${lost} ms of ${now.at - before.at}`)
  }
  const u = await turn(a)
  await take(a, u, u.legal[0]!, way)
  await moves(b, 3)
  await presses.move() // the game goes on, and only moves were pressed
  assert.equal(presses.count, 2)
  await part(p)
}

/** A page sleeps for two minutes: it then shows the game as it is, and says nothing false. */
async function sleep(): Promise<void> {
  const p = await ride({})
  const { a, b } = p
  const t = await turn(b)
  await take(b, t, t.legal[0]!, 'click')
  for (const x of [a, b]) await moves(x, 2)
  const seen = await noted(b)
  const device = await b.context().newCDPSession(b)
  await device.send('Page.setWebLifecycleState', { state: 'frozen' }) // as a phone does with pages that nobody looks at
  const slept = Date.now()
  const u = await turn(a)
  await take(a, u, u.legal[0]!, 'click')
  await moves(a, 3)
  await a.waitForTimeout(Math.max(0, 120_000 - (Date.now() - slept)))
  await device.send('Page.setWebLifecycleState', { state: 'active' })
  await moves(b, 3)
  assert.ok(await apart([a, b]) <= 1, 'both pages show another clock')
  assert.match(await b.title(), /^● Your turn/)
  const v = await turn(b)
  await take(b, v, v.legal[0]!, 'click')
  for (const x of [a, b]) await moves(x, 4)
  assert.deepEqual((await seen()).filter((x) => /no connection/i.test(x)), [], 'it says that there was none')
  await part(p)
}

test('who goes away comes back to the game as it is', { concurrency: true }, async (t) => {
  const slept = t.test('after two minutes in which the page slept', sleep)
  for (const locale of ['en', 'cs']) { // at a time
    await Promise.all(rides.filter((r) => r[0] === locale).map((r) => t.test(`after a tunnel of 40 s, by no press: ${r[0]}, ${r[1]}`, () => tunnel(r))))
  }
  await slept
})

for (const how of ['SIGTERM', 'SIGKILL'] as const) {
  test(`a hall that ends by ${how} and is back: the pages stay, the move comes once, the game is the same`, async () => {
    const p = await ride({})
    const { a, b } = p
    const before = await stand(b)
    const addresses = [a.url(), b.url()]
    const t = await turn(b)
    const seen = (async () => {
      for (const x of [a, b]) await x.locator('.room.lost').waitFor()
      await take(b, t, t.legal[0]!, 'click')
      await b.locator('.kb-unsent').getByText('not sent').waitFor()
    })()
    // It is away at least until all that was seen and done without it.
    const back = venue.hall.restart(how, Promise.allSettled([seen, a.waitForTimeout(16_000)]))
    await seen
    await back
    await said(b, 'Back. Your move was sent.')
    for (const x of [a, b]) {
      await moves(x, 2)
      await x.locator('.room.lost').waitFor({ state: 'detached' })
    }
    const u = await turn(a)
    await take(a, u, u.legal[0]!, 'click')
    for (const x of [a, b]) await moves(x, 3)
    for (const x of [a, b]) {
      const now = await stand(x)
      assert.deepEqual([now.game, now.by], [before.game, ['first', 'second', 'first']])
      assert.ok(now.left[1]! <= before.left[1]! + 3000 && now.left[1]! > before.left[1]! - 30_000, `${now.left[1]} ms of ${before.left[1]} are left`)
    }
    assert.deepEqual([a.url(), b.url()], addresses)
    await part(p)
  })
}

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
