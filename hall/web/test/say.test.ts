import assert from 'node:assert/strict'
import { test } from 'node:test'
import cs from '../words/lang/cs.json'
import { resultText } from '../src/say.ts'
import type { State } from '../src/wire.ts'

test('a score has the sign for decimals of the page', () => {
  const real = Object.getOwnPropertyDescriptor(globalThis, 'document')
  try {
    for (const [half, want] of [['0,5', '15,5–6'], ['0.5', '15.5–6'], [undefined, '15.5–6']] as const) {
      Object.defineProperty(globalThis, 'document', { configurable: true, value: { documentElement: { dataset: { half } } } })
      const state = { for: 'second', names: ['Ann', 'Bob'], result: { points: [0, 1], board: [6, 15.5], reason: 'score' } } as unknown as State
      assert.equal(resultText(cs.board, state), cs.board['say.youwon'].replace('{score}', ` ${want}`).replace('{why}', cs.board['why.score']))
    }
  } finally {
    if (real) Object.defineProperty(globalThis, 'document', real)
    else Reflect.deleteProperty(globalThis, 'document')
  }
})
