import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { apply, Gap } from '../src/apply.ts'
import type { Delta, State } from '../src/wire.ts'

interface Vector {
  readonly name: string
  readonly first: State
  readonly deltas: readonly Delta[]
  readonly states: readonly State[]
}

const vectors = JSON.parse(readFileSync('../hub/testdata/apply.json', 'utf8')) as Vector[]

for (const v of vectors) {
  test(`the states of ${v.name} are those of the hall`, () => {
    let state = v.first
    const states = [...v.states]
    v.deltas.forEach((d, i) => {
      const before = JSON.stringify(state)
      const next = apply(state, d)
      assert.equal(JSON.stringify(state), before, 'the state before has changed')
      state = next
      if ((i + 1) % 10 === 0 || i === v.deltas.length - 1) assert.deepEqual(state, states.shift())
    })
    assert.equal(states.length, 0)
    assert.ok(state.result)
  })
}

test('a delta that does not follow is refused', () => {
  const s = { seq: 5, view: { pieces: '..', owners: '--' } } as State
  const at = 0
  assert.throws(() => apply(s, { prev: 4, seq: 6, at }), Gap)
  for (const cells of [[{ i: 2, c: 'B0' }], [{ i: -1, c: 'B0' }], [{ i: 1, c: 'B' }]]) {
    assert.throws(() => apply(s, { prev: 5, seq: 6, at, cells }), /does not exist/)
  }
  const { view: _, ...unseen } = s
  assert.throws(() => apply(unseen, { prev: 5, seq: 6, at, cells: [{ i: 0, c: 'B0' }] }), /never shown/)
})

test('what a third engine says stays until it says something else', () => {
  const v = vectors[0]!
  const said = apply(v.first, { prev: v.first.seq, seq: v.first.seq + 1, at: v.first.at, kibitz: { ply: 2, depth: 5 } })
  assert.deepEqual(said.kibitz, { ply: 2, depth: 5 })
  const later = apply(said, { prev: said.seq, seq: said.seq + 1, at: said.at })
  assert.deepEqual(later.kibitz, { ply: 2, depth: 5 })
})

test('a wait lasts until a delta says that the game goes on', () => {
  const wait = { for: 'processor', before: 2, of: 3 }
  const waits = apply({ seq: 5 } as State, { prev: 5, seq: 6, at: 0, wait })
  assert.deepEqual(waits.wait, wait)
  assert.deepEqual(apply(waits, { prev: 6, seq: 7, at: 0 }).wait, wait)
  assert.equal('wait' in apply(waits, { prev: 6, seq: 7, at: 1, wait: { for: '', before: 0, of: 0 } }), false)
})
