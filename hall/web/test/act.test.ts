import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as act from '../src/act.ts'
import { layoutOf } from '../src/layout.ts'
import { emptyBoard, legalNow, type Board } from '../src/state.ts'
import type { Ask, Early, Entry, State, View } from '../src/wire.ts'

const letters = 'abcdefghijklmnopqrs'

function view(width: number, height: number, pieces: string, owners: string, more: Partial<View> = {}): View {
  return {
    shape: 'cells', ground: 'table', width, height, columns: [...letters.slice(0, width)], rows: Array.from({ length: height }, (_, i) => String(height - i)),
    pieces, owners, seat: 'first', colours: ['black', 'white'], ...more,
  }
}

const state = (v: View, more: Partial<State> = {}): State => ({
  game: 'g', attempt: 1, seq: 1, for: 'first', spec: 'othello', names: ['Ann', 'Bob'], controls: ['', ''], at: 0, view: v, ...more,
})

const ask = (prompt: number, legal: readonly string[], more: Partial<Ask> = {}): Ask => ({ game: 'g', attempt: 1, seat: 0, seq: prompt, prompt, legal, ...more })

/** A board of 3 by 3 with own pieces at the lower left and an enemy at the right. */
const walking = state(view(3, 3, '...' + '..w' + 'b..', '---' + '--1' + '0--'))

const board = (s: State, a?: Ask, options: Partial<Board['options']> = {}): Board => {
  const b = act.withOptions(act.show(emptyBoard, s), options)
  return a ? act.ask(b, a) : b
}

test('a stone is placed with one press, and once', () => {
  const four = Array.from({ length: 4 }, (_, i): Entry => ({ by: i % 2 ? 'second' : 'first', steps: ['p2,2'], ended: true }))
  const b = act.press(board({ ...walking, history: four }, ask(7, ['p1,1', 'p0,0'], { ply: 4 })), '1,1', 'place')
  assert.deepEqual(b.answer, { attempt: 1, prompt: 7, ply: 4, steps: ['p1,1'] })
  assert.equal(act.press(b, '0,0', 'none').answer, b.answer, 'a second press before the hall has answered')
})

test('a press where nothing is legal says so', () => {
  const b = act.press(board(walking, ask(1, ['p1,1'])), '2,2', 'place')
  assert.equal(b.fault, 'fault.illegal')
  assert.equal(b.answer, undefined)
})

test('a piece walks by two presses, by a drag, and is put down again', () => {
  const b = board(walking, ask(3, ['s0,2>0,1', 's0,2>1,1', 's0,2>2,1']))
  const picked = act.press(b, '0,2', 'shift')
  assert.equal(picked.picked, '0,2')
  assert.deepEqual([...act.targets(picked).keys()], ['0,1', '1,1', '2,1'])
  assert.deepEqual(act.press(picked, '1,1', 'shift').answer?.steps, ['s0,2>1,1'])
  assert.equal(act.press(picked, '0,2', 'shift').picked, undefined, 'the second press on the piece puts it down')
  assert.equal(act.press(picked, '2,2', 'shift').picked, undefined)
  assert.equal(act.lift(b, '2,1', 'shift'), b, 'the piece of the other seat is not lifted')
  const lifted = act.lift(b, '0,2', 'shift')
  assert.deepEqual(act.drop(lifted, '2,1', 'shift').answer?.steps, ['s0,2>2,1'])
  assert.equal(act.drop(lifted, '2,2', 'shift').answer, undefined)
  assert.equal(act.drop(lifted, undefined, 'shift').picked, '0,2', 'beside the board it stays picked')
})

