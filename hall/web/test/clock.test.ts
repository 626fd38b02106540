import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseOf } from '../src/pages/clock.ts'

test('what clocks begin with', () => {
  for (const [control, ms] of [
    ['300+3', 300_000], ['600', 600_000], ['0+8', 8000], ['0.5+0.1', 500], ['0+0', 0], ['60+', 60_000],
    ['inf', undefined], ['', undefined], ['3x10', undefined],
  ] as const) assert.equal(baseOf(control), ms, control)
})
