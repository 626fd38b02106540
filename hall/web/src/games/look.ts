// What is particular to a game's board. Each game has one small file; the table of them
// is looks.ts. A look draws: it knows no rules.

import type { Early } from '../act.ts'
import type { Layout } from '../layout.ts'
import type { Item, Tools } from '../draw/svg.ts'
import type { View } from '../wire.ts'
import type { Key } from '../words.ts'

export interface Look {
  /** Where the names of columns and rows stand, if not where they usually do. */
  readonly labels?: 'inside' | 'beside'
  /** Where one may go is shown although no piece is picked up. */
  readonly dots?: boolean
  /** The seat whose side is at the bottom; the other one sees the board turned. */
  readonly home?: 0 | 1
  /** The board may lie on its side where its cells are larger so. */
  readonly sideways?: boolean
  /** The kinds of pieces in rank order, as the letters of the first colour; of games in which they are taken. */
  readonly ranks?: string
  /** What can be planned before one's turn. */
  readonly early: Early
  /** Stones have numbers: each its own, or those of a turn the same. */
  readonly numbered?: 'stones' | 'turns'
  /** How the latest move is shown: marks on its points, or an arrow from the first to the second. */
  readonly latest: 'marks' | 'walk'
  /** The body of a piece, around 0,0. style is the set of pieces, "classic" unless chosen. */
  readonly piece: (t: Tools, letter: string, owner: string, style: string) => SVGElement[]
  /** What a piece is called, if not a black or a white one; a text may have the name of its owner. */
  readonly called?: (letter: string) => Key | undefined
  /** Sets of pieces beside the usual one. */
  readonly styles?: readonly string[]
  /** What helps to see the position, if it is asked for. */
  readonly aid?: (l: Layout, v: View) => Item[]
}
