// The texts of a page: those that it carries for its scripts, in its language.

import type { Said } from '../wire.ts'
import type { Words } from '../words.ts'

interface All {
  readonly board?: Words
  readonly script?: Readonly<Record<string, string>>
  readonly analysis?: Readonly<Record<string, string>>
}

let read: All | undefined

function all(): All {
  read ??= JSON.parse(document.getElementById('words')?.textContent ?? '{}') as All
  return read
}

/** Gives the words to a page that does not carry them. */
export function carry(words: All): void {
  read = words
}

/** The words of boards. */
export const boardWords = (): Words => all().board ?? {}

/** A text of the scripts, with what stands in it as {name}. */
export const say = (key: string, put: Readonly<Record<string, string | number>> = {}): string => fill(all().script?.[key] ?? key, put)

/** A text of analyses; empty if there is none of that name. */
export function sayAnalysis(key: string, put: Readonly<Record<string, string | number>> = {}): string {
  return fill(all().analysis?.[key] ?? '', put)
}

function fill(form: string, put: Readonly<Record<string, string | number>>): string {
  return form.replace(/\{(\w+)\}/g, (_, name: string) => String(put[name] ?? ''))
}

/** Moves to no place of the board, by the names that they are typed by. */
const beside: readonly string[] = ['pass', 'stay', 'swap', 'two']

/** What a move is called in a list, by its usual name. */
export const moveName = (name: string): string => (beside.includes(name) ? say(name) : name)

/** What moves are called, each by its usual name, one behind the other. */
export const moveNames = (moves: readonly string[] | undefined, name: (move: string) => string): string => (moves ?? []).map((m) => moveName(name(m))).join(' ')

/** The language of the page. */
export const language = (): string => document.documentElement.lang || 'en'

/** Forms of numbers by how many decimals they have: one is dear to make. */
const numbers: Intl.NumberFormat[] = []

/** A number below a thousand with at most so many decimals, where a half is written like that. */
export function small(n: number, decimals: number, half: string): string {
  const text = String(Number(Math.abs(n).toFixed(decimals))).replace('.', half[1]!)
  return n < 0 && text !== '0' ? `-${text}` : text
}

/** Writes a number with at most so many decimals. The page says how it writes a half, so that most numbers need no form. */
export function number(n: number, decimals = 0): string {
  const half = document.documentElement.dataset['half']
  if (half && Math.abs(n) < 999) return small(n, decimals, half)
  return (numbers[decimals] ??= new Intl.NumberFormat(language(), { maximumFractionDigits: decimals })).format(n)
}

/** The evaluation as one number, if the engine gave any. */
export const scoreOf = (x: Said | null | undefined): number | undefined =>
  x?.lo === undefined ? x?.hi : x.hi === undefined || x.hi === x.lo ? x.lo : (x.lo + x.hi) / 2

/** Units of evaluations (package game). */
export const chance = 3
export const mate = 4

/** An evaluation in its unit: a chance in percent, turns to the end behind #, all else with its sign. Empty if the
 * engine gave none. */
export function valueText(x: Said | null | undefined, decimals: number): string {
  const score = scoreOf(x)
  if (score === undefined) return ''
  if (x?.unit === chance) return `${number(100 * score)} %`
  if (x?.unit === mate) return `#${number(score)}`
  return (score > 0 ? '+' : '') + number(score, decimals)
}
