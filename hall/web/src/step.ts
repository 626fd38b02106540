// A step is one decision. On the wire it is a short text that is the same for all
// games: a letter for what is done, then points and a number.
//
//   p7,7   s1,2>3,4   x5,6   f0,3   e2,2:1   -   c1   r   d3,3:12

import type { Point } from './wire.ts'

export type Op = 'place' | 'shift' | 'shoot' | 'flip' | 'edge' | 'pass' | 'choose' | 'resign' | 'deal'

export interface Step {
  readonly op: Op
  /** As it came, and as it is sent. */
  readonly text: string
  readonly from?: Point
  readonly to?: Point
  /** 1 for a vertical line; the number of a choice or of what was dealt. */
  readonly arg: number
}

const ops: Readonly<Record<string, Op>> = {
  p: 'place', s: 'shift', x: 'shoot', f: 'flip', e: 'edge', '-': 'pass', c: 'choose', r: 'resign', d: 'deal',
}

const form = /^([psxfe\-crd])(?:(-?\d+),(-?\d+)(?:>(-?\d+),(-?\d+))?(?::(-?\d+))?|(-?\d+))?$/

/** Reads a step; undefined for what is none. */
export function parseStep(text: string): Step | undefined {
  const m = form.exec(text)
  const op = m && ops[m[1]!]
  if (!m || !op) return undefined
  const a: Point | undefined = m[2] === undefined ? undefined : [Number(m[2]), Number(m[3])]
  const b: Point | undefined = m[4] === undefined ? undefined : [Number(m[4]), Number(m[5])]
  const arg = Number(m[6] ?? m[7] ?? 0)
  switch (op) {
    case 'shift':
      return a && b ? { op, text, from: a, to: b, arg: 0 } : undefined
    case 'pass':
    case 'resign':
      return text.length === 1 ? { op, text, arg: 0 } : undefined
    case 'choose':
      return m[7] === undefined ? undefined : { op, text, arg }
    case 'edge':
    case 'deal':
      return a && !b && m[6] !== undefined ? { op, text, to: a, arg } : undefined
    default:
      return a && !b && m[6] === undefined ? { op, text, to: a, arg: 0 } : undefined
  }
}

/** A spot is what can be pointed at: "3,4" is a point, "3,4-" and "3,4|" are the lines
 * that start there, to the right and downwards. */
export type Spot = string

export const spotOf = (p: Point): Spot => `${p[0]},${p[1]}`

export const edgeSpot = (p: Point, vertical: boolean): Spot => `${p[0]},${p[1]}${vertical ? '|' : '-'}`

/** Where a step ends on the board; undefined for a pass or a choice. */
export function target(s: Step): Spot | undefined {
  if (!s.to) return undefined
  return s.op === 'edge' ? edgeSpot(s.to, s.arg === 1) : spotOf(s.to)
}

/** The point of a spot, and which line it is, if it is one. */
export function parseSpot(spot: Spot): { at: Point; line: '' | '-' | '|' } {
  const end = spot.at(-1)
  const line = end === '-' || end === '|' ? end : ''
  const [x, y] = (line ? spot.slice(0, -1) : spot).split(',')
  return { at: [Number(x), Number(y)], line }
}
