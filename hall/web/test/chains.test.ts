import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxesClosed } from '../src/boxes.ts'
import { chains } from '../src/draw/chains.ts'
import { rowsOf } from '../src/draw/marks.ts'
import type { Line, View } from '../src/wire.ts'

const view = (lines: readonly Line[]): View => ({ shape: 'dots', ground: 'paper', width: 4, height: 3, pieces: '.'.repeat(12), owners: '-'.repeat(12), seat: 'first', colours: ['black', 'white'], lines })

test('chains of boxes are found, and where they end', () => {
  assert.deepEqual(chains(view([])), [])
  const corridor: Line[] = [[0, 0, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [2, 1, 0, 0]]
  assert.deepEqual(chains(view(corridor)), [[[0, 0], [1, 0], [2, 0]]])
  assert.deepEqual(chains(view([...corridor, [1, 0, 1, 0]])).map((c) => c.length), [1, 2], 'a line between two boxes parts them')
  assert.deepEqual(chains(view([[0, 0, 0, 0], [0, 0, 1, 1], [1, 0, 1, 1], [0, 1, 0, 0]])), [], 'a box that is taken is in no chain')
})

test('a list of moves counts the boxes that each turn closes', () => {
  const entry = (...steps: string[]) => ({ by: 'first' as const, steps })
  // The upper line of the first box was there before the game.
  const lines: Line[] = [[0, 0, 0, -1], [0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0], [1, 1, 0, 0], [2, 0, 1, 0], [1, 0, 1, 1], [2, 1, 0, 1]]
  const history = [entry('e0,0:1'), entry('e0,1:0'), entry('e1,0:0', 'e1,1:0'), { ...entry('e1,0:1'), refused: true }, entry('e2,0:1'), entry('e1,0:1'), entry('e2,1:0')]
  assert.deepEqual(boxesClosed(view(lines), history), [0, 0, 0, 0, 0, 2, 0])
  assert.deepEqual(boxesClosed({ ...view(lines), shape: 'cells' }, history.slice(0, 2)), [0, 0])
})

test('rows of five and more are found in any direction', () => {
  assert.deepEqual(rowsOf([[0, 4], [1, 3], [2, 2], [3, 1], [4, 0]]), [[[0, 4], [4, 0]]])
  assert.deepEqual(rowsOf([[0, 0], [1, 0], [2, 0], [3, 0]]), [])
})
