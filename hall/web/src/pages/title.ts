// What the tab of a browser says of a game: whose turn it is, or how it ended. It knows no more
// than the view of the reader.

import { text, type Words } from '../words.ts'
import type { State } from '../wire.ts'
import { number, say } from './words.ts'

/** The dot of the page's icon, which stands before the end of its drawing. */
const end = '%3C/svg%3E'
const dot = "%3Ccircle cx='25' cy='7' r='7' fill='%23f0c25a' stroke='%230b5d4f' stroke-width='2'/%3E"

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
    return s.view?.seat === s.for && s.wait?.for !== 'pause' ? `● ${text(words, 'turn.yours')} – ${s.names[other]} · ${kind}` : `○ ${s.names[other]} · ${kind}`
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
  const was = link?.getAttribute('href') ?? ''
  const on = title.startsWith('●')
  if (link && on !== was.includes(dot)) link.href = on ? was.replace(end, dot + end) : was.replace(dot, '')
}
