// What keys on the board of a room tell, in words.

import type { KibitzBoard } from '../element.ts'
import { deltaText, nameOf, pieceName, pointName, stepName } from '../board.ts'
import type { State, View } from '../wire.ts'
import { boardWords, moveName, number, say } from './words.ts'

/** The answer to a key; empty where there is nothing to tell. */
export function told(key: string, board: KibitzBoard): string {
  const s = board.state
  const v = s?.view
  if (!s || !v) return ''
  switch (key) {
    case 'l':
      return latest(s, 1)
    case 'z':
      return latest(s, 5)
    case 'm':
      return [...new Set(board.possible.map((x) => moveName(stepName(v, x))))].join(', ')
    case 'c':
      return bars('.bar-clock')
    case 's':
      return v.score?.map((x, i) => say('clock', { name: s.names[i as 0 | 1], time: number(x, 1) })).join(', ') ?? bars('.bar-score')
    case 'o':
      return s.for === 'first' ? rated(s, 1) : s.for === 'second' ? rated(s, 0) : [rated(s, 0), rated(s, 1)].join(' – ')
    case 'p':
      return pieces(s, v)
    case 't':
      return trays(s, v)
    default:
      return say('keys')
  }
}

/** Who has a seat, with the rating that the bar shows. */
function rated(s: State, seat: 0 | 1): string {
  const rating = document.querySelector<HTMLElement>(`.bar[data-seat="${seat}"] .bar-name`)?.dataset['rating']
  return s.names[seat] + (rating ? `, ${rating}` : '')
}

const latest = (s: State, n: number): string => deltaText(boardWords(), s, { prev: 0, seq: 0, at: 0, entries: (s.history ?? []).slice(-n) })

/** What both bars show in a place of theirs. */
function bars(part: string): string {
  return [...document.querySelectorAll('.bar')].flatMap((e) => {
    const time = (e.querySelector(part)?.textContent ?? '').replace('∞', say('noclock'))
    return time ? [say('clock', { name: e.querySelector('.bar-name')?.textContent ?? '', time })] : []
  }).join(', ')
}

/** Where each kind of piece stands. */
function pieces(s: State, v: View): string {
  const all = new Map<string, string[]>()
  ;[...v.pieces].forEach((letter, i) => {
    if (letter === '.') return
    const name = pieceName(boardWords(), s, letter, v.owners[i] ?? '-')
    all.set(name, [...(all.get(name) ?? []), pointName(v, [i % v.width, Math.floor(i / v.width)])])
  })
  return [...all].map(([name, at]) => say('clock', { name, time: at.join(', ') })).join('. ')
}

/** What was taken, and what lies face down. */
const trays = (s: State, v: View): string => (v.trays ?? []).map((x) => [nameOf(s, x.owner), [...(x.pieces ?? '')].map((letter, i) =>
  `${pieceName(boardWords(), s, letter, letter === letter.toUpperCase() ? '0' : '1')} × ${x.counts?.[i] ?? 1}`).join(', ')].filter((t) => t !== '').join(': ')).join('. ')
