import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOf, home, mainLine, movesTo, next, remember, Tree, variations, walk, walkTurns } from '../src/pages/tree.ts'
import type { ReplayStep, View } from '../src/wire.ts'

const view = (name: string): View => ({ seat: 'first', colours: ['black', 'white'], shape: 'cells', ground: 'table', width: 1, height: 1, pieces: '.', owners: '-', notes: [{ code: 'ko', text: name }] })
const step = (text: string): ReplayStep => ({ by: 'first', steps: [text], name: text.toUpperCase(), ended: true })
const tree = () => new Tree(['0', '1', '2', '3'].map(view), ['a', 'b', 'c'].map(step))
const names = (t: Tree) => variations0(t).map((r) => `${r.depth}:${r.nodes.map((n) => n.step?.name).join('')}`)
const variations0 = (t: Tree) => [t.root, ...mainLine(t)].flatMap((n) => variations(n))

test('a record is a line, and variations stand beside it', () => {
  const t = tree()
  const [a, b] = mainLine(t)
  assert.equal(mainLine(t).length, 3)
  const x = t.add(a!, step('x'), view('x'))
  const y = t.add(x, step('y'), view('y'))
  const z = t.add(x, step('z'), view('z'))
  assert.equal(t.add(a!, step('x'), view('again')), x, 'the same decision is the same position')
  assert.equal(t.add(t.root, step('a'), view('again')), a)
  assert.deepEqual(names(t), ['1:XY', '2:Z'])
  assert.deepEqual(movesTo(z), ['a', 'x', 'z'])
  assert.equal(z.ply, 3)
  assert.equal(home(y), a)
  assert.equal(home(b!), b)
})

test('going back and on stays in the line that was looked at', () => {
  const t = tree()
  const [a, b, c] = mainLine(t)
  const x = t.add(a!, step('x'), view('x'))
  const y = t.add(x, step('y'), view('y'))
  remember(y)
  assert.equal(walk(y, -3), t.root)
  assert.equal(walk(t.root, 2), x)
  assert.equal(endOf(t.root), y)
  assert.equal(walk(t.root, 99), y)
  remember(c!)
  assert.equal(next(a!), b)
  assert.equal(endOf(x), y)
})

test('variations are put forward and removed, what was recorded is not', () => {
  const t = tree()
  const a = mainLine(t)[0]!
  const x = t.add(a, step('x'), view('x'))
  const y = t.add(a, step('y'), view('y'))
  const z = t.add(y, step('z'), view('z'))
  assert.deepEqual([x, y, z, a].map((n) => t.promotable(n)), [false, true, true, false])
  assert.equal(t.promote(z), true, 'the line of a node goes before the one above')
  assert.deepEqual(names(t), ['1:YZ', '1:X'])
  assert.equal(t.promote(y), false, 'never before the record')
  remember(z)
  assert.equal(t.remove(y), a)
  assert.equal(next(a), mainLine(t)[1])
  assert.equal(t.remove(a), a)
  assert.deepEqual(names(t), ['1:X'])
})

test('a board without a record has no line that stands first for ever', () => {
  const t = new Tree([view('0')], [])
  const x = t.add(t.root, step('x'), view('x'))
  const y = t.add(t.root, step('y'), view('y'))
  assert.equal(t.promote(y), true)
  assert.deepEqual(mainLine(t), [y])
  assert.deepEqual(names(t), ['1:X'])
  assert.equal(t.remove(x), t.root)
})

test('arrows go by turns, whose parts are steps of their own', () => {
  const part = (text: string, ended: boolean): ReplayStep => ({ by: 'first', steps: [text], name: text, ended })
  const t = new Tree(['0', '1', '2', '3', '4', '5'].map(view), [part('a', false), part('b', true), part('c', true), part('d', false), part('e', false)])
  const at = (n: number) => walk(t.root, n)
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((n) => walkTurns(at(n), 1).ply), [2, 2, 3, 5, 5, 5])
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((n) => walkTurns(at(n), -1).ply), [0, 0, 0, 2, 3, 3])
  assert.equal(walkTurns(t.root, 10).ply, 5)
  assert.equal(walkTurns(at(5), -2).ply, 2)
})
