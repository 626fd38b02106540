import assert from 'node:assert/strict'
import { test } from 'node:test'
import cs from '../words/lang/cs.json'
import type { KibitzBoard } from '../src/element.ts'
import { pointName, textName } from '../src/names.ts'
import { showHint } from '../src/pages/hints.ts'
import { carry, valueText } from '../src/pages/words.ts'
import { parseStep } from '../src/step.ts'
import type { Hint, View } from '../src/wire.ts'

test('an evaluation is written in its unit', () => {
  const real = Object.getOwnPropertyDescriptor(globalThis, 'document')
  Object.defineProperty(globalThis, 'document', { configurable: true, value: { documentElement: { lang: 'cs', dataset: { half: '0,5' } } } })
  try {
    for (const [said, decimals, want] of [
      [{ unit: 1, lo: 2.5, hi: 2.5 }, 1, '+2,5'], [{ unit: 2, lo: -3, hi: -3 }, 2, '-3'], [{ unit: 3, lo: 0.126, hi: 0.126 }, 1, '13 %'],
      [{ unit: 4, lo: 3, hi: 3 }, 1, '#3'], [{ unit: 4, lo: -2, hi: -2 }, 2, '#-2'], [{ depth: 4 }, 1, ''], [undefined, 1, ''],
    ] as const) assert.equal(valueText(said, decimals), want, JSON.stringify(said))
  } finally {
    if (real) Object.defineProperty(globalThis, 'document', real)
    else Reflect.deleteProperty(globalThis, 'document')
  }
})

test('a hint is in the language of the page, with what goes to no place of the board', () => {
  const line = { dataset: {} as Record<string, string>, textContent: '', title: '' }
  const real = Object.getOwnPropertyDescriptor(globalThis, 'document')
  Object.defineProperty(globalThis, 'document', { configurable: true, value: { getElementById: () => line, documentElement: { lang: 'cs', dataset: { half: '0,5' } } } })
  carry({ script: cs.script })
  const board = { advise: () => {}, voice: { say: () => {} } } as unknown as KibitzBoard
  const view = { columns: ['a', 'b'], rows: ['2', '1'], width: 2, pieces: '....' } as unknown as View
  try {
    for (const [hint, want] of [
      [{ level: 2, steps: ['-'] }, `Nejlepší: ${cs.script.pass}`],
      [{ level: 2, steps: ['c1'] }, `Nejlepší: ${cs.script.swap}`],
      [{ level: 4, steps: ['-'], lines: [{ unit: 3, lo: 0.5, hi: 0.5, line: ['-'] }, { unit: 4, lo: -2, hi: -2, line: ['p0,1'] }] }, `${cs.script.pass} 50 % · a1 #-2`],
    ] as const) {
      showHint(board, { prompt: 1, ...hint } as Hint, view, { textName, pointName, parseStep })
      assert.equal(line.textContent, want)
    }
  } finally {
    if (real) Object.defineProperty(globalThis, 'document', real)
    else Reflect.deleteProperty(globalThis, 'document')
  }
})
