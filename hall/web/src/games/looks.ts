// The table of games.

import { letterDisc } from '../draw/pieces.ts'
import { amazons } from './amazons.ts'
import { breakthrough } from './breakthrough.ts'
import { darkchess } from './darkchess.ts'
import { dotsandboxes } from './dotsandboxes.ts'
import type { Look } from './look.ts'
import { othello } from './othello.ts'
import { connect6, gomoku, nogo, phantomgo } from './stones.ts'
import { surakarta } from './surakarta.ts'

const looks: Readonly<Record<string, Look>> = { amazons, breakthrough, connect6, darkchess, dotsandboxes, gomoku, nogo, othello, phantomgo, surakarta }

/** How a game looks; one that is not in the table is drawn by its letters. */
export function lookOf(game: string): Look {
  return looks[game] ?? { early: 'none', latest: 'marks', piece: letterDisc }
}
