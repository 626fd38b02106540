// The twin of hub.Apply: a state and a delta give the next state. Both are tested with
// the same vectors.

import type { Delta, Entry, State, View } from './wire.ts'

/** A frame is missing: the delta follows another state than the one at hand. */
export class Gap extends Error {}

/** The state after a delta; the state before stays as it is. */
export function apply(s: State, d: Delta): State {
  if (d.prev !== s.seq) {
    throw new Gap()
  }
  let history = s.history ?? []
  if (d.rewind) history = rewound(history, d.rewind)
  if (d.entries) history = history.concat(d.entries)
  const next: { -readonly [K in keyof State]: State[K] } = { ...s, seq: d.seq, at: d.at }
  if (history.length > 0) next.history = history
  else delete next.history
  if (d.clocks) next.clocks = d.clocks
  if (d.said) next.said = [d.said[0] ?? s.said?.[0] ?? null, d.said[1] ?? s.said?.[1] ?? null]
  if (d.kibitz) next.kibitz = d.kibitz
  if (d.result) next.result = d.result
  if (d.wait?.for) next.wait = d.wait
  else if (d.wait) delete next.wait
  if (d.asks?.length) next.asks = d.asks
  else if (d.asks) delete next.asks
  const view = redrawn(s.view, d)
  if (view) next.view = view
  return next
}

function redrawn(old: View | undefined, d: Delta): View | undefined {
  if (d.view) return d.view
  if (!d.cells?.length && !d.lines?.length && !d.rest) return old
  if (!old) throw new Error('never shown')
  let { pieces, owners } = old
  if (d.cells?.length) {
    const p = [...pieces]
    const o = [...owners]
    for (const { i, c } of d.cells) {
      if (p[i] === undefined || c.length !== 2) {
        throw new Error(`cell ${i} does not exist`)
      }
      p[i] = c.charAt(0)
      o[i] = c.charAt(1)
    }
    pieces = p.join('')
    owners = o.join('')
  }
  const next: { -readonly [K in keyof View]: View[K] } = d.rest
    ? { ...frame(old), ...d.rest, pieces, owners }
    : { ...old, pieces, owners }
  const lines = d.lines ? (old.lines ?? []).concat(d.lines) : old.lines
  if (lines) next.lines = lines
  return next
}

/** What a board keeps when the rest of it is replaced. */
function frame({ shape, ground, loops, width, height, columns, rows }: View): Pick<View, 'shape' | 'ground' | 'loops' | 'width' | 'height' | 'columns' | 'rows'> {
  return { shape, ground, width, height, ...(loops && { loops }), ...(columns && { columns }), ...(rows && { rows }) }
}

/** How many steps of the game an entry stands for. */
export function weight(e: Entry): number {
  if (e.refused) return 0
  const told = (kind: string) => (e.notices ?? []).filter((n) => n.kind === kind).length
  return (e.steps?.length ?? 0) + told('played') || told('moved') // which is what others are told of the same step
}

/** How many decisions a history tells. */
export const decisions = (history: readonly Entry[]): number => history.reduce((sum, e) => sum + weight(e), 0)

/** Takes back steps from the end, with the attempts that were refused after them. */
export function rewound(list: readonly Entry[], steps: number): readonly Entry[] {
  let n = list.length
  for (let last = list[n - 1]; last && (steps > 0 || weight(last) === 0); last = list[n - 1]) {
    steps -= weight(last)
    n--
  }
  return list.slice(0, n)
}
