import { disc } from '../draw/pieces.ts'
import type { Look } from './look.ts'

export const othello: Look = {
  early: 'place',
  dots: true,
  latest: 'marks',
  piece: (t, letter) => disc(t, letter === 'B' ? 'black' : 'white'),
}