test('a step that is to be confirmed waits, and a second press confirms it', () => {
  const b = act.press(board(walking, ask(1, ['p1,1', 'p0,0']), { confirm: true }), '1,1', 'place')
  assert.equal(b.answer, undefined)
  assert.equal(b.pending?.text, 'p1,1')
  assert.deepEqual(act.confirm(b).answer?.steps, ['p1,1'])
  assert.deepEqual(act.press(b, '1,1', 'place').answer?.steps, ['p1,1'])
  assert.equal(act.press(b, '0,0', 'place').pending?.text, 'p0,0')
  assert.equal(act.cancel(b).pending, undefined)
})

test('a step chosen early is made when it is asked for and legal, else forgotten', () => {
  const waiting = board({ ...walking, view: { ...walking.view!, seat: 'second' } })
  const early = act.press(waiting, '1,1', 'place')
  assert.deepEqual(early.plan, ['p1,1'])
  assert.equal(act.ghost(early)?.text, 'p1,1')
  assert.deepEqual(act.ask(early, ask(2, ['p1,1'])).answer?.steps, ['p1,1'])
  const gone = act.ask(early, ask(2, ['p0,0']))
  assert.equal(gone.answer, undefined)
  assert.deepEqual(gone.plan, [])
  assert.deepEqual(act.press(early, '1,1', 'place').plan, [], 'the same press takes it back')
  const walk = act.press(act.press(waiting, '0,2', 'shift'), '0,1', 'shift')
  assert.deepEqual(walk.plan, ['s0,2>0,1'])
  assert.deepEqual(act.press(board(walking, undefined, { premove: false }), '1,1', 'place').plan, [])
  assert.deepEqual(act.press(board({ ...walking, for: 'public' }), '1,1', 'place').plan, [], 'a spectator plans nothing')
})

test('a whole turn of parts is planned, made part by part, and dropped where it ends before', () => {
  const plan = (from: Board, early: Early, ...spots: string[]) => spots.reduce((b, s) => act.press(b, s, early), from)
  const waiting = board({ ...walking, view: { ...walking.view!, seat: 'second' } })
  // A shift and its shot, which may go to where the piece stood; the same presses take it back.
  const shot = plan(waiting, 'shot', '0,2', '0,1', '0,2')
  assert.deepEqual(shot.plan, ['s0,2>0,1', 'x0,2'])
  assert.deepEqual(act.ghosts(shot).map((s) => s.text), shot.plan)
  assert.deepEqual(plan(waiting, 'shot', '0,2', '0,1', '0,1').plan, [])
  assert.deepEqual(plan(shot, 'shot', '1,1').plan, [])
  const shifted = act.ask(shot, ask(2, ['s0,2>0,1']))
  assert.deepEqual([shifted.answer?.steps, shifted.plan], [['s0,2>0,1'], ['x0,2']])
  assert.deepEqual(act.ask({ ...shifted, answer: undefined }, ask(3, ['x0,2', 'x1,1'])).answer?.steps, ['x0,2'])
  assert.deepEqual(act.ask({ ...shifted, answer: undefined }, ask(3, ['x1,1'])).plan, [], 'it cannot be shot there')
  // Two stones, not three; a chain of edges as long as it is.
  assert.deepEqual(plan(waiting, 'pair', '0,0', '1,1').plan, ['p0,0', 'p1,1'])
  assert.deepEqual(plan(waiting, 'pair', '0,0', '1,1', '0,0').plan, ['p1,1'])
  assert.deepEqual(plan(waiting, 'pair', '0,0', '1,1', '2,0').plan, ['p2,0'])
  assert.deepEqual(plan(waiting, 'place', '0,0', '1,1').plan, ['p1,1'])
  const chain = plan(waiting, 'edge', '0,0-', '1,0|', '1,1-')
  assert.deepEqual(chain.plan, ['e0,0:0', 'e1,0:1', 'e1,1:0'])
  assert.deepEqual(act.press(chain, '1,0|', 'edge').plan, ['e0,0:0', 'e1,1:0'])
  // The first edge closes no box: with the turn the rest of the plan is over.
  const first = act.ask(chain, ask(2, ['e0,0:0', 'e1,0:1']))
  const mine = { ...first, state: { ...first.state!, for: 'first' as const } }
  const after = act.advance(mine, { prev: 1, seq: 2, at: 0, entries: [{ by: 'first', steps: ['e0,0:0'], ended: true }] })
  assert.deepEqual([after.plan, after.early], [[], undefined])
})

