// Transitions: pure functions from one Board to the next. What may be done is in the
// list of legal steps that the hall sent; nothing here knows rules.

import { apply, decisions } from './apply.ts'
import { rowsOfSpots, type Layout } from './layout.ts'
import { meant, spotNamed, typedWords } from './names.ts'
import { parseStep, spotOf, target, type Spot, type Step } from './step.ts'
import { legalNow, ownSeat, questionOf, viewOf, type Answer, type Board, type Options } from './state.ts'
import type { Ask, Delta, Early, Entry, State, View } from './wire.ts'

/** Takes a snapshot. A question may have come before it. */
export function show(b: Board, state: State): Board {
  const same = (x: { readonly game: string; readonly attempt: number } | undefined) => x?.game === state.game && x.attempt === state.attempt
  const waits = same(b.state) && b.state?.history?.length === state.history?.length && b.question?.prompt === b.answer?.prompt
  const next = { ...b, state, question: same(b.question) ? b.question : undefined, coming: same(b.coming) ? b.coming : undefined, answer: waits ? b.answer : undefined }
  return settled(same(b.state) ? next : { ...cancel(next), cursor: undefined })
}

const dropped = { picked: undefined, pending: undefined, aimed: undefined, plan: [], early: undefined, going: undefined, fault: undefined } as const

/** Takes a delta; throws Gap if one before it is missing. */
export function advance(b: Board, d: Delta): Board {
  if (!b.state) return b
  const state = apply(b.state, d)
  const decided = d.entries?.filter((e) => !e.refused) ?? []
  const own = decided.filter((e) => e.by === state.for)
  const over = own.some((e) => e.ended) // what was planned for the rest of the turn goes with it
  if (d.result) return closed({ ...b, state })
  if (d.rewind) return settled({ ...(between(b) ? b : cancel(b)), state, answer: undefined })
  if (decided.length === 0) return { ...b, state }
  const next = { ...b, state, drawn: [], ...(over && b.going ? { plan: [], early: undefined, going: undefined } : {}) }
  return settled(b.answer && own[0] ? { ...next, answer: undefined, question: undefined } : next)
}

/** Takes what is asked of the seat; late if its board has been waited for long enough. */
export function ask(b: Board, a: Ask, late?: boolean): Board {
  const question = questionOf(a)
  if (question && b.answer?.prompt === question.prompt && !question.rejected) return { ...b, question }
  if (question) return settled({ ...b, coming: question }, late)
  const next: Board = { ...b, question, coming: undefined, pending: undefined, aimed: undefined }
  return a.over ? closed(next) : next
}

/** The game is over. */
const closed = (b: Board): Board => ({ ...cancel(b), answer: undefined, question: undefined, coming: undefined })

/** Opens the question that belongs to the board that is shown, or to any, or which is late, and closes another;
 * a step that was planned is the answer if it is legal. */
function settled(b: Board, late?: boolean): Board {
  const question = b.coming ?? (b.answer ? undefined : b.question)
  if (!late && question?.ply !== undefined && question.ply !== (b.state && decisions(b.state.history ?? []))) return { ...b, question: b.answer && b.question, coming: question }
  if (!question || !b.coming) return b
  const picked = question.legal.some((s) => s.from && spotOf(s.from) === b.picked) ? b.picked : undefined
  return follow({
    ...b, question, coming: undefined, answer: undefined, picked, ...(question.prompt === b.question?.prompt ? {} : { pending: undefined, aimed: undefined }),
  })
}

/** Whether it is the reader's turn on the board that is shown, and another one is asked about: what is pressed
 * is a plan until they agree. */
const between = (b: Board): boolean => b.coming !== undefined && viewOf(b)?.seat === b.state?.for

/** Takes the next step of the plan, if there is one and it is legal. */
function follow(b: Board): Board {
  const view = viewOf(b)
  const [word, ...plan] = b.plan
  if (!word || !view) return b
  const step = meant(view, legalNow(b), word)
  if (!step || b.question?.rejected) return { ...b, plan: [], early: undefined, going: undefined }
  return commit({ ...b, plan, early: plan.length > 0 ? b.early : undefined, going: plan.length > 0 }, step)
}

/** Answers the question. */
function commit(b: Board, s: Step): Board {
  if (!b.question) return b
  const { attempt, prompt, ply = 0 } = b.question
  return { ...b, answer: { attempt, prompt, ply, steps: [s.text] }, picked: undefined, pending: undefined, fault: undefined }
}

/** Takes a step, or puts it forward to be confirmed. */
export function take(b: Board, s: Step): Board {
  if (!legalNow(b).some((x) => x.text === s.text)) return { ...b, fault: 'fault.illegal' }
  if (!b.options.confirm || b.pending?.text === s.text) return commit(b, s)
  return { ...b, pending: s, picked: undefined, fault: undefined }
}

