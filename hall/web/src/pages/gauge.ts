// The gauge beside a board: how an engine's evaluation shares the game between the seats.
// Its place is there from the start on pages that can have it, so that nothing moves.

import type { Said } from '../wire.ts'
import { byId } from './dom.ts'
import { chance, mate, scoreOf } from './words.ts'

/** The share of the first seat in what a seat says, from 0 to 1: a chance as it is, a win or
 * loss that is seen whole, and of points the more the nearer to the edge, a half of the
 * way for five. Undefined if it says no number. */
export function shareOf(x: Said | null | undefined, by: string | undefined): number | undefined {
  const score = scoreOf(x)
  if (score === undefined) return undefined
  const own = x?.unit === chance ? score : x?.unit === mate ? Number(score > 0) : 0.5 + Math.atan(score / 5) / Math.PI
  return by === 'second' ? 1 - own : own
}

/** Shows a share of the first seat, or nothing; what is below belongs to the seat below. */
export function showGauge(share: number | undefined): void {
  const e = byId('gauge')
  e?.classList.toggle('known', share !== undefined)
  if (!e || share === undefined) return
  const bars = ['bar-bottom', 'bar-top'].map((id) => byId(id))
  const colour = (bar: HTMLElement | null | undefined) => {
    const mark = bar?.querySelector('.bar-mark')
    return mark ? getComputedStyle(mark).backgroundColor : ''
  }
  e.style.setProperty('--share', `${100 * (bars[0]?.dataset['seat'] === '1' ? 1 - share : share)}%`)
  e.style.setProperty('--low', colour(bars[0]))
  e.style.setProperty('--high', colour(bars[1]))
}