test('a turn of several steps is typed at once', () => {
  const s = state(view(10, 10, '.'.repeat(100), '-'.repeat(100)), { spec: 'amazons' })
  const b = act.type(board(s, ask(1, ['s3,9>3,3', 's3,9>3,4'])), 'd1-d7 /g7')
  assert.deepEqual(b.answer, { attempt: 1, prompt: 1, ply: 0, steps: ['s3,9>3,3'] })
  const shot = act.ask({ ...b, answer: undefined }, ask(2, ['x6,3', 'x5,3']))
  assert.deepEqual(shot.answer, { attempt: 1, prompt: 2, ply: 0, steps: ['x6,3'] })
  assert.deepEqual(shot.plan, [])
  for (const text of ['d1d7', 'D1 - D7', 'd1xd7', 'd1-d7/g7']) {
    assert.deepEqual(act.type(board(s, ask(1, ['s3,9>3,3'])), text).answer?.steps, ['s3,9>3,3'], text)
  }
  assert.equal(act.type(board(s, ask(1, ['s3,9>3,3'])), 'd1-d9').fault, 'fault.illegal')
  assert.equal(act.type(board(s), 'd1-d7').fault, 'fault.turn')
  assert.equal(act.type(board(s, ask(1, ['s3,9>3,3'])), '  ').fault, 'fault.unknown')
})

test('choices, passes, lines and flips are typed', () => {
  const s = state(view(4, 4, '.'.repeat(16), '-'.repeat(16)))
  for (const [text, step] of [['swap', 'c1'], ['2', 'c2'], ['pass', '-'], ['a4h', 'e0,0:0'], ['a3v', 'e0,0:1'], ['a4-b4', 'e0,0:0'], ['b4-b4', 'f1,0'], ['b4', 'f1,0']] as const) {
    const b = act.type(board(s, ask(1, ['c0', 'c1', 'c2', '-', 'e0,0:0', 'e0,0:1', 'f1,0'])), text)
    assert.deepEqual(b.answer?.steps, [step], text)
  }
})

test('an attempt that is refused can be followed by another', () => {
  const b = act.press(board(walking, ask(1, ['p1,1', 'p0,0'])), '1,1', 'place')
  const again = act.ask(b, ask(2, ['p0,0'], { rejected: 'refused', again: 1 }))
  assert.equal(again.answer, undefined)
  assert.deepEqual(act.press(again, '0,0', 'place').answer, { attempt: 1, prompt: 2, ply: 0, steps: ['p0,0'] })
})

test('a question that overtakes the decision before it waits for it, and so does what is pressed', () => {
  const b = act.press(board(walking, ask(1, ['s0,2>0,1'], { ply: 0 })), '0,2', 'shift')
  const moved = act.press(b, '0,1', 'shift')
  const asked = act.ask(moved, ask(2, ['x1,1', 'x2,2'], { ply: 1 }))
  const shot = act.press(asked, '1,1', 'shot')
  assert.deepEqual(shot.answer?.steps, ['s0,2>0,1'], 'the first answer is still on its way')
  const first = act.advance(shot, { prev: 1, seq: 2, at: 0, entries: [{ by: 'first', steps: ['s0,2>0,1'] }] })
  assert.deepEqual(first.answer, { attempt: 1, prompt: 2, ply: 1, steps: ['x1,1'] })
  const second = act.advance(first, { prev: 2, seq: 3, at: 0, entries: [{ by: 'first', steps: ['x1,1'] }] })
  assert.equal(second.answer, undefined)
  assert.equal(second.question, undefined, 'and its question is answered')
})

