// The chains of a board of dots, drawn if they are asked for.

import { el, n, type Item } from './svg.ts'
import { middle, UNIT, type Layout } from '../layout.ts'
import type { Point, View } from '../wire.ts'

/** The chains of a position with their lengths. */
export function chainItems(l: Layout, v: View): Item[] {
  return chains(v).flatMap((c) => drawn(l, c))
}

/** Boxes that can be taken one after the other: neighbours through a line that is open,
 * each with two open lines (or one, at an end that can be taken at once). */
export function chains(v: View): Point[][] {
  const lines = new Set((v.lines ?? []).map(([x, y, vertical]) => `${x},${y},${vertical}`))
  const open = ([x, y]: Point): Point[] => {
    const beyond: [string, Point][] = [[`${x},${y},0`, [x, y - 1]], [`${x},${y + 1},0`, [x, y + 1]], [`${x},${y},1`, [x - 1, y]], [`${x + 1},${y},1`, [x + 1, y]]]
    return beyond.flatMap(([line, p]) => (lines.has(line) ? [] : [p]))
  }
  const key = (p: Point) => p.join()
  const rest = new Map<string, Point>()
  for (let y = 0; y + 1 < v.height; y++) {
    for (let x = 0; x + 1 < v.width; x++) {
      const k = open([x, y]).length
      if (k === 1 || k === 2) rest.set(key([x, y]), [x, y])
    }
  }
  const out: Point[][] = []
  for (const begin of rest.values()) {
    if (!rest.delete(key(begin))) continue
    const chain = [begin]
    for (const at of chain) {
      for (const p of open(at)) if (rest.delete(key(p))) chain.push(p)
    }
    out.push(chain)
  }
  return out
}

/** A chain of three and more boxes is long; its number stands in the first one. */
function drawn(l: Layout, chain: readonly Point[]): Item[] {
  const long = chain.length > 2 ? ' kb-long' : ''
  const [first] = chain
  return chain.map((p) => ({
    key: `chain${p.join()}`,
    sign: `${long}${p === first ? chain.length : ''}`,
    make: () => {
      const [x, y] = middle(l, p[0] + 0.5, p[1] + 0.5)
      const r = UNIT * 0.3
      const box = el('rect', { class: `kb-chain${long}`, x: n(x - r), y: n(y - r), width: n(2 * r), height: n(2 * r), rx: 8 })
      return p === first ? el('g', {}, box, el('text', { class: 'kb-chain-number', x: n(x), y: n(y + 6) }, String(chain.length))) : box
    },
  }))
}
