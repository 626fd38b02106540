// How a game looks and is pressed, as the catalog of games says it: package game/look has the
// meaning of each word.

import type { View } from '../wire.ts'
import type { Key } from '../words.ts'

export type Early = 'place' | 'shift' | 'flip' | 'edge' | 'none'
export type Figure = 'stone' | 'dead' | 'disc' | 'amazon' | 'man' | 'arrow' | 'box' | 'face' | 'back'

export interface Piece {
  readonly figure: Figure
  readonly colour?: 'black' | 'white' | 'red' | 'ink'
  readonly glyph?: string
  readonly name: Key
}

export interface Look {
  readonly pieces: Readonly<Record<string, Piece>>
  readonly early: Early
  readonly latest: 'marks' | 'walk'
  readonly hints: 'turn' | 'picked'
  readonly home: 'first' | 'second' | 'either'
  readonly turned: 'halves' | 'quarters'
  readonly labels: 'inside' | 'beside'
  readonly number: 'none' | 'stones' | 'turns'
  readonly aid: 'none' | 'chains'
  readonly ranks?: string
}

export type Board = Pick<View, 'shape' | 'width' | 'height'> & { readonly loops: number }

export type Sample = Pick<View, 'shape' | 'ground' | 'width' | 'height' | 'pieces' | 'owners' | 'colours' | 'lines' | 'marks'> & { readonly moves?: readonly string[] }