/** A turn of each seat that is taken back, and what is asked before and after. */
const two: readonly Entry[] = [{ by: 'first', steps: ['s0,1>0,2'], ended: true }, { by: 'second', steps: ['s2,0>2,1'], ended: true }]
const back = { prev: 1, seq: 2, at: 0, rewind: 2 }
const old = ask(5, ['s0,2>1,1'], { ply: 2 })
const fresh = ask(6, ['s0,2>0,1', 's0,2>1,1'], { ply: 0 })

test('what is pressed between a board and its question answers the one that belongs to the board', () => {
  const b = board({ ...walking, history: two }, old, { premove: false })
  const ways: Readonly<Record<string, (end: (b: Board) => Board) => Board>> = {
    'the board comes first': (end) => act.ask(end(act.advance(b, back)), fresh),
    'the question comes first': (end) => act.advance(end(act.ask(b, fresh)), back),
    'and the board as a whole': (end) => act.show(end(act.ask(b, fresh)), { ...walking, seq: 9 }),
    'the old one was withdrawn between': (end) => act.ask(act.ask(end(act.advance(b, back)), { game: 'g', attempt: 1, seat: 0, seq: 0 }), fresh),
  }
  for (const [name, way] of Object.entries(ways)) {
    const open: number[] = []
    const pressed = way((x) => {
      open.push(legalNow(x).length)
      const from = act.press(x, '0,2', 'shift')
      assert.equal(from.picked, '0,2', name)
      const to = act.press(from, '1,1', 'shift')
      assert.equal(to.answer, undefined, `${name}: it waits`)
      return to
    })
    assert.deepEqual(open, [0], `${name}: nothing is asked of that board`)
    assert.deepEqual(pressed.answer, { attempt: 1, prompt: 6, ply: 0, steps: ['s0,2>1,1'] }, name)
    assert.deepEqual(way((x) => act.drop(act.lift(x, '0,2', 'shift'), '1,1', 'shift')).answer?.steps, ['s0,2>1,1'], `${name}: dragged`)
    const nothing = way((x) => x)
    assert.deepEqual([nothing.question?.prompt, nothing.answer, legalNow(nothing).length], [6, undefined, 2], name)
  }
})

test('where every move is asked for a yes, and in what is typed, nothing is planned between board and question', () => {
  const between = act.advance(board({ ...walking, history: two }, old, { confirm: true, premove: false }), back)
  const pressed = ['0,2', '1,1'].reduce((x, s) => act.press(x, s, 'shift'), between)
  assert.deepEqual([pressed.plan, act.ask(pressed, fresh).answer], [[], undefined])
  assert.equal(act.type(between, 'a1-b2').fault, 'fault.turn')
})

test('a question whose board does not come is open in the end', () => {
  const b = act.ask(board({ ...walking, history: two }), fresh)
  assert.equal(legalNow(b).length, 0)
  assert.equal(legalNow(act.ask(b, fresh, true)).length, 2)
  assert.equal(act.ask(['0,2', '1,1'].reduce((x, s) => act.press(x, s, 'shift'), b), fresh, true).answer?.prompt, 6)
})

test('the same question again does not open an answer', () => {
  const b = act.press(board(walking, ask(1, ['p1,1'])), '1,1', 'place')
  assert.deepEqual(act.ask(b, ask(1, ['p1,1'])).answer, b.answer)
  assert.equal(act.unanswered(b).answer, undefined)
})

test('what is typed and cannot be played is looked at where it is', () => {
  const b = board(walking, ask(1, ['p1,1']))
  assert.deepEqual([act.type(b, 'a1').fault, act.type(b, 'a1').cursor, act.type(b, 'B2').answer?.steps], ['fault.illegal', '0,2', ['p1,1']])
  assert.equal(act.type({ ...b, cursor: '0,2' }, 'nonsense').cursor, undefined, 'another point is looked at')
})

