// Turns: what a seat decides until the other one is on turn. A list of moves has one entry
// for each, whether its decisions came one by one, as people make them, or together.

import { decisions } from './apply.ts'
import type { Entry, Seat } from './wire.ts'

export interface Turn<E extends Entry = Entry> {
  /** Counted from 1. */
  readonly number: number
  readonly by: Seat
  readonly opening: boolean
  readonly entries: readonly E[]
  /** How many entries come before it, and how many decisions there are up to its end. */
  readonly before: number
  readonly after: number
  /** The time that it took, in milliseconds. */
  readonly used: number
}

/** The turns of a history; the last one may go on. */
export function turnsOf<E extends Entry>(history: readonly E[]): Turn<E>[] {
  const out: Turn<E>[] = []
  let from = 0
  let after = 0
  history.forEach((e, i) => {
    if (!e.ended && i < history.length - 1) return
    const entries = history.slice(from, i + 1)
    after += decisions(entries)
    out.push({
      number: out.length + 1, by: entries.find((x) => x.by === 'first' || x.by === 'second')?.by ?? e.by, opening: entries[0]?.opening ?? false,
      entries, before: from, after, used: entries.reduce((sum, x) => sum + (x.used ?? 0), 0),
    })
    from = i + 1
  })
  return out
}

/** The number of the turn after which there are so many decisions, 0 at the beginning. */
export const turnAfter = (turns: readonly Turn[], decisions: number): number => turns.filter((t) => t.after <= decisions).length
