// The curves of a game that is over: one cursor over all of them, the list and the board.

import type { Turn } from '../turns.ts'
import type { Replay } from '../wire.ts'
import { Curves, type Sample } from './chart.ts'
import { byId } from './dom.ts'
import { scoreOf } from './words.ts'

/** Draws what the record tells of each of its turns; undefined if that is nothing. pick goes to a position of the record. */
export function curvesOf(r: Replay, turns: readonly Turn<Replay['steps'][number]>[], pick: (ply: number) => void): Curves | undefined {
  const list: Sample[] = turns.map((t) => {
    const said = t.entries.findLast((s) => s.said)?.said
    return {
      seat: t.by === 'first' ? 0 : t.by === 'second' ? 1 : -1,
      score: scoreOf(said), depth: said?.depth || undefined, nodes: said?.nodes || undefined,
      used: t.entries.every((s) => s.used === undefined) ? undefined : t.used / 1000,
    }
  })
  const known: Readonly<Record<string, boolean>> = {
    score: list.some((x) => x.score !== undefined), time: list.some((x) => (x.used ?? 0) > 0),
    depth: list.some((x) => x.depth), nodes: list.some((x) => x.nodes),
  }
  const boxes = Object.entries(known).flatMap(([kind, on]) => {
    const box = byId(`curve-${kind}`)
    if (!box || !on) return []
    box.hidden = false
    return [[kind, box] as const]
  })
  if (boxes.length === 0) return undefined
  byId('curves')?.removeAttribute('hidden')
  const curves = new Curves(Object.fromEntries(boxes), r.names, (n) => pick(turns[n]?.before ?? r.steps.length))
  curves.draw(list)
  const each = byId<HTMLButtonElement>('each')
  if (each) each.hidden = !known['score']
  each?.addEventListener('click', () => {
    const on = each.getAttribute('aria-pressed') !== 'true'
    each.setAttribute('aria-pressed', String(on))
    curves.each(on)
  })
  return curves
}
