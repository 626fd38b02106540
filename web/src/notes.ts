// What a view notes beside the board comes in English; here it becomes the reader's
// language. A note that is not known is shown as it came.

import { text, type Key, type Words } from './words.ts'

/** The notes of the games, and the words for them; none where the board shows it anyway. */
const known: readonly (readonly [RegExp, Key | ''])[] = [
  [/^move (\S+) of at most (\S+)$/, 'note.move'],
  [/^ko at (\S+)$/, 'note.ko'],
  [/^no capture (\S+) of (\S+)$/, 'note.nocapture'],
  [/^no-eat (\S+) of (\S+)$/, 'note.noeat'],
  [/^turning over (\S+)$/, 'note.turning'],
  [/^second stone of the turn$/, ''],
  [/^swap2: .+$/, ''],
  [/^forbidden .+$/, ''],
]

/** A note in the words of the page, empty if nothing need be said. */
export function noteText(w: Words, note: string): string {
  for (const [form, key] of known) {
    const m = form.exec(note)
    if (m) return key === '' ? '' : text(w, key, { a: m[1] ?? '', b: m[2] ?? '' })
  }
  return note
}
