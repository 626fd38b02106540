// What a review comes to: how accurate both were, their marks, the costliest turns. The page of a game and
// the report of a match show it alike.

import { html } from '../panel.ts'
import type { Review, ReviewedTurn } from '../wire.ts'
import { number, sayAnalysis } from './words.ts'

const signs = ['?!', '?', '??'] as const

/** The seats, the reader's own first if he has one. */
export const seatsFor = (mine: number): readonly (0 | 1)[] => (mine === 1 ? [1, 0] : [0, 1])

/** How turns are written. */
export interface TurnTexts {
  played(t: ReviewedTurn): string
  best(t: ReviewedTurn): string
}

/** The costliest turn, of the reader's own if he has a seat, where none cost so much that it has a mark. */
export function spotless(r: Review, mine: number): { readonly largest: ReviewedTurn | undefined } | undefined {
  const turns = r.turns.filter((t) => mine < 0 || t.seat === mine)
  if (turns.some((t) => t.mark) || (mine >= 0 && (r.accuracy[mine] ?? -1) < 0)) return undefined
  return { largest: turns.sort((a, b) => b.lost - a.lost)[0] }
}

/** What a review says, of the reader's own seat first if he has one; acts are what may be done about a turn. */
export function reviewed(r: Review, names: readonly [string, string], text: TurnTexts, acts: (t: ReviewedTurn) => readonly Node[], mine = -1): HTMLElement[] {
  const costly = r.turns.filter((t) => t.rank).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || b.lost - a.lost)
  const none = spotless(r, mine)
  const row = (t: ReviewedTurn) => {
    const put = { name: names[t.seat as 0 | 1], move: `${text.played(t)}${t.mark ? ` ${t.mark}` : ''}`, lost: number(t.lost, 1), points: number(t.points ?? 0, 1), best: text.best(t) }
    const said = t.seat === mine
      ? t.points ? sayAnalysis('review.points.own', put) : sayAnalysis('review.turn.own', put)
      : t.points ? sayAnalysis('review.points', put) : sayAnalysis('review.turn', put)
    return html('li', '', said, ...acts(t).flatMap((e) => [' ', e]))
  }
  const seats = seatsFor(mine)
  return [
    ...seats.flatMap((s) => ((r.accuracy[s] ?? -1) < 0 ? [] : [
      html('p', '', html('b', '', sayAnalysis('review.accuracy', { name: names[s], value: number(r.accuracy[s]!, 1) })), ...signs.map((sign, i) => ` · ${r.marks[s]![i]!} ${sign}`)),
    ])),
    ...seats.flatMap((s) => {
      const list = costly.filter((t) => t.seat === s)
      return list.length === 0 ? [] : [html('h3', '', s === mine ? sayAnalysis('review.costliest.own') : sayAnalysis('review.costliest', { name: names[s] })), html('ol', 'found', ...list.map(row))]
    }),
    ...(none ? [html('p', '', mine < 0 ? sayAnalysis('review.none') : sayAnalysis('review.none.own'), ...(none.largest ? [' ', sayAnalysis('review.largest', { move: text.played(none.largest), lost: number(none.largest.lost, 1) })] : []))] : []),
  ]
}
