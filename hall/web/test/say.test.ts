import assert from 'node:assert/strict'
import { test } from 'node:test'
import cs from '../words/lang/cs.json'
import en from '../words/lang/en.json'
import { resultText, spotTexts } from '../src/say.ts'
import { emptyBoard } from '../src/state.ts'
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

test('the line that was drawn last is called that, as other moves are', () => {
  const lines = [[0, 0, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0]]
  const texts = (marks: unknown) => {
    const view = { shape: 'dots', ground: 'paper', width: 3, height: 3, pieces: '.........', owners: '---------', colours: ['', ''], seat: 'first', lines, marks }
    return spotTexts(en.board, { ...emptyBoard, state: { for: 'public', spec: 'dotsandboxes', names: ['Ann', 'Bob'], view } as unknown as State })
  }
  const { sign, text } = texts([[0, 0], [0, 1]])
  const said = (x: number, line: '-' | '|') => text(`${x},0${line}`, [x, 0], line)
  assert.equal(said(0, '|'), en.board['spot.last'].replace('{spot}', texts(undefined).text('0,0|', [0, 0], '|')))
  for (const [x, line] of [[0, '-'], [1, '|'], [1, '-']] as const) assert.doesNotMatch(said(x, line), /last move/, `${x}${line}`)
  assert.notEqual(sign('0,0|', [0, 0], '|'), texts(undefined).sign('0,0|', [0, 0], '|'))
  assert.match(texts([[0, 0], [1, 0]]).text('0,0-', [0, 0], '-'), /last move/)
})
