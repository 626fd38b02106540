// Animation. What moved is read from the steps that the hall told; where the page is
// asked for less motion there is none.

import { parseStep, spotOf, type Spot } from '../step.ts'
import type { Entry, Point } from '../wire.ts'

/** Pieces that walked, by where they came to: from where. */
export function walks(entries: readonly Entry[]): Map<Spot, Point> {
  const out = new Map<Spot, Point>()
  for (const e of entries) {
    for (const text of stepsOf(e)) {
      const s = parseStep(text)
      if (s?.op !== 'shift' || !s.from || !s.to) continue
      const first = out.get(spotOf(s.from))
      out.delete(spotOf(s.from))
      out.set(spotOf(s.to), first ?? s.from)
    }
  }
  return out
}

function stepsOf(e: Entry): readonly string[] {
  if (e.refused) return []
  return e.steps ?? (e.notices ?? []).flatMap((x) => (x.kind === 'played' && x.move ? [x.move] : []))
}

/** The point from which a change spreads: where the latest stone was placed. */
export function source(entries: readonly Entry[]): Point | undefined {
  for (const e of [...entries].reverse()) {
    for (const text of [...stepsOf(e)].reverse()) {
      const s = parseStep(text)
      if (s?.to) return s.to
    }
  }
  return undefined
}

/** How much moves: nothing, pieces that walk (on small boards), or all. */
export type Liveliness = 'none' | 'walks' | 'all'

const ease = 'cubic-bezier(.22,.8,.3,1)'

/** How long it takes, in milliseconds: that a piece walks, goes along a straight side or an arc of its path, and
 * along all of it at most; that one is put down, turned over, taken; that a disc turns, the next ring of discs
 * begins to, and the last one at most. */
const times = { walk: 160, side: 90, arc: 140, path: 700, land: 120, flip: 180, fade: 120, disc: 80, ring: 40, rings: 160 } as const

/** How long a piece goes along a path, in milliseconds; without one it walks. */
export function timeOf(path: readonly Point[] | undefined): number {
  let [sum, straight] = [0, false]
  path?.forEach((p, i) => {
    const before = path[i - 1]
    if (!before) return
    const along = p[0] === before[0] || p[1] === before[1]
    if (!along || !straight) sum += along ? times.side : times.arc
    straight = along
  })
  return Math.min(times.path, sum || times.walk)
}

/** Runs a piece along places of the picture to its own. */
export function run(e: SVGElement, way: readonly Point[], duration: number): Animation {
  const end = way.at(-1) ?? [0, 0]
  let sum = 0
  const at = way.map((p, i) => {
    const before = way[i - 1]
    return (sum += before ? Math.hypot(p[0] - before[0], p[1] - before[1]) : 0)
  })
  const frames = way.map((p, i) => ({ transform: `translate(${p[0] - end[0]}px,${p[1] - end[1]}px)`, offset: sum > 0 ? (at[i] ?? 0) / sum : i === 0 ? 0 : 1 }))
  return e.animate(frames, { duration, easing: way.length > 2 ? 'ease-in-out' : ease })
}

/** A new piece is put down. */
export function land(e: SVGElement): Animation {
  return e.animate([{ transform: 'scale(1.22)', opacity: 0 }, { transform: 'scale(1)', opacity: 1 }], { duration: times.land, easing: ease })
}

/** A piece turns over: the old side is seen until it stands on its edge. Discs do, ring by ring, so far from the new one. */
export function turn(before: SVGElement, after: SVGElement, far: number): readonly [Animation, Animation] {
  const half = (far > 0 ? times.disc : times.flip) / 2
  const delay = Math.min(times.rings, Math.max(0, far - 1) * times.ring)
  return [
    before.animate([{ transform: 'scaleX(1)' }, { transform: 'scaleX(0)' }], { duration: half, delay, fill: 'both', easing: 'ease-in' }),
    after.animate([{ transform: 'scaleX(0)' }, { transform: 'scaleX(1)' }], { duration: half, delay: delay + half, fill: 'both', easing: 'ease-out' }),
  ]
}

/** A piece that was taken fades, after a while. */
export function fade(e: SVGElement, delay: number): Animation {
  return e.animate([{ transform: 'scale(1)', opacity: 1 }, { transform: 'scale(.6)', opacity: 0 }], { duration: times.fade, delay, fill: 'both' })
}