/** A spot of a fine board is aimed at by a finger: its step is put forward, for a second press to take it. */
export function aim(b: Board, spot: Spot): Board {
  if (b.options.still || !b.question || b.answer) return b
  const pending = targets({ ...b, picked: undefined }).get(spot)
  return { ...b, cursor: spot, drawn: [], picked: undefined, pending, aimed: pending && true, fault: pending ? undefined : 'fault.illegal' }
}

/** Aims at the next spot in a direction that can be taken; what is aimed at stays where there is none. */
export function nudge(b: Board, l: Layout, right: number, down: number): Board {
  let at = b.pending && target(b.pending)
  const open = targets({ ...b, picked: undefined })
  for (;;) {
    const next = walk({ ...b, cursor: at }, l, right, down).cursor
    if (!next || next === at) return b
    if (open.has(next)) return aim(b, next)
    at = next
  }
}

/** Confirms what was put forward. */
export const confirm = (b: Board): Board => (b.pending ? commit(b, b.pending) : b)

/** Takes back whatever was begun and not sent. */
export const cancel = (b: Board): Board => ({ ...b, ...dropped, drawn: [] })

/** A step that could not be sent is the answer to what is asked now, if all that was played is what
 * was when it was chosen, and it is another question that refuses nothing. */
export function resend(b: Board, old: Answer, before: readonly Entry[]): Board {
  const q = b.question
  const step = legalNow(b).find((s) => s.text === old.steps[0])
  if (!step || !q || q.rejected || q.attempt === old.attempt && q.prompt === old.prompt) return b
  return q.ply === old.ply && !overtaken(b, before) ? commit(b, step) : b
}

/** Reports whether the game has gone on, or back, since what had been played before, or is over. */
export const overtaken = (b: Board, before: readonly Entry[]): boolean =>
  b.state?.result !== undefined || played(b.state?.history ?? []) !== played(before)

/** All that was played, as a text. */
const played = (history: readonly Entry[]): string => JSON.stringify(history.filter((e) => !e.refused).map((e) => [e.by, e.steps, e.notices]))

/** The answer did not reach anybody, or was refused: the question is open again. */
export const unanswered = (b: Board): Board => ({ ...b, answer: undefined, plan: [], early: undefined, going: undefined })

export const withOptions = (b: Board, o: Partial<Options>): Board => ({ ...b, ...dropped, options: { ...b.options, ...o } })

/** The spots from which a piece can be moved. */
export function origins(legal: readonly Step[]): Set<Spot> {
  return new Set(legal.flatMap((s) => (s.from ? [spotOf(s.from)] : [])))
}

/** The steps that end on the board, from the picked piece, or from none. */
export function targets(b: Board): Map<Spot, Step> {
  const out = new Map<Spot, Step>()
  for (const s of legalNow(b)) {
    const to = target(s)
    if (to && (s.from ? spotOf(s.from) === b.picked : !b.picked)) out.set(to, s)
  }
  return out
}

/** A spot is pressed: clicked, touched, or Enter on it. */
export function press(b: Board, spot: Spot, early: Early): Board {
  if (b.options.still) return b
  const at: Board = { ...b, cursor: spot, fault: undefined, drawn: [] }
  if (!b.question || b.answer) return pressEarly(at, spot, early)
  if (b.pending && target(b.pending) === spot) return commit(at, b.pending)
  const step = targets(at).get(spot)
  if (step) return take({ ...at, pending: undefined }, step)
  if (b.picked === spot) return { ...at, picked: undefined, pending: undefined }
  if (origins(legalNow(at)).has(spot)) return { ...at, picked: spot, pending: undefined }
  const direct = targets({ ...at, picked: undefined }).get(spot)
  if (direct) return take({ ...at, picked: undefined, pending: undefined }, direct)
  return { ...at, picked: undefined, pending: undefined, fault: b.picked ? undefined : 'fault.illegal' }
}

