// The script of a page with boards that brings no words: they speak English.

import { board as english } from '../words/lang/en.json'
import { defineBoard } from './define.ts'

export { english }
export { KibitzBoard } from './element.ts'
export { apply, Gap } from './apply.ts'
export { follow, followMany, send } from './live.ts'
export { pointName, stepName, textName } from './names.ts'
export { nameOf, resultText } from './say.ts'
export { text, type Key, type Words } from './words.ts'
export type * from './wire.ts'

defineBoard(english)