test('taking back and the end forget what was begun', () => {
  const b = act.press(board(walking, ask(3, ['s0,2>0,1'])), '0,2', 'shift')
  assert.equal(act.advance(b, { prev: 1, seq: 2, at: 0, rewind: 1 }).picked, undefined)
  const over = act.advance(b, { prev: 1, seq: 2, at: 0, result: { points: [1, 0], reason: 'resign' } })
  assert.equal(over.picked, undefined)
  assert.deepEqual(act.press(over, '0,2', 'shift').plan, [])
  assert.equal(act.show(b, { ...walking, attempt: 2 }).question, undefined, 'a new attempt asks anew')
  const early = act.ask(emptyBoard, ask(1, ['p1,1']))
  assert.equal(act.show(early, walking).question?.prompt, 1, 'a question can come before the first board')
})

test('a board to look at takes nothing', () => {
  const b = board(walking, ask(1, ['p1,1']), { still: true })
  assert.equal(act.press(b, '1,1', 'place'), b)
  assert.equal(act.targets(b).size, 0)
})

test('the keyboard reaches every spot of every shape, as it is seen', () => {
  for (const shape of ['cells', 'crossings', 'dots'] as const) {
    for (const quarter of [0, 1, 2, 3] as const) {
      const v = view(4, 5, '.'.repeat(20), '-'.repeat(20), { shape })
      const l = layoutOf(v, quarter, 'beside')
      let b = act.walk(board(state(v)), l, -99, -99)
      const seen = new Set<string>()
      for (let row = 0; row < 12; row++) {
        b = act.walk(b, l, -99, 0)
        for (let column = 0; column < 12; column++) {
          seen.add(b.cursor ?? '')
          b = act.walk(b, l, 1, 0)
        }
        b = act.walk(b, l, 0, 1)
      }
      assert.equal(seen.size, shape === 'dots' ? 3 * 5 + 4 * 4 : 20, `${shape} turned ${quarter}`)
    }
  }
})

test('arrows are drawn, taken away, and gone after a move', () => {
  const b = act.draw(board(walking), '0,0', '2,2')
  assert.equal(b.drawn.length, 1)
  assert.equal(act.draw(b, '0,0', '2,2').drawn.length, 0)
  assert.equal(act.advance(b, { prev: 1, seq: 2, at: 0, entries: [{ by: 'first', steps: ['p1,1'] }] }).drawn.length, 0)
})

test('a step that came too late for its question answers the next one only in the same position', () => {
  const history: readonly Entry[] = [{ by: 'second', steps: ['p2,2'], ended: true, used: 900 }]
  const sent = act.press(board(state(walking.view!, { history }), ask(1, ['p1,1', 'p0,0'], { ply: 1 })), '1,1', 'place')
  const again = (attempt: number, more: Partial<Ask> = {}, played = history) =>
    act.resend(board(state(walking.view!, { attempt, history: played }), ask(1, ['p1,1', 'p0,0'], { attempt, ply: 1, ...more })), sent.answer!, history).answer
  assert.deepEqual(again(2, {}, [{ by: 'second', steps: ['p2,2'], ended: true }]), { attempt: 2, prompt: 1, ply: 1, steps: ['p1,1'] }, 'the game was taken up elsewhere')
  assert.equal(again(1), undefined, 'the same question has had its answer')
  assert.equal(again(1, { prompt: 2 })?.prompt, 2, 'asked once more')
  assert.equal(again(2, { ply: 3 }), undefined, 'another position')
  assert.equal(again(2, {}, [{ by: 'second', steps: ['p2,1'], ended: true }]), undefined, 'as many moves, and another one among them')
  assert.equal(again(2, { legal: ['p0,0'] }), undefined, 'not possible any more')
  assert.equal(again(1, { prompt: 2, rejected: 'refused', again: 1 }), undefined, 'it has come, and was refused')
})