/** A spot is pressed while it is not one's turn: a step for later, or none. */
function pressEarly(b: Board, spot: Spot, early: Early): Board {
  const view = viewOf(b)
  const seat = ownSeat(b)
  if (!view || seat === undefined || !(between(b) ? !b.options.confirm : b.options.premove) || b.state?.result || early === 'none') return b
  const begun = b.plan.length > 0
  const none: Board = { ...b, plan: [], early: undefined, going: undefined, picked: undefined }
  const planned = (plan: readonly string[]): Board => (plan.length > 0 ? { ...none, plan, early: true, going: b.going } : none)
  if (moves(early)) {
    const [shift] = b.early ? b.plan : b.answer?.steps ?? [] // which is not shown yet
    const from = shift === undefined ? undefined : parseStep(shift)
    if (early === 'shot' && from?.from && from.to && b.plan.length < 2 && !b.picked && spot !== spotOf(from.to)) {
      if (pieceAt(view, spot) === '.' || spot === spotOf(from.from)) return planned([...b.plan, `x${spot}`])
    }
    if (b.picked && b.picked !== spot) return { ...none, plan: [`s${b.picked}>${spot}`], early: true }
    if (b.picked === spot || begun) return none
    const own = ownerAt(view, spot) === String(seat)
    if (own) return { ...none, picked: spot }
    return early === 'flip' && pieceAt(view, spot) === 'X' ? { ...none, plan: [`f${spot}`], early: true } : none
  }
  const step = early === 'edge' ? `e${spot.slice(0, -1)}:${spot.endsWith('|') ? 1 : 0}` : `p${spot}`
  const rest = b.early ? b.plan : []
  if (rest.includes(step)) return planned(rest.filter((x) => x !== step))
  if (early !== 'edge' && pieceAt(view, spot) !== '.') return none
  return planned(early === 'edge' || (early === 'pair' && rest.length === 1) ? [...rest, step] : [step])
}

/** Whether pieces are moved in a game, and so dragged. */
export const moves = (early: Early): boolean => early === 'shift' || early === 'flip' || early === 'shot'

const indexOf = (v: View, spot: Spot): number => {
  const [x, y] = spot.split(',').map(Number)
  return (y ?? 0) * v.width + (x ?? 0)
}

export const pieceAt = (v: View, spot: Spot): string => v.pieces[indexOf(v, spot)] ?? '.'
export const ownerAt = (v: View, spot: Spot): string => v.owners[indexOf(v, spot)] ?? '-'

/** A piece is lifted, to be dragged: true if it is one that can be. */
export function lift(b: Board, spot: Spot, early: Early): Board {
  if (b.picked === spot) return { ...b, drawn: [] }
  const mine = b.question && !b.answer ? origins(legalNow(b)).has(spot) : moves(early)
  const next = mine ? press({ ...b, picked: undefined }, spot, early) : b
  return next.picked === spot ? next : b
}

/** A dragged piece is put down. Where it cannot go it stays picked. */
export function drop(b: Board, spot: Spot | undefined, early: Early): Board {
  if (!b.picked || !spot || spot === b.picked) return b
  if (b.question && !b.answer && !targets(b).has(spot)) return { ...b, cursor: spot, picked: undefined, fault: 'fault.illegal' }
  return press(b, spot, early)
}

/** Something was typed: a step, or several, of which the others follow when asked. */
export function type(b: Board, text: string): Board {
  const view = viewOf(b)
  const [word, ...plan] = typedWords(text)
  if (!view || !word || b.options.still) return { ...b, fault: 'fault.unknown' }
  if (!b.question || b.answer) return { ...b, fault: 'fault.turn' }
  const step = meant(view, legalNow(b), word)
  if (!step) return { ...b, cursor: spotNamed(view, word), fault: 'fault.illegal' }
  return { ...take({ ...b, pending: undefined }, step), plan, early: undefined, going: plan.length > 0 }
}

/** Moves the place of the keyboard, by columns and rows as they are seen. */
export function walk(b: Board, l: Layout, right: number, down: number): Board {
  const rows = rowsOfSpots(l)
  const start = b.cursor ?? firstSpot(b, rows)
  let row = rows.findIndex((r) => r.includes(start))
  let column = rows[row]?.indexOf(start) ?? 0
  row = Math.min(rows.length - 1, Math.max(0, row + down))
  const line = rows[row] ?? []
  column = Math.min(line.length - 1, Math.max(0, column + right))
  return { ...b, cursor: line[column] ?? start }
}

/** Where the keyboard begins: at the latest move, else in the middle. */
export function firstSpot(b: Board, rows: readonly (readonly Spot[])[]): Spot {
  const mark = viewOf(b)?.marks?.at(-1)
  if (mark && viewOf(b)?.shape !== 'dots') return spotOf(mark)
  const row = rows[rows.length >> 1] ?? []
  return row[row.length >> 1] ?? '0,0'
}

/** Draws an arrow, or takes an equal one away. */
export function draw(b: Board, from: Spot, to: Spot): Board {
  const rest = b.drawn.filter((a) => a.from !== from || a.to !== to)
  return { ...b, drawn: rest.length < b.drawn.length ? rest : [...rest, { from, to }] }
}

/** The step that is not yet on the board: planned, waiting for a yes, or on its way. */
export const ghost = (b: Board): Step | undefined => b.pending ?? ghosts(b)[0]

/** All such steps: a turn of several parts is planned whole. */
export function ghosts(b: Board): Step[] {
  if (b.pending) return [b.pending]
  return [...b.answer?.steps.slice(0, 1) ?? [], ...(b.early ? b.plan : [])].flatMap((text) => parseStep(text) ?? [])
}
