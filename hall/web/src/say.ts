// What is read aloud: what stands on a spot, and what has just happened.

import { ownerAt, pieceAt, targets } from './act.ts'
import { pointName, stepName, textName } from './names.ts'
import { parseStep, spotOf, type Spot, type Step } from './step.ts'
import { lookOf, pieceOf } from './games/looks.ts'
import { gameOf, isLatest, type Board } from './state.ts'
import { decimal, known, text, type Key, type Words } from './words.ts'
import type { Delta, Entry, Point, Seat, State, View } from './wire.ts'

/** The name of whoever has a seat. */
export function nameOf(s: State, seat: Seat): string {
  return seat === 'first' ? s.names[0] : seat === 'second' ? s.names[1] : ''
}

/** What a piece is called. */
export function pieceName(w: Words, s: State, letter: string, owner: string): string {
  const piece = pieceOf(lookOf(gameOf(s)), letter)
  return piece === undefined ? letter : text(w, piece.name, { name: owner === '1' ? s.names[1] : s.names[0] })
}

/** Why the rules forbid a point to the seat on turn; undefined where they do not. */
export function barredText(w: Words, v: View, at: Point): string | undefined {
  if (!v.barred?.some((p) => p[0] === at[0] && p[1] === at[1])) return undefined
  const key: string = `foul.${v.notes?.find((n) => n.code === 'forbidden' && n.args?.includes(pointName(v, at)))?.args?.[0] ?? ''}`
  return text(w, known(w, key) ? key : 'foul.liberty')
}

/** What there is on the spots of a board. */
export interface SpotTexts {
  /** What the texts are about beside the spots: another one makes all of them anew. */
  readonly about: string
  /** What the text of a spot is made of, as a number: the text is the same as long as this is. */
  sign(spot: Spot, at: Point, line: '' | '-' | '|'): number
  text(spot: Spot, at: Point, line: '' | '-' | '|'): string
}

/** The texts of a board's spots; what may be played is looked up once for all. */
export function spotTexts(w: Words, b: Board): SpotTexts {
  const s = b.state
  const v = s?.view
  if (!s || !v) return { about: '', sign: () => 0, text: (spot) => spot }
  const may = targets(b)
  const owner = (at: Point, line: '-' | '|') => v.lines?.find((x) => x[0] === at[0] && x[1] === at[1] && x[2] === (line === '|' ? 1 : 0))?.[3]
  const onSpot = (spot: Spot, at: Point, line: '' | '-' | '|'): string => {
    if (line) {
      const step = parseStep(`e${at[0]},${at[1]}:${line === '|' ? 1 : 0}`)
      const name = step ? stepName(v, step) : spot
      const by = owner(at, line)
      return by === undefined ? text(w, 'spot.open', { at: name }) : text(w, 'spot.drawn', { at: name, name: s.names[by === 1 ? 1 : 0] })
    }
    const letter = pieceAt(v, spot)
    const name = pointName(v, at)
    return letter === '.' ? text(w, 'spot.empty', { at: name }) : text(w, 'spot.piece', { at: name, piece: pieceName(w, s, letter, ownerAt(v, spot)) })
  }
  const last = (at: Point, line: string) => (line ? isLatest(v, at, line === '|') : v.marks?.some((p) => p[0] === at[0] && p[1] === at[1]))
  return {
    about: JSON.stringify([s.spec, s.names]),
    sign: (spot, at, line) => {
      if (v.barred && barredText(w, v, at)) return NaN // no two are alike: the reason may be another one
      const i = at[1] * v.width + at[0]
      const on = line ? owner(at, line) ?? 9 : v.pieces.charCodeAt(i) << 8 | v.owners.charCodeAt(i)
      return on << 3 | (last(at, line) ? 4 : 0) | (b.picked === spot ? 2 : may.has(spot) ? 1 : 0)
    },
    text: (spot, at, line) => {
      const there = onSpot(spot, at, line)
      const out = last(at, line) ? text(w, 'spot.last', { spot: there }) : there
      const why = barredText(w, v, at)
      if (why) return text(w, 'spot.barred', { spot: out, why })
      if (b.picked === spot) return text(w, 'spot.picked', { spot: out })
      return may.has(spot) ? text(w, 'spot.may', { spot: out }) : out
    },
  }
}

/** What a delta tells, in the order in which it happened; with the board before it also what came
 * of that: pieces that were taken or turned, the score, and that it is one's turn. */
