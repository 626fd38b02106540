// How a page gets its boards.

import { KibitzBoard } from './element.ts'
import { speak, type Words } from './words.ts'

export { followMany } from './live.ts' // for who fetches both later, in one piece

/** Gives the browser the element <kibitz-board>, and all boards their words. */
export function defineBoard(words: Words): void {
  speak(words)
  if (!customElements.get('kibitz-board')) customElements.define('kibitz-board', KibitzBoard)
}
