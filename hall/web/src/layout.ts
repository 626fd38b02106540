// Where things are drawn. The board is measured in units: a cell is one UNIT wide. A
// layout can be turned by quarters, so that each side can look from its own end.

import { edgeSpot, spotOf, type Spot } from './step.ts'
import type { Point, View } from './wire.ts'

/** The side of a cell in units of the picture. */
export const UNIT = 60

/** Quarter turns clockwise. */
export type Quarter = 0 | 1 | 2 | 3

export interface Layout {
  readonly shape: View['shape']
  /** Columns and rows as the view counts them, before turning. */
  readonly width: number
  readonly height: number
  readonly quarter: Quarter
  /** Columns and rows as they are seen. */
  readonly across: number
  readonly down: number
  /** The size of labels, 0 for none. */
  readonly letters: number
  /** Space for labels beside the board, at the left and at the bottom. */
  readonly labels: number
  /** Space for what is drawn outside, on all sides. */
  readonly around: number
  /** The whole picture. */
  readonly w: number
  readonly h: number
}

/** Cells of space that loops need around a board: from the edge of its cells, and a little. */
const aroundLoops = (loops: number): number => (loops > 0 ? loops - 0.32 : 0)

export function layoutOf(view: View, quarter: Quarter, labels: 'none' | 'inside' | 'beside'): Layout {
  const odd = quarter % 2 === 1
  const across = odd ? view.height : view.width
  const down = odd ? view.width : view.height
  const size = labels === 'none' ? 0 : Math.max(UNIT * (view.shape === 'dots' ? 0.21 : 0.25), Math.max(across, down) * UNIT * 0.024)
  const band = labels === 'beside' ? size * 1.4 : 0
  const rim = UNIT * (aroundLoops(view.loops ?? 0) + (view.shape === 'cells' ? 0.16 : 0.1))
  return {
    shape: view.shape, width: view.width, height: view.height, quarter, across, down, letters: size, labels: band, around: rim,
    w: across * UNIT + 2 * rim + band, h: down * UNIT + 2 * rim + band,
  }
}

/** Turns a place of the board, which may lie between points, into one as it is seen. */
export function seen(l: Layout, x: number, y: number): Point {
  switch (l.quarter) {
    case 1:
      return [l.height - 1 - y, x]
    case 2:
      return [l.width - 1 - x, l.height - 1 - y]
    case 3:
      return [y, l.width - 1 - x]
    default:
      return [x, y]
  }
}

/** The other way round. */
export function unseen(l: Layout, a: number, b: number): Point {
  switch (l.quarter) {
    case 1:
      return [b, l.height - 1 - a]
    case 2:
      return [l.width - 1 - a, l.height - 1 - b]
    case 3:
      return [l.width - 1 - b, a]
    default:
      return [a, b]
  }
}

/** The middle of a point or cell in units of the picture. */
export function middle(l: Layout, x: number, y: number): Point {
  const [a, b] = seen(l, x, y)
  return [l.labels + l.around + (a + 0.5) * UNIT, l.around + (b + 0.5) * UNIT]
}

/** The two ends of a line of a board of dots, in units of the picture. */
export function ends(l: Layout, x: number, y: number, vertical: boolean): readonly [Point, Point] {
  return [middle(l, x, y), vertical ? middle(l, x, y + 1) : middle(l, x + 1, y)]
}

/** The spot under a place of the picture, undefined beside the board. On a board of
 * dots it is the nearest line. */
export function hit(l: Layout, px: number, py: number): Spot | undefined {
  const a = (px - l.labels - l.around) / UNIT - 0.5
  const b = (py - l.around) / UNIT - 0.5
  if (l.shape === 'dots') return nearestLine(l, a, b)
  const [x, y] = unseen(l, Math.round(a), Math.round(b))
  return x >= 0 && y >= 0 && x < l.width && y < l.height ? spotOf([x, y]) : undefined
}

function nearestLine(l: Layout, a: number, b: number): Spot | undefined {
  const [u, v] = unseen(l, a, b)
  const dx = Math.abs(u - Math.round(u))
  const dy = Math.abs(v - Math.round(v))
  const vertical = dx < dy
  const x = vertical ? Math.round(u) : Math.floor(u)
  const y = vertical ? Math.floor(v) : Math.round(v)
  if (Math.min(dx, dy) > 0.35) return undefined
  return x >= 0 && y >= 0 && x < l.width - (vertical ? 0 : 1) && y < l.height - (vertical ? 1 : 0) ? edgeSpot([x, y], vertical) : undefined
}

/** The middle of a spot. */
export function middleOf(l: Layout, at: Point, line: '' | '-' | '|'): Point {
  if (!line) return middle(l, at[0], at[1])
  const [p, q] = ends(l, at[0], at[1], line === '|')
  return [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2]
}

/** All spots of a board, in rows as they are seen, for the keyboard and for readers. */
export function rowsOfSpots(l: Layout): Spot[][] {
  const rows: Spot[][] = []
  if (l.shape !== 'dots') {
    for (let b = 0; b < l.down; b++) {
      rows.push(Array.from({ length: l.across }, (_, a) => spotOf(unseen(l, a, b))))
    }
    return rows
  }
  for (let b = 0; b < l.down; b++) {
    const level: Spot[] = []
    const rise: Spot[] = []
    for (let a = 0; a < l.across; a++) {
      if (a + 1 < l.across) level.push(between(unseen(l, a, b), unseen(l, a + 1, b)))
      if (b + 1 < l.down) rise.push(between(unseen(l, a, b), unseen(l, a, b + 1)))
    }
    rows.push(level)
    if (rise.length > 0) rows.push(rise)
  }
  return rows
}

/** The line between two neighbouring dots. */
function between(p: Point, q: Point): Spot {
  return edgeSpot([Math.min(p[0], q[0]), Math.min(p[1], q[1])], p[0] === q[0])
}
