// The script of a page with boards.

import { KibitzBoard } from './element.ts'

export { KibitzBoard } from './element.ts'
export { apply, Gap } from './apply.ts'
export { follow, followMany, send } from './live.ts'
export { pointName, stepName, textName } from './names.ts'
export { nameOf, resultText } from './say.ts'
export { english, text, type Key, type Words } from './words.ts'
export type * from './wire.ts'

if (!customElements.get('kibitz-board')) customElements.define('kibitz-board', KibitzBoard)
