// All words of the board, by keys. What the catalogue of a board lacks is taken from that of
// all boards. {name} stands for something that is put in.

import type { board } from '../words/lang/en.json'

export type Key = keyof typeof board
export type Words = Readonly<Partial<Record<Key, string>>>

let all: Words = {}

/** Gives all boards their words. */
export function speak(words: Words): void {
  all = words
}

// What may be written from right to left, and characters that turn the text behind them.
const turns = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\ud802\ud803\ud83a\ud83b]/

/** A text that stands within another one, such as a name: it does not turn what is around it. */
export const isolated = (s: string): string =>
  turns.test(s) ? `\u2068${s.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069` : s

/** The text of a key with what is put in; a key that is not known is shown as it is. */
export function text(words: Words, key: Key, put: Readonly<Record<string, string | number>> = {}): string {
  const form: string = words[key] ?? all[key] ?? key
  return form.replace(/\{(\w+)\}/g, (_, name: string) => isolated(String(put[name] ?? '')))
}

/** The sign before decimals, in the language of the page. */
export const decimal = (): string => document.documentElement.dataset['half']?.[1] ?? '.'

/** A key that is put together from a word of the hall, if a catalogue has it. */
export const known = (words: Words, key: string): key is Key => key in words || key in all

/** How pages call a seat: levels of the built-in engine, which the hall names by their
 * number, by who plays there. */
export function calledName(words: Words, name: string): string {
  const key = `level.${/^Level ([1-9])$/.exec(name)?.[1] ?? ''}`
  return known(words, key) ? text(words, key) : name
}
