// The texts of a page: those that it carries for its scripts, in its language.

import type { Words } from '../words.ts'

interface All {
  readonly board?: Words
  readonly script?: Readonly<Record<string, string>>
}

let read: All | undefined

function all(): All {
  read ??= JSON.parse(document.getElementById('words')?.textContent ?? '{}') as All
  return read
}

/** The words of boards. */
export const boardWords = (): Words => all().board ?? {}

/** A text of the scripts, with what stands in it as {name}. */
export function say(key: string, put: Readonly<Record<string, string | number>> = {}): string {
  const form = all().script?.[key] ?? key
  return form.replace(/\{(\w+)\}/g, (_, name: string) => String(put[name] ?? ''))
}

/** The language of the page. */
export const language = (): string => document.documentElement.lang || 'en'

/** Writes a number with at most so many decimals. */
export const number = (n: number, decimals = 0): string => new Intl.NumberFormat(language(), { maximumFractionDigits: decimals }).format(n)
