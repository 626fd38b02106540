// What a review says where no turn cost much.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spotless } from '../src/pages/reviewed.ts'
import type { Review } from '../src/wire.ts'

const turn = (seat: 0 | 1, ply: number, lost: number, mark?: string) => ({ ply, seat, lost, rank: 1, best: [], good: [], ...(mark && { mark }) })

test('who made no mistake is told so, whatever the other did', () => {
  const of = (...turns: Review['turns']): Review => ({ accuracy: [99, -1], marks: [[0, 0, 0], [0, 0, 0]], turns })
  for (const [name, r, mine, want] of [
    ['the other erred', of(turn(0, 4, 3), turn(0, 2, 4.5), turn(1, 1, 20, '??')), 0, 2],
    ['so did he', of(turn(0, 4, 30, '??')), 0, undefined],
    ['nobody', of(turn(0, 4, 3), turn(1, 5, 4)), -1, 5],
    ['somebody', of(turn(1, 5, 40, '??')), -1, undefined],
    ['not judged', of(turn(0, 4, 3)), 1, undefined],
  ] as const) assert.equal(spotless(r, mine)?.largest?.ply, want, name)
})
