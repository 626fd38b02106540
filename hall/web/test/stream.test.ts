// When a stream that broke is asked for again, and what is told of it.

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openStream, retryAfter } from '../src/stream.ts'

test('a stream is tried again after 0.5, 1, 2 and 4 seconds, then each 5 by a fifth more or less', () => {
  assert.deepEqual([0, 1, 2, 3].map((n) => retryAfter(n, 0.9)), [500, 1000, 2000, 4000])
  for (const n of [4, 5, 100]) assert.deepEqual([0, 0.5, 1].map((r) => retryAfter(n, r)), [4000, 5000, 6000])
})

/** An EventSource that opens and speaks when it is told to. */
class Source extends EventTarget {
  static latest: Source
  static made = 0
  onopen?: () => void
  onerror?: () => void
  readyState = 0
  constructor() {
    super()
    Source.latest = this
    Source.made++
  }

  close(): void { this.readyState = 2 }
  says(kind: string): void { this.dispatchEvent(Object.assign(new Event(kind), { data: '{}', lastEventId: '1' })) }
}

/** A browser under a clock of its own, which goes on by so many milliseconds. */
function browse(t: TestContext): { pass(ms: number): void; now(): number } {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const browser = { window: Object.assign(new EventTarget(), { setTimeout, clearTimeout }), document: new EventTarget(), navigator: { onLine: true }, EventSource: Source }
  for (const [name, value] of Object.entries(browser)) Object.defineProperty(globalThis, name, { value, configurable: true })
  t.after(() => { for (const name of Object.keys(browser)) Reflect.deleteProperty(globalThis, name) })
  return { pass: (ms) => { now += ms; t.mock.timers.tick(ms) }, now: () => now }
}

test('a stream that is heard again after it counted as lost is not lost any more', (t) => {
  const { pass } = browse(t)
  const told: boolean[] = []
  let late = false
  const s = openStream(() => '/events', {
    on: { change: () => undefined }, silence: 12_000,
    lost: (lost) => {
      told.push(lost)
      if (lost && late) Source.latest.says('beat') // it was on its way when the time was over
    },
  })
  Source.latest.onopen?.()
  for (const kind of ['beat', 'change']) {
    pass(11_000)
    Source.latest.says(kind)
  }
  assert.deepEqual(told, [false], 'nothing is told while it is heard')

  const first = Source.latest
  late = true
  pass(12_000)
  assert.deepEqual(told, [false, true, false])
  late = false
  pass(12_000)
  assert.deepEqual(told, [false, true, false, true])
  assert.notEqual(Source.latest, first, 'it is connected anew')
  Source.latest.onopen?.()
  assert.deepEqual(told, [false, true, false, true, false])
  s.close()
})

/** A stream whose silence is minded, and what it tells, with the second. */
function watched(t: TestContext) {
  const { pass, now } = browse(t)
  const told: string[] = []
  const tell = (what: string) => (on: boolean) => { if (on) told.push(`${what} after ${now() / 1000} s`) }
  Source.made = 0
  const s = openStream(() => '/', { on: {}, silence: 12_000, shaky: tell('shaky'), lost: tell('lost') })
  Source.latest.onopen?.()
  return { s, told, pass: (seconds: number) => { for (let n = 0; n < seconds * 10; n++) pass(100) } }
}

test('a hall that is silent is marked after 7 s, and counts as lost after 12, when it is asked anew', (t) => {
  const x = watched(t)
  for (let n = 0; n < 10; n++) {
    x.pass(2)
    Source.latest.says('beat')
  }
  x.pass(13)
  assert.deepEqual([x.told, Source.made], [['shaky after 27 s', 'lost after 32 s'], 2])
  x.s.close()
})

test('nothing is said of a connection that breaks for a moment, and at once when the network is gone', (t) => {
  const x = watched(t)
  Source.latest.onerror?.()
  for (const seconds of [0.5, 1, 2]) {
    x.pass(seconds)
    Source.latest.onerror?.()
  }
  assert.equal(Source.made, 4)
  x.pass(3.4)
  assert.deepEqual(x.told, [], 'it is tried again for 7 s')
  Source.latest.onopen?.()
  window.dispatchEvent(new Event('offline'))
  assert.deepEqual(x.told, ['lost after 6.9 s'])
  x.s.close()
})
