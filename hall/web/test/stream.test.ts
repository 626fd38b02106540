// When a stream that broke is asked for again, and what is told of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStream, retryAfter } from '../src/stream.ts'

test('a stream is tried again after 0.5, 1, 2 and 4 seconds, then each 5 by a fifth more or less', () => {
  assert.deepEqual([0, 1, 2, 3].map((n) => retryAfter(n, 0.9)), [500, 1000, 2000, 4000])
  for (const n of [4, 5, 100]) assert.deepEqual([0, 0.5, 1].map((r) => retryAfter(n, r)), [4000, 5000, 6000])
})

/** An EventSource that opens and speaks when it is told to. */
class Source extends EventTarget {
  static latest: Source
  onopen?: () => void
  readyState = 0
  constructor() {
    super()
    Source.latest = this
  }

  close(): void { this.readyState = 2 }
  says(kind: string): void { this.dispatchEvent(Object.assign(new Event(kind), { data: '{}', lastEventId: '1' })) }
}

test('a stream that is heard again after it counted as lost is not lost any more', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const pass = (ms: number) => { now += ms; t.mock.timers.tick(ms) }
  const browser = { window: Object.assign(new EventTarget(), { setTimeout, clearTimeout }), document: new EventTarget(), navigator: { onLine: true }, EventSource: Source }
  for (const [name, value] of Object.entries(browser)) Object.defineProperty(globalThis, name, { value, configurable: true })
  t.after(() => { for (const name of Object.keys(browser)) Reflect.deleteProperty(globalThis, name) })

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
