import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hit, layoutOf, middle, middleOf, rowsOfSpots, UNIT } from '../src/layout.ts'
import { parseSpot, parseStep, target } from '../src/step.ts'
import type { View } from '../src/wire.ts'

const view = (shape: View['shape']): View => ({ shape, ground: 'wood', width: 4, height: 6, pieces: '.'.repeat(24), owners: '-'.repeat(24), seat: 'first', colours: ['black', 'white'] })

test('a place is found where it is drawn, however the board is turned', () => {
  for (const shape of ['cells', 'crossings', 'dots'] as const) {
    for (const quarter of [0, 1, 2, 3] as const) {
      for (const labels of ['none', 'inside', 'beside'] as const) {
        const l = layoutOf(view(shape), quarter, labels)
        assert.ok(quarter % 2 === 1 ? l.w > l.h : l.h > l.w)
        for (const spot of rowsOfSpots(l).flat()) {
          const { at, line } = parseSpot(spot)
          const [x, y] = middleOf(l, at, line)
          assert.ok(x > 0 && y > 0 && x < l.w && y < l.h, `${spot} is drawn at ${x},${y}`)
          assert.equal(hit(l, x + UNIT * 0.2, y - UNIT * 0.12), spot)
        }
        assert.equal(hit(l, -UNIT, 0), undefined)
      }
    }
  }
})

test('rows are as they are seen', () => {
  const l = layoutOf(view('cells'), 2, 'none')
  assert.equal(rowsOfSpots(l)[0]?.[0], '3,5')
  assert.deepEqual(middle(l, 3, 5), [l.around + UNIT / 2, l.around + UNIT / 2])
})

test('steps are read, and nothing else is', () => {
  for (const [text, op, spot] of [['p7,7', 'place', '7,7'], ['s1,2>3,4', 'shift', '3,4'], ['x5,6', 'shoot', '5,6'], ['f0,3', 'flip', '0,3'], ['e2,2:1', 'edge', '2,2|'], ['e2,2:0', 'edge', '2,2-'], ['-', 'pass', undefined], ['c1', 'choose', undefined], ['r', 'resign', undefined], ['d3,3:12', 'deal', '3,3']] as const) {
    const s = parseStep(text)
    assert.equal(s?.op, op, text)
    assert.equal(s && target(s), spot, text)
    assert.equal(s?.text, text)
  }
  for (const text of ['', 'p', 'p7', 'p7,7,7', 's1,2', 's1,2>3', 'e2,2', 'c', '-1', 'r1', 'p1,1:2', 'q1,1', 'p 1,1', 'd3,3']) assert.equal(parseStep(text), undefined, text)
})
