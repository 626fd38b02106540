// A board that is set up, as a value: what stands on it, who is to move, and how it is turned.

import type { Look } from '../games/look.ts'
import type { Colour, Line, Point, View } from '../wire.ts'

export interface Set {
  readonly view: View
  /** A letter for each point, '.' where nothing stands. */
  readonly cells: readonly string[]
  readonly lines: readonly Line[]
  readonly seat: 0 | 1
  readonly colours: readonly [Colour, Colour]
  /** Letters of pieces that have left the board, where that matters. */
  readonly taken: string
}

export type Change = (s: Set) => Set

/** The board that a view shows. */
export function painted(view: View, look: Look): Set {
  const open = view.colours[0] === 'unknown'
  const taken = look.ranks ? (view.trays ?? []).filter((t) => t.name === 'taken').map((t) => [...t.pieces ?? ''].map((p, i) => p.repeat(t.counts?.[i] ?? 0)).join('')).join('') : ''
  return { view, cells: [...view.pieces], lines: view.lines ?? [], seat: view.seat === 'second' ? 1 : 0, colours: open ? ['red', 'black'] : view.colours, taken }
}

/** Whose a piece is, as a view writes it. */
export function owned(letter: string, s: Set, look: Look): string {
  const p = look.pieces[letter]
  if (p?.figure === 'box') return letter === 'b' ? '0' : '1'
  if (look.ranks) return letter === '.' || letter === 'X' ? '-' : (letter === letter.toUpperCase()) === (s.colours[0] === 'red') ? '0' : '1'
  const i = s.colours.findIndex((c) => c === p?.colour)
  return i < 0 ? '-' : String(i)
}

const lineKey = (x: number, y: number, vertical: number): string => `${x},${y},${vertical}`

/** Draws a line or takes it away; boxes that it closes are of the letter, those that it opens nobody's. */
export function linesOf(s: Set, line: Line, letter: string): Set {
  const others = s.lines.filter((l) => lineKey(l[0], l[1], l[2]) !== lineKey(line[0], line[1], line[2]))
  const lines = letter === '.' ? others : [...others, line]
  const have = new Set(lines.map((l) => lineKey(l[0], l[1], l[2])))
  const { width } = s.view
  const cells = s.cells.map((c, i) => {
    const [x, y] = [i % width, Math.floor(i / width)]
    const closed = [lineKey(x, y, 0), lineKey(x, y + 1, 0), lineKey(x, y, 1), lineKey(x + 1, y, 1)].every((l) => have.has(l))
    return !closed ? '.' : c === '.' ? letter : c
  })
  return { ...s, lines, cells }
}

type Way = (x: number, y: number) => Point

/** The board seen in a mirror, by half a turn, by a quarter of one. */
export const mirror = ({ view: { width } }: Set): Way => (x, y) => [width - 1 - x, y]
export const turned = ({ view: { width, height } }: Set): Way => (x, y) => [width - 1 - x, height - 1 - y]
export const quarter = ({ view: { height } }: Set): Way => (x, y) => [height - 1 - y, x]

/** What stands on the board goes to other points. */
export function changed(s: Set, way: Way): Set {
  const { width, shape } = s.view
  const cells = s.cells.map(() => '.')
  s.cells.forEach((c, i) => {
    if (c === '.') return
    const [x, y] = [i % width, Math.floor(i / width)]
    const [a, b] = [way(x, y), shape === 'dots' ? way(x + 1, y + 1) : way(x, y)]
    cells[Math.min(a[1], b[1]) * width + Math.min(a[0], b[0])] = c
  })
  const lines = s.lines.map(([x, y, vertical, by]): Line => {
    const [a, b] = [way(x, y), vertical ? way(x, y + 1) : way(x + 1, y)]
    return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), a[0] === b[0] ? 1 : 0, by]
  })
  return { ...s, cells, lines }
}

/** The seats exchange their pieces, and the other one is to move. */
export function swapped(s: Set, look: Look): Set {
  const other = (letter: string): string => {
    const p = look.pieces[letter]
    return Object.keys(look.pieces).find((x) => p?.colour && look.pieces[x]?.figure === p.figure && look.pieces[x]?.colour !== p.colour) ?? letter
  }
  return { ...s, cells: s.cells.map(other), seat: s.seat === 0 ? 1 : 0 }
}
