// The look of each game. The table is list.ts, which the catalog of games writes.

import { looks } from './list.ts'
import type { Look, Piece } from './look.ts'

/** A game that is not in the table is drawn by its letters. */
const plain: Look = {
  pieces: {}, early: 'none', latest: 'marks', hints: 'picked', home: 'either', turned: 'halves', labels: 'inside', number: 'none', aid: 'none', passes: 'none',
}

export const lookOf = (game: string): Look => looks[game] ?? plain

/** How a letter is drawn and called; one that has no figure is shown as it is. */
export const pieceOf = (look: Look, letter: string): Piece | undefined => look.pieces[letter]
