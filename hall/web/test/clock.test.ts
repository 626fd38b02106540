import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leftOf } from '../src/pages/clock.ts'

test('a budget that has run out is followed by the next one, and none falls while time is free', () => {
  const main = { left: 5000, total: 0, next: 30_000, more: 2, periods: 2 }
  for (const [clock, ran, left, periods = 0] of [
    [main, 4000, 1000], [main, 5000, 0], [main, 6000, 29_000, 2], [main, 35_500, 29_500, 1], [main, 66_000, -1000, 1],
    [{ ...main, stage: 1, more: 1, periods: 2 }, 1000, 4000, 2], [{ ...main, stage: 2, more: 0, periods: 0 }, 1000, 4000],
    [{ left: 10_000, total: 0 }, 12_000, -2000], [{ left: 10_000, total: 0, free: 3000 }, 2000, 10_000], [{ left: 10_000, total: 0, free: 3000 }, 5000, 8000],
  ] as const) assert.deepEqual(leftOf(clock, ran), { left, periods }, `${clock.left} after ${ran}`)
})
