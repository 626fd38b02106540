// Games with stones on crossings: five in a row, Connect6, NoGo, Phantom Go.

import { deadStone, stone } from '../draw/pieces.ts'
import type { Tools } from '../draw/svg.ts'
import type { Look } from './look.ts'

/** A stone by its letter: b and w are stones in lower case games, dead ones in five in a row. */
const plain = (t: Tools, letter: string) => stone(t, letter.toLowerCase() === 'b' ? 'black' : 'white')

export const gomoku: Look = {
  early: 'place',
  numbered: 'stones',
  latest: 'marks',
  called: (letter) => (letter === letter.toLowerCase() ? 'piece.dead' : undefined),
  piece: (t, letter) => (letter === 'b' || letter === 'w' ? deadStone(t, letter === 'b' ? 'black' : 'white') : plain(t, letter)),
}

export const connect6: Look = { early: 'place', numbered: 'turns', latest: 'marks', piece: plain }

export const nogo: Look = { early: 'place', latest: 'marks', piece: plain }

export const phantomgo: Look = { early: 'place', latest: 'marks', piece: plain }
