// The state of a board on a page, without any picture: what the hall sent, and what the
// person in front of it has begun. It never changes; transitions make another one.

import type { Quarter } from './layout.ts'
import { parseStep, type Spot, type Step } from './step.ts'
import type { Ask, Point, State, View } from './wire.ts'

export interface Options {
  /** A chosen step waits until it is confirmed. */
  readonly confirm: boolean
  /** Steps may be chosen before one's turn. */
  readonly premove: boolean
  /** Quarter turns beside those of the seat. */
  readonly turned: Quarter
  /** Nothing can be chosen: a board to look at. */
  readonly still: boolean
  /** Both seats' steps are chosen here, and may be typed whoever the board is for. */
  readonly free?: boolean
  /** Pieces that can take one have rings. */
  readonly rings?: boolean
  /** Where one may go is shown before anything is picked up, in games that do so; it is unless it is false. */
  readonly targets?: boolean
}

/** A question to the person's seat, with the steps that may be taken. */
export interface Question {
  readonly game: string
  readonly attempt: number
  readonly prompt: number
  /** How many decisions were made before it; none where a page asks of the board that it shows. */
  readonly ply?: number | undefined
  readonly legal: readonly Step[]
  readonly rejected?: string | undefined
  readonly again: number
}

/** What was decided and is on its way to the hall. */
export interface Answer {
  readonly attempt: number
  readonly prompt: number
  readonly ply: number
  readonly steps: readonly string[]
}

/** An arrow that the person has drawn; a ring if it ends where it began. */
export interface Drawn {
  readonly from: Spot
  readonly to: Spot
}

export interface Board {
  readonly state?: State | undefined
  readonly question?: Question | undefined
  /** A question of another position than the one that is shown, whose board is on its way, or which is
   * asked no more: questions and boards come by two ways. */
  readonly coming?: Question | undefined
  readonly answer?: Answer | undefined
  /** Where the piece stands that was picked up. */
  readonly picked?: Spot | undefined
  /** The step that waits to be confirmed. */
  readonly pending?: Step | undefined
  /** It was aimed at by a finger, which may aim anew. */
  readonly aimed?: boolean | undefined
  /** Steps for the next questions: chosen early, or the rest of what was typed. */
  readonly plan: readonly string[]
  /** The plan was made before one's turn. */
  readonly early?: boolean | undefined
  /** A part of the turn has been answered already: the plan is for the rest of it. */
  readonly going?: boolean | undefined
  /** Where the keyboard is. */
  readonly cursor?: Spot | undefined
  readonly drawn: readonly Drawn[]
  /** Presses draw arrows: for whoever has neither a right button nor a Shift key. */
  readonly drawing?: boolean | undefined
  /** Steps that an engine proposes, the best first. */
  readonly advised: readonly Step[]
  /** What was played instead of it, in a review: red, and what is advised green. */
  readonly played: readonly Step[]
  /** Steps near the one that is best. */
  readonly near: readonly Step[]
  /** What was wrong with the latest try: a key of the catalogue. */
  readonly fault?: 'fault.unknown' | 'fault.illegal' | 'fault.turn' | undefined
  /** There is no connection to the hall: what was decided waits. */
  readonly lost?: boolean | undefined
  readonly options: Options
}

export const emptyBoard: Board = {
  plan: [],
  drawn: [],
  advised: [],
  played: [],
  near: [],
  options: { confirm: false, premove: true, turned: 0, still: false },
}

/** The number of the reader's own seat, undefined for spectators. */
export function ownSeat(b: Board): 0 | 1 | undefined {
  const seat = b.state?.for
  return seat === 'first' ? 0 : seat === 'second' ? 1 : undefined
}

/** The seat that is shown below the board: one's own, or the first. */
export const lowSeat = (s: State): 0 | 1 => (s.for === 'second' ? 1 : 0)

/** How many pieces a seat has taken, undefined in games that do not tell. */
export function takenBy(s: State, seat: 0 | 1): number | undefined {
  const tray = s.view?.trays?.find((t) => t.name === 'taken' && t.owner === (seat === 0 ? 'first' : 'second'))
  return tray && [...(tray.pieces ?? '')].reduce((sum, _, i) => sum + (tray.counts?.[i] ?? 1), 0)
}

/** The view, while there is one. */
export const viewOf = (b: Board): View | undefined => b.state?.view

/** The steps that may be taken now; none while an answer is on its way. */
export function legalNow(b: Board): readonly Step[] {
  return b.question && !b.answer && !b.options.still ? b.question.legal : []
}

/** Reads what is asked of the seat. */
export function questionOf(a: Ask): Question | undefined {
  if (!a.prompt || a.over) return undefined
  const legal = (a.legal ?? []).map(parseStep).filter((s) => s !== undefined)
  return { game: a.game, attempt: a.attempt, prompt: a.prompt, ply: a.ply, legal, again: a.again ?? 0, rejected: a.rejected }
}

/** Whether a line of a board of dots is the latest one. */
export function isLatest(v: View, [x, y]: Point, vertical: boolean): boolean {
  const [p, q] = v.marks ?? []
  return p?.[0] === x && p[1] === y && vertical === (q?.[0] === x)
}

/** The identifier of the game. */
export const gameOf = (s: State): string => s.spec.split(':', 1)[0] ?? ''
