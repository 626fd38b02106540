// What a view notes beside the board, in the reader's language. A note whose code has no
// words is shown as the game says it.

import type { Note, NoteCode } from './wire.ts'
import { known, text, type Key, type Words } from './words.ts'

/** The words of each kind of note; empty for what the board shows by itself. */
const words: Readonly<Record<NoteCode, Key | ''>> = {
  move: 'note.move', ko: 'note.ko', nocapture: 'note.nocapture', noeat: 'note.noeat', turning: 'note.turning', second: '', swap2: 'note.swap2',
  forbidden: '',
}

/** A note in the words of the page, empty if nothing need be said. */
export function noteText(w: Words, note: Note): string {
  const key: Key | '' | undefined = words[note.code]
  if (key === undefined) return note.text // of a hall that is newer than this page
  const foul: string = `foul.${note.args?.[0] ?? ''}`
  if (note.code === 'forbidden' && known(w, foul)) return text(w, 'say.move', { name: text(w, foul), move: note.args?.slice(1).join(' ') ?? '' })
  return key && text(w, key, { a: note.args?.[0] ?? '', b: note.args?.[1] ?? '' })
}

/** How near a count that is noted is to its limit, 0 to 1; 1 for notes that count nothing. */
export function nearness(note: Note): number {
  const [a, b] = [Number(note.args?.[0]), Number(note.args?.[1])]
  return Number.isFinite(a) && b > 0 ? a / b : 1
}
