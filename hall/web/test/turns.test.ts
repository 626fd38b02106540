import assert from 'node:assert/strict'
import { test } from 'node:test'
import { script as czech } from '../words/lang/cs.json'
import { script as english } from '../words/lang/en.json'
import { script as chinese } from '../words/lang/zh-Hans.json'
import { textName } from '../src/names.ts'
import { entryName } from '../src/pages/moves.ts'
import { mainLine, Tree } from '../src/pages/tree.ts'
import { carry } from '../src/pages/words.ts'
import { turnAfter, turnsOf } from '../src/turns.ts'
import type { Entry, ReplayStep, View } from '../src/wire.ts'

const view: View = { seat: 'first', colours: ['black', 'white'], shape: 'cells', ground: 'table', width: 4, height: 8, pieces: '', owners: '', columns: ['a', 'b', 'c', 'd'], rows: ['8', '7', '6', '5', '4', '3', '2', '1'] }

test('a turn is one entry, whether its decisions came one by one or together', () => {
  const person: Entry[] = [{ by: 'first', steps: ['s0,0>0,1'], used: 2000 }, { by: 'first', steps: ['x0,2'], used: 1000, ended: true }, { by: 'second', steps: ['s3,0>3,1'] }]
  const engine: Entry[] = [{ by: 'first', steps: ['s0,0>0,1', 'x0,2'], used: 3000, ended: true }, { by: 'second', steps: ['s3,0>3,1', 'x3,2'], ended: true }]
  const [a, b] = [turnsOf(person), turnsOf(engine)]
  assert.deepEqual(a.map((t) => [t.number, t.by, t.after, t.used]), [[1, 'first', 2, 3000], [2, 'second', 3, 0]])
  assert.deepEqual(b.map((t) => [t.number, t.by, t.after, t.used]), [[1, 'first', 2, 3000], [2, 'second', 4, 0]])
  const name = (t: { entries: readonly Entry[] }) => t.entries.map((e) => entryName(view, e)).join(' ')
  assert.equal(name(a[0]!), 'a8-a7 /a6')
  assert.equal(name(a[0]!), name(b[0]!))
  assert.deepEqual([0, 1, 2, 3, 4].map((n) => turnAfter(b, n)), [0, 0, 1, 1, 2])
})

test('what is turned over belongs to its flip, and is named as in records', () => {
  const turns = turnsOf([{ by: 'first', steps: ['f1,1', 'd1,1:2'], ended: true }, { by: 'second', steps: ['s0,0>0,1'], ended: true }])
  assert.equal(turns.length, 2)
  assert.equal(entryName(view, turns[0]!.entries[0]!), 'b7-b7 b7(M)')
  assert.equal(textName(view, 'd0,0:13'), 'a8(p)')
})

test('attempts that did not stand belong to the turn, and what others hear is not said twice', () => {
  const own: Entry[] = [
    { by: 'first', refused: true, notices: [{ kind: 'refused', by: 'first', move: 'p0,0' }] },
    { by: 'first', ended: true, notices: [{ kind: 'played', by: 'first', move: 'p1,1' }, { kind: 'moved', by: 'first' }] },
    { by: 'second', ended: true, notices: [{ kind: 'moved', by: 'second' }] },
  ]
  const turns = turnsOf(own)
  assert.deepEqual(turns.map((t) => t.after), [1, 2])
  assert.deepEqual(turns[0]!.entries.map((e) => entryName(view, e)), ['a8?', 'b7'])
})

test('what is no place of a board is listed in the language of the page', () => {
  for (const [words, want] of [[english, 'stay swap two pass h1?'], [czech, 'bez výměny výměna dva kameny pas h1?'], [chinese, '不换 交换 再下两子 虚手 h1?']] as const) {
    carry({ script: words })
    const board: View = { ...view, width: 8, columns: [...'abcdefgh'] }
    const list = (v: View) => ['c0', 'c1', 'c2', '-'].map((step) => entryName(v, { by: 'first', steps: [step] })).concat(entryName(v, { by: 'first', steps: ['p7,7'], refused: true })).join(' ')
    assert.equal(list(board), want)
  }
})

test('nodes of a game know their turn, in variations too', () => {
  const steps: ReplayStep[] = [{ by: 'first', steps: ['a'], name: 'a' }, { by: 'first', steps: ['b'], name: 'b', ended: true }, { by: 'second', steps: ['c'], name: 'c', ended: true }]
  const t = new Tree([view, view, view, view], steps)
  assert.deepEqual(mainLine(t).map((n) => n.turn), [1, 1, 2])
  const x = t.add(mainLine(t)[0]!, { by: 'first', steps: ['x'], name: 'x', ended: true }, view)
  assert.deepEqual([x.turn, t.add(x, { by: 'second', steps: ['y'], name: 'y' }, view).turn], [1, 2])
})
