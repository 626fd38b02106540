import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOf } from '../src/pages/gauge.ts'

test('an evaluation is a share of the first seat, whatever its unit and whoever says it', () => {
  for (const [said, by, want] of [
    [{ unit: 1, lo: 0, hi: 0 }, 'first', 0.5], [{ unit: 1, lo: 5, hi: 5 }, 'first', 0.75], [{ unit: 1, lo: 5, hi: 5 }, 'second', 0.25], [{ unit: 1, lo: -5 }, 'second', 0.75],
    [{ unit: 3, lo: 0.6, hi: 0.6 }, 'first', 0.6], [{ unit: 3, lo: 0.6, hi: 0.6 }, 'second', 0.4],
    [{ unit: 4, lo: 3, hi: 3 }, 'first', 1], [{ unit: 4, lo: -3, hi: -3 }, 'first', 0], [{ unit: 4, lo: 3, hi: 3 }, 'second', 0],
    [{ depth: 5 }, 'first', undefined], [undefined, 'first', undefined],
  ] as const) {
    const got = shareOf(said, by)
    assert.ok(want === undefined ? got === undefined : Math.abs((got ?? NaN) - want) < 1e-9, `${JSON.stringify(said)} ${by}: ${got}`)
  }
})
