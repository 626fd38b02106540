// What a view notes beside the board, in the reader's language. A note whose code has no
// words is shown as the game says it.

import type { Note } from './wire.ts'
import { known, text, type Words } from './words.ts'

/** Notes that the board shows by itself. */
const seen = new Set(['second', 'swap2', 'forbidden'])

/** A note in the words of the page, empty if nothing need be said. */
export function noteText(w: Words, note: Note): string {
  if (seen.has(note.code)) return ''
  const key = `note.${note.code}`
  if (!known(key)) return note.text
  return text(w, key, { a: note.args?.[0] ?? '', b: note.args?.[1] ?? '' })
}

/** How near a count that is noted is to its limit, 0 to 1; 1 for notes that count nothing. */
export function nearness(note: Note): number {
  const [a, b] = [Number(note.args?.[0]), Number(note.args?.[1])]
  return Number.isFinite(a) && b > 0 ? a / b : 1
}
