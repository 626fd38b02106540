// All words of the board, by keys. A page passes its own catalogue; what it lacks is
// taken from the English one. {name} stands for something that is put in.

import { board as english } from '../words/lang/en.json'

export { english }

export type Key = keyof typeof english
export type Words = Readonly<Partial<Record<Key, string>>>

// What may be written from right to left, and characters that turn the text behind them.
const turns = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\ud802\ud803\ud83a\ud83b]/

/** A text that stands within another one, such as a name: it does not turn what is around it. */
export const isolated = (s: string): string =>
  turns.test(s) ? `\u2068${s.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069` : s

/** The text of a key with what is put in; a key that is not known is shown as it is. */
export function text(words: Words, key: Key, put: Readonly<Record<string, string | number>> = {}): string {
  const form: string = words[key] ?? english[key] ?? key
  return form.replace(/\{(\w+)\}/g, (_, name: string) => isolated(String(put[name] ?? '')))
}

/** A key that is put together from a word of the hall, if the catalogue has it. */
export const known = (key: string): key is Key => key in english

/** How pages call a seat: levels of the built-in engine, which the hall names by their
 * number, by who plays there. */
export function calledName(words: Words, name: string): string {
  const key = `level.${/^Level ([1-9])$/.exec(name)?.[1] ?? ''}`
  return known(key) ? text(words, key) : name
}
