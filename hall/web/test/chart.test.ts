import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepOf, ticksOf } from '../src/pages/chart.ts'

test('scales go in steps of 1, 2 and 5', () => {
  for (const [span, most, want] of [[10, 5, 2], [10, 10, 1], [12, 5, 5], [0.7, 5, 0.2], [64, 6, 20], [1, 6, 0.2], [3000, 5, 1000]] as const) {
    assert.ok(Math.abs(stepOf(span, most) - want) < 1e-12, `${span} in ${most}: ${stepOf(span, most)}`)
    assert.ok(span / stepOf(span, most) <= most)
  }
})

test('the lines of a scale lie within it and are named alike', () => {
  const real = Object.getOwnPropertyDescriptor(globalThis, 'document')
  try {
    for (const [half, want] of [['0.5', ['-0.2', '0.0', '0.2', '0.4']], ['0,5', ['-0,2', '0,0', '0,2', '0,4']]] as const) {
      Object.defineProperty(globalThis, 'document', { configurable: true, value: { documentElement: { dataset: { half } } } })
      assert.deepEqual(ticksOf(-0.3, 0.5, 0.2).map(([, text]) => text), want)
    }
    assert.deepEqual(ticksOf(1, 60, 20).map(([, text]) => text), ['20', '40', '60'])
  } finally {
    if (real) Object.defineProperty(globalThis, 'document', real)
    else Reflect.deleteProperty(globalThis, 'document')
  }
})

test('the lines of a scale are its multiples', () => {
  Object.defineProperty(globalThis, 'document', { configurable: true, value: { documentElement: { dataset: {} } } })
  assert.deepEqual(ticksOf(-1500, 900, 500).map(([v]) => v), [-1500, -1000, -500, 0, 500])
  Reflect.deleteProperty(globalThis, 'document')
})
