import { stone } from '../draw/pieces.ts'
import type { Look } from './look.ts'

export const surakarta: Look = {
  home: 1,
  early: 'shift',
  latest: 'walk',
  piece: (t, letter) => stone(t, letter === 'b' ? 'black' : 'white'),
}
