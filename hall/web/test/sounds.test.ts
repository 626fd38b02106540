import assert from 'node:assert/strict'
import { test } from 'node:test'
import { play, soundOf } from '../src/pages/sounds.ts'
import type { Entry, Result, State, View } from '../src/wire.ts'

const view = (pieces: string, more: Partial<View> = {}): View => ({
  shape: 'cells', ground: 'felt', width: 4, height: 1, seat: 'second', colours: ['black', 'white'], pieces, owners: pieces.replaceAll('b', '0').replaceAll('w', '1').replaceAll('.', '-'), ...more,
})

function state(who: State['for'], v: View, history: readonly Entry[], more: Partial<State> = {}): State {
  return { game: 'g', attempt: 1, seq: 1, for: who, spec: 'othello', names: ['Ann', 'Bob'], controls: ['60', '60'], at: 0, view: v, history, ...more }
}

const move = (by: 'first' | 'second', step = 'p0,0'): Entry => ({ by, steps: [step], ended: true })
const won = (a: number, b: number): Result => ({ points: [a, b], reason: 'full' })

test('what is heard follows from what the reader sees', () => {
  const before = state('first', view('.wb.', { seat: 'first' }), [])
  const own = [move('first')]
  for (const [name, was, now, waited, hidden, want] of [
    ['an own stone', before, state('first', view('bwb.'), own), 0, false, 'own'],
    ['stones that are turned', before, state('first', view('bbb.'), own), 0, false, 'taken'],
    ['the other\'s stone', state('first', view('.wb.'), []), state('first', view('wwb.', { seat: 'first' }), [move('second')]), 0, false, 'theirs'],
    ['a call back to the board', state('first', view('.wb.'), []), state('first', view('wwb.', { seat: 'first' }), [move('second')]), 11_000, false, 'turn'],
    ['a call to a hidden tab', state('first', view('.wb.'), []), state('first', view('wwb.', { seat: 'first' }), [move('second')]), 0, true, 'turn'],
    ['a piece turned over', before, state('first', view('bwb.'), [move('first', 'f0,0')]), 0, false, 'flip'],
    ['a stone of Go that takes one', state('public', view('.wb.', { shape: 'crossings' }), []), state('public', view('b.b.', { shape: 'crossings' }), own), 0, false, 'taken'],
    ['a box', state('public', view('....', { shape: 'dots', score: [0, 0] }), []), state('public', view('....', { shape: 'dots', score: [1, 0] }), own), 0, false, 'taken'],
    ['a question', before, { ...before, asks: [{ num: 1, by: 1, what: 'draw', since: '', at: 0, until: 0 }] }, 0, false, 'offer'],
    ['one\'s own question', before, { ...before, asks: [{ num: 1, by: 0, what: 'draw', since: '', at: 0, until: 0 }] }, 0, false, undefined],
    ['a win', before, { ...before, result: won(1, 0) }, 0, false, 'won'],
    ['a loss', before, { ...before, result: won(0, 1) }, 0, false, 'lost'],
    ['a draw', before, { ...before, result: won(0.5, 0.5) }, 0, false, 'level'],
    ['the end to who looks on', state('public', view('.wb.'), []), state('public', view('.wb.'), [], { result: won(1, 0) }), 0, false, 'level'],
    ['nothing new', before, { ...before }, 0, false, undefined],
  ] as const) assert.equal(soundOf(was, now, waited, hidden), want, name)
})

test('sounds are 80 ms apart, wait for a press, and a hidden tab has calls, offers and ends alone', () => {
  let [now, hidden, pressed, tones, frames] = [1000, false, false, 0, 0]
  const param = { value: 0, setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} }
  class Fake {
    readonly currentTime = 0
    readonly destination = {}
    createGain = () => ({ gain: param, connect: () => ({}) })
    createOscillator = () => ({ frequency: param, type: '', connect: (x: { connect(to: unknown): unknown }) => x, start: () => { tones++ }, stop: () => {} })
  }
  const fakes = {
    AudioContext: Fake, performance: { now: () => now }, navigator: { userActivation: { get hasBeenActive() { return pressed } } },
    document: { get hidden() { return hidden } },
    // The first sound waits for what is seen.
    requestAnimationFrame: (then: () => void) => { frames++; then() }, setTimeout: (then: () => void) => { then() },
  }
  const real = Object.keys(fakes).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const [name, value] of Object.entries(fakes)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  const heard = (...list: Parameters<typeof play>): boolean => {
    const before = tones
    play(...list)
    return tones > before
  }
  assert.equal(heard('own', 50), false, 'before any press')
  pressed = true
  assert.equal(heard('own', 0), false, 'without volume')
  assert.equal(heard('own', 50), true)
  now += 79
  assert.equal(heard('won', 50), false, 'too near')
  now += 1
  assert.equal(heard('won', 50), true)
  hidden = true
  for (const [sound, want] of [['own', false], ['tick', false], ['refused', false], ['turn', true], ['offer', true], ['lost', true]] as const) {
    now += 100
    assert.equal(heard(sound, 50), want, sound)
  }
  assert.equal(frames, 1)
  for (const [name, was] of real) if (was) Object.defineProperty(globalThis, name, was)
})
