// Lines that run on around the corners of a board.

import { middle, type Layout } from '../layout.ts'
import type { Point, View } from '../wire.ts'
import { el, n } from './svg.ts'

/** The arcs around the corners: three quarters of a circle for each line that runs on. */
export function loops(l: Layout, v: View): SVGElement[] {
  const out: SVGElement[] = []
  for (let k = 1; k <= (v.loops ?? 0); k++) {
    for (const x of [0, v.width - 1]) {
      for (const y of [0, v.height - 1]) {
        const dx = x === 0 ? k : -k
        const dy = y === 0 ? k : -k
        out.push(el('path', { class: 'kb-loop', d: arc(l, [x + dx, y], [x, y + dy]) }))
      }
    }
  }
  return out
}

/** An arc outside the board from a point of one edge to one of the next. */
function arc(l: Layout, from: Point, to: Point): string {
  const [ax, ay] = middle(l, from[0], from[1])
  const [bx, by] = middle(l, to[0], to[1])
  const [cx, cy] = corner(l, from, to)
  const r = Math.hypot(ax - cx, ay - cy)
  const sweep = (ax - cx) * (by - cy) - (ay - cy) * (bx - cx) > 0 ? 0 : 1
  return `M${n(ax)} ${n(ay)}A${n(r)} ${n(r)} 0 1 ${sweep} ${n(bx)} ${n(by)}`
}

/** The corner around which two points of neighbouring edges are joined. */
function corner(l: Layout, p: Point, q: Point): Point {
  const x = p[0] === 0 || p[0] === l.width - 1 ? p[0] : q[0]
  const y = p[1] === 0 || p[1] === l.height - 1 ? p[1] : q[1]
  return middle(l, x, y)
}

/** The way of a piece along a path: straight between points of a line, around the corner between others. */
export function wayOf(l: Layout, path: readonly Point[]): readonly Point[] {
  const out: Point[] = []
  path.forEach((p, i) => {
    const before = path[i - 1]
    if (before && before[0] !== p[0] && before[1] !== p[1]) out.push(...around(l, before, p))
    out.push(middle(l, p[0], p[1]))
  })
  return out
}

function around(l: Layout, p: Point, q: Point): Point[] {
  const [cx, cy] = corner(l, p, q)
  const [ax, ay] = middle(l, p[0], p[1])
  const [bx, by] = middle(l, q[0], q[1])
  const start = Math.atan2(ay - cy, ax - cx)
  let turn = Math.atan2(by - cy, bx - cx) - start
  turn = turn > 0 ? turn - 2 * Math.PI : turn + 2 * Math.PI
  if (Math.abs(turn) < Math.PI) turn += turn > 0 ? -2 * Math.PI : 2 * Math.PI
  const r = Math.hypot(ax - cx, ay - cy)
  return Array.from({ length: 15 }, (_, i) => {
    const a = start + (turn * (i + 1)) / 16
    return [cx + r * Math.cos(a), cy + r * Math.sin(a)] as const
  })
}
