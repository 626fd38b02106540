import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FarClock } from '../src/pages/farclock.ts'

test('a clock elsewhere is known by what came soonest, whatever comes late', (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const far = new FarClock()
  // said there, here it comes, whether it is sure; when here it was 100 000 there
  for (const [at, came, sure, want] of [
    [90_000, 4000, false, 14_000], // a snapshot that is older than it looks
    [99_000, 5000, false, 6000], // what a hall says behind it
    [101_000, 8000, true, 7000], // a move
    [103_000, 9050, true, 6050], // one that came quicker
    [105_000, 15_000, true, 6050], // one that came four seconds late
    [99_000, 16_000, false, 6050],
  ] as const) {
    now = came
    far.hear(at, sure)
    assert.equal(far.here(100_000), want, `${at} came at ${came}`)
  }
})