export function deltaText(w: Words, s: State, d: Delta, before?: View): string {
  const out: string[] = []
  if (d.rewind) out.push(text(w, 'say.back'))
  for (const e of d.entries ?? []) out.push(...entryText(w, s, e, before))
  if (before && s.view && d.entries) out.push(...cameOf(w, s, s.view, before))
  if (d.result) out.push(resultText(w, s))
  else if (before && s.view && s.view.seat === s.for && before.seat !== s.for) out.push(text(w, 'turn.yours'))
  return out.join('. ')
}

/** What became of the board by decisions. */
function cameOf(w: Words, s: State, v: View, before: View): string[] {
  const out: string[] = []
  const own = s.for === 'first' ? 0 : s.for === 'second' ? 1 : undefined
  const mine: string = `you.${own === undefined || v.colours[own] === before.colours[own] ? '' : v.colours[own]}`
  if (known(w, mine)) out.push(text(w, mine))
  const score = v.score
  if (score && score.some((x, i) => x !== before.score?.[i])) out.push(score.map((x, i) => text(w, 'say.move', { name: s.names[i as 0 | 1], move: x })).join(', '))
  return out
}

function entryText(w: Words, s: State, e: Entry, before?: View): string[] {
  const v = s.view
  if (!v) return []
  const name = nameOf(s, e.by)
  const out = (e.steps ?? []).flatMap((x) => stepText(w, s, v, name, x, before))
  for (const n of e.notices ?? []) {
    if (n.kind === 'played' && n.move) out.push(...stepText(w, s, v, name, n.move))
    if (n.kind === 'refused' && n.move) out.push(text(w, 'refused', { move: textName(v, n.move) }))
    if (n.kind === 'moved') out.push(text(w, 'say.moved', { name }))
    if (n.kind === 'took' || n.kind === 'lost') out.push(text(w, 'say.took', { name: nameOf(s, n.by), count: n.points?.length ?? n.count ?? 0 }))
    if (n.kind === 'scored' && n.count) out.push(text(w, 'say.scored', { name: nameOf(s, n.by), count: n.count }))
  }
  return out
}

/** What a step takes from the board before it, or turns over there. */
function takenText(w: Words, s: State, v: View, step: Step, before: View): string {
  const to = step.to && spotOf(step.to)
  if (step.op === 'shift' && to && pieceAt(before, to) !== '.') return text(w, 'say.taken', { piece: pieceName(w, s, pieceAt(before, to), ownerAt(before, to)) })
  const turned = [...before.owners].filter((x, i) => x !== '-' && v.owners[i] !== '-' && x !== v.owners[i]).length
  return step.op === 'place' && turned > 0 ? text(w, 'say.turned', { count: turned }) : ''
}

function stepText(w: Words, s: State, v: View, name: string, move: string, before?: View): string[] {
  const step = parseStep(move)
  if (!step) return []
  if (step.op === 'pass') return [text(w, 'say.pass', { name })]
  if (step.op === 'flip') return []
  if (step.op === 'deal' && step.to) {
    const i = step.to[1] * v.width + step.to[0]
    return [text(w, 'say.move', { name: pointName(v, step.to), move: pieceName(w, s, v.pieces[i] ?? '.', v.owners[i] ?? '-') })]
  }
  if (step.op === 'choose') {
    const key: string = `choose.${step.arg}`
    return [text(w, 'say.move', { name, move: known(w, key) ? text(w, key) : stepName(v, step) })]
  }
  const taken = before ? takenText(w, s, v, step, before) : ''
  return [text(w, 'say.move', { name, move: stepName(v, step) }) + (taken && `, ${taken}`)]
}

/** A score, with the sign for decimals of the page. */
const points = (x: number): string => String(x).replace('.', decimal())

/** How the game ended. */
export function resultText(w: Words, s: State): string {
  const r = s.result
  if (!r) return ''
  const reason = `why.${r.reason}`
  const why = known(w, reason) ? text(w, reason) : r.reason
  const winner = r.points[0] > r.points[1] ? 0 : r.points[1] > r.points[0] ? 1 : undefined
  const own = s.for === 'first' ? 0 : s.for === 'second' ? 1 : undefined
  const first = own ?? winner ?? 0
  const key: Key = winner === undefined ? (r.points[0] > 0 ? 'say.drawn' : 'say.ended') : own === undefined ? 'say.won' : own === winner ? 'say.youwon' : 'say.youlost'
  const counts = r.board && (winner === undefined || r.board[winner] > r.board[winner === 0 ? 1 : 0])
  return text(w, key, { name: s.names[winner ?? 0], why, score: r.board && counts ? ` ${points(r.board[first])}–${points(r.board[first === 0 ? 1 : 0])}` : '' })
}
