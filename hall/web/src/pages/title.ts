// What the tab of a browser says of a game: whose turn it is, or how it ended. It knows no more
// than the view of the reader.

import { text, type Words } from '../words.ts'
import type { State } from '../wire.ts'
import { number, say } from './words.ts'

const icon = (dot: boolean): string => `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='7' fill='#0b5d4f'/><circle cx='12' cy='16' r='7' fill='#101413'/><circle cx='20' cy='16' r='7' fill='#f7f3ea'/>${
    dot ? "<circle cx='25' cy='7' r='7' fill='#f0c25a' stroke='#0b5d4f' stroke-width='2'/>" : ''}</svg>`)}`

/** A score, that of a seat in front. */
export const scoreText = (score: readonly [number, number], first: 0 | 1): string => `${number(score[first], 1)}–${number(score[first === 0 ? 1 : 0], 1)}`

/** The title for a state, in the words of the board; kind is what the game is called. */
export function titleOf(s: State, kind: string, words: Words): string {
  const own = s.for === 'first' ? 0 : s.for === 'second' ? 1 : undefined
  const r = s.result
  if (own === undefined) {
    const score = r ? r.board : s.view?.score
    return `${s.names[0]} – ${s.names[1]}${score ? ` ${scoreText(score, 0)}` : ''} · ${kind}`
  }
  const other = own === 0 ? 1 : 0
  if (!r) {
    return s.view?.seat === s.for ? `● ${text(words, 'turn.yours')} – ${s.names[other]} · ${kind}` : `○ ${s.names[other]} · ${kind}`
  }
  const [mine, theirs] = [r.points[own], r.points[other]]
  const word = say(mine > theirs ? 'title.won' : mine < theirs ? 'title.lost' : mine > 0 ? 'title.drawn' : 'title.ended')
  const counts = r.board && (mine === theirs || (r.board[own] - r.board[other]) * (mine - theirs) > 0)
  return `${word}${r.board && counts ? ` ${scoreText(r.board, own)}` : ''} · ${kind}`
}

/** Gives the tab a title, and its icon a dot while it is the reader's turn. */
export function setTitle(title: string): void {
  if (document.title !== title) document.title = title
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const want = icon(title.startsWith('●'))
  if (link && link.getAttribute('href') !== want) link.href = want
}
