// How a game looks and is pressed, as the catalog of games says it.

import type { Look as Any, PieceLook } from '../wire.ts'
import type { Key } from '../words.ts'

/** A piece, whose name the board has words for. */
export interface Piece extends PieceLook {
  readonly name: Key
}

export interface Look extends Any {
  readonly pieces: Readonly<Record<string, Piece>>
}
