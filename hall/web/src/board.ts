// What pages take of boards. Whoever takes some of it fetches all of it, in one file: so
// a page imports boards from here, and from a part only what goes with boards anyway.

import { KibitzBoard } from './element.ts'
import { speak, type Words } from './words.ts'

export { KibitzBoard }
export { followMany } from './live.ts'
export { pointName, stepName, textName } from './names.ts'
export { html } from './panel.ts'
export { deltaText, nameOf, pieceName } from './say.ts'

/** Gives the browser the element <kibitz-board>, and all boards their words. */
export function defineBoard(words: Words): void {
  speak(words)
  if (!customElements.get('kibitz-board')) customElements.define('kibitz-board', KibitzBoard)
}
