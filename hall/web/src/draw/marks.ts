// What lies over and under the pieces: the latest move, where one may go, refused
// attempts, numbers, arrows. Each is a list of items for a layer.

import * as act from '../act.ts'
import { origins, pieceAt, targets } from '../act.ts'
import type { Look } from '../games/look.ts'
import { ends, middle, middleOf, UNIT, type Layout } from '../layout.ts'
import { parseStep, parseSpot, spotOf, type Spot, type Step } from '../step.ts'
import { isLatest, legalNow, type Board } from '../state.ts'
import type { Entry, Point, State, View } from '../wire.ts'
import { wayOf } from './loops.ts'
import { el, n, type Item } from './svg.ts'

const item = (key: string, sign: string, make: () => SVGElement): Item => ({ key, sign, make })

const place = (l: Layout, p: Point): string => {
  const [x, y] = middle(l, p[0], p[1])
  return `translate(${n(x)} ${n(y)})`
}

/** A square that fills the cell of a point. */
function square(l: Layout, p: Point, kind: string): Item {
  return item(`${kind}${spotOf(p)}`, '', () => {
    const [x, y] = middle(l, p[0], p[1])
    const r = UNIT / 2
    return el('rect', { class: `kb-square kb-${kind}`, x: n(x - r), y: n(y - r), width: UNIT, height: UNIT })
  })
}

/** Under the pieces: the squares of the latest move, of the picked piece, of its targets. */
export function under(b: Board, l: Layout, v: View, look: Look): Item[] {
  const out: Item[] = []
  const marks = v.marks ?? []
  if (v.shape === 'cells') {
    const kinds = look.latest === 'walk' ? (marks.length === 1 ? ['turned'] : ['left', 'came', 'shot']) : ['came']
    marks.forEach((p, i) => out.push(square(l, p, kinds[i] ?? 'came')))
  }
  if (v.shape === 'crossings' && look.latest === 'walk' && marks[0] && marks.length > 1) {
    const from = marks[0]
    out.push(item(`from${spotOf(from)}`, '', () => el('circle', { class: 'kb-gone', r: n(UNIT * 0.2), transform: place(l, from) })))
  }
  if (b.picked) {
    const { at } = parseSpot(b.picked)
    out.push(v.shape === 'cells'
      ? square(l, at, 'picked')
      : item(`picked${b.picked}`, '', () => el('circle', { class: 'kb-halo', r: n(UNIT * 0.5), transform: place(l, at) })))
  }
  return out
}

/** Where pieces stand that can take one. */
const takers = (b: Board, v: View): Set<Spot> => origins(legalNow(b).filter((s) => b.options.rings && s.to && pieceAt(v, spotOf(s.to)) !== '.'))

/** Where one may go: small dots on empty places, rings around what can be taken. Before a piece is
    picked up, for beginners, rings around those that can take. */
export function hints(b: Board, l: Layout, v: View, look: Look): Item[] {
  const list = b.picked || look.hints === 'turn' && b.options.targets !== false ? targets(b) : takers(b, v)
  const out: Item[] = []
  for (const spot of list.keys()) {
    const { at, line } = parseSpot(spot)
    if (line) continue
    const taken = pieceAt(v, spot) !== '.'
    out.push(item(spot, taken ? 'ring' : 'dot', () => el('circle', {
      class: taken ? 'kb-take' : 'kb-may', r: n(UNIT * (taken ? 0.46 : 0.13)), transform: place(l, at),
    })))
  }
  return out
}

/** The spots that can be picked up, so that the pointer shows it. */
export const movable = (b: Board): Set<Spot> => origins(legalNow(b))

/** Over the pieces: the latest stones, refused attempts. */
export function over(l: Layout, v: View, look: Look, numbered: boolean): Item[] {
  const out: Item[] = []
  if (v.shape !== 'dots' && look.latest === 'marks' && !numbered) {
    for (const p of v.marks ?? []) {
      const piece = pieceAt(v, spotOf(p))
      out.push(item(`last${spotOf(p)}`, piece, () => el('circle', {
        class: `kb-last kb-on-${piece === '.' ? 'none' : piece.toLowerCase() === 'b' ? 'black' : 'white'}`, r: n(UNIT * 0.13), transform: place(l, p),
      })))
    }
  }
  const last = v.marks?.[1]
  if (v.shape === 'crossings' && look.latest === 'walk' && last) {
    const piece = pieceAt(v, spotOf(last))
    out.push(item(`last${spotOf(last)}`, piece, () => el('circle', { class: `kb-last kb-on-${piece === 'b' ? 'black' : 'white'}`, r: n(UNIT * 0.13), transform: place(l, last) })))
  }
  for (const p of v.barred ?? []) {
    out.push(item(`barred${spotOf(p)}`, '', () => el('path', { class: 'kb-barred', d: 'M-6 -6L6 6M6 -6L-6 6', transform: place(l, p) })))
  }
  for (const p of v.attempts ?? []) {
    out.push(item(`tried${spotOf(p)}`, '', () => el('path', { class: 'kb-tried', d: 'M-11 -11L11 11M11 -11L-11 11', transform: place(l, p) })))
  }
  return out
}

/** What decided the game: a bar through the stones of a row, rings around others. */
export function decided(l: Layout, v: View): Item[] {
  const won = v.won ?? []
  const rows = rowsOf(won)
  const out = rows.map(([p, q]) => item(`row${spotOf(p)}${spotOf(q)}`, '', () => {
    const [a, b] = [middle(l, p[0], p[1]), middle(l, q[0], q[1])]
    return el('line', { class: 'kb-row', x1: n(a[0]), y1: n(a[1]), x2: n(b[0]), y2: n(b[1]) })
  }))
  const kind = rows.length > 0 ? 'kb-won' : 'kb-fell'
  for (const p of won) out.push(item(`won${spotOf(p)}`, kind, () => el('circle', { class: kind, r: n(UNIT * 0.45), transform: place(l, p) })))
  return out
}

/** The ends of rows of five and more among points. */
export function rowsOf(list: readonly Point[]): (readonly [Point, Point])[] {
  const have = new Set(list.map(spotOf))
  const out: (readonly [Point, Point])[] = []
  for (const [x, y] of list) {
    for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]] as const) {
      if (have.has(`${x - dx},${y - dy}`)) continue
      let k = 0
      while (have.has(`${x + (k + 1) * dx},${y + (k + 1) * dy}`)) k++
      if (k >= 4) out.push([[x, y], [x + k * dx, y + k * dy]])
    }
  }
  return out
}

/** The lines of a board of dots, the latest one marked. */
export function lines(l: Layout, v: View): Item[] {
  return (v.lines ?? []).map(([x, y, vertical, by]) => {
    const latest = isLatest(v, [x, y], vertical === 1)
    const owner = by === 0 || by === 1 ? String(by) : '-'
    return item(`${x},${y},${vertical}`, `${owner}${latest ? '!' : ''}`, () => {
      const [a, b] = ends(l, x, y, vertical === 1)
      return el('line', { class: `kb-line kb-of-${owner}${latest ? ' kb-newest' : ''}`, x1: n(a[0]), y1: n(a[1]), x2: n(b[0]), y2: n(b[1]) })
    })
  })
}

/** The step that is not on the board yet: put forward, planned, or on its way. */
export function ghosts(b: Board, l: Layout): Item[] {
  return act.ghosts(b).filter((s) => s.to).map((s, i) => {
    const kind = b.pending ? 'pending' : b.answer && i === 0 ? 'sent' : 'early'
    return item(kind + s.text, '', () => ghostOf(l, s, kind))
  })
}

function ghostOf(l: Layout, s: Step, kind: string): SVGElement {
  const to: Point = s.to ?? [0, 0]
  if (s.op === 'edge') {
    const [a, b] = ends(l, to[0], to[1], s.arg === 1)
    return el('line', { class: `kb-line kb-ghost kb-${kind}`, x1: n(a[0]), y1: n(a[1]), x2: n(b[0]), y2: n(b[1]) })
  }
  const ring = el('circle', { class: `kb-ghost kb-${kind}`, r: n(UNIT * 0.4), transform: place(l, to) })
  if (!s.from) return ring
  return el('g', {}, ring, arrow(middle(l, s.from[0], s.from[1]), middle(l, to[0], to[1]), `kb-ghost kb-${kind}`))
}

/** An arrow between two places of the picture, a ring if they are the same. */
export function arrow(from: Point, to: Point, kind: string, short = UNIT * 0.16): SVGElement {
  const dx = to[0] - from[0]
  const dy = to[1] - from[1]
  const far = Math.hypot(dx, dy)
  if (far < 1) return el('circle', { class: `kb-arrow ${kind}`, cx: n(to[0]), cy: n(to[1]), r: n(UNIT * 0.44) })
  const [ux, uy] = [dx / far, dy / far]
  const tip = [to[0] - ux * short, to[1] - uy * short] as const
  const back = [tip[0] - ux * 17, tip[1] - uy * 17] as const
  return el('g', { class: `kb-arrow ${kind}` },
    el('path', { class: 'kb-arrow-shaft', d: `M${n(from[0])} ${n(from[1])}L${n(back[0])} ${n(back[1])}` }),
    el('path', { class: 'kb-arrow-tip', d: `M${n(tip[0])} ${n(tip[1])}L${n(back[0] - uy * 10)} ${n(back[1] + ux * 10)}L${n(back[0] + uy * 10)} ${n(back[1] - ux * 10)}z` }))
}

/** The way of the latest walk, under the pieces. */
export function ways(l: Layout, v: View, look: Look): Item[] {
  const out: Item[] = []
  const [from, to, shot] = v.marks ?? []
  if (look.latest === 'walk' && v.shape === 'cells' && from && to) {
    out.push(item(`walk${spotOf(from)}>${spotOf(to)}`, '', () => arrow(middle(l, from[0], from[1]), middle(l, to[0], to[1]), 'kb-walk', UNIT * 0.36)))
    if (shot) out.push(item(`shot${spotOf(to)}>${spotOf(shot)}`, '', () => {
      const [a, b] = [middle(l, to[0], to[1]), middle(l, shot[0], shot[1])]
      return el('line', { class: 'kb-flight', x1: n(a[0]), y1: n(a[1]), x2: n(b[0]), y2: n(b[1]) })
    }))
  }
  if (v.path) {
    const way = wayOf(l, v.path)
    out.push(item(`way${v.path.join(' ')}`, '', () => el('polyline', { class: 'kb-way', points: way.map((p) => `${n(p[0])},${n(p[1])}`).join(' ') })))
  }
  return out
}

/** Arrows that the person has drawn. */
export function arrows(b: Board, l: Layout): Item[] {
  const out: Item[] = []
  for (const d of b.drawn) {
    const p = parseSpot(d.from)
    const q = parseSpot(d.to)
    out.push(item(`own${d.from}>${d.to}`, '', () => arrow(middleOf(l, p.at, p.line), middleOf(l, q.at, q.line), 'kb-own')))
  }
  return out
}

/** What an engine proposes, the best over the others; in a review the parts of one turn, over those that were played. */
export function advice(b: Board, l: Layout): Item[] {
  const reviews = b.played.length > 0
  const list = (steps: readonly Step[], what: string, tone: string) => steps.flatMap((s, i) => {
    const to = s.to
    if (!to) return []
    return [item(`${what}${i}${s.text}`, tone, () => {
      const e = adviceOf(l, s, to, `kb-advised kb-${what} kb-rank-${reviews ? 0 : Math.min(i, 2)}`)
      if (tone) e.style.setProperty('--kb-tone', `var(--${tone})`)
      return e
    })]
  }).reverse()
  return [...list(b.played, 'instead', 'warn'), ...list(b.advised, 'best', reviews ? 'good' : '')]
}

function adviceOf(l: Layout, s: Step, to: Point, kind: string): SVGElement {
  if (s.op === 'edge') {
    const [a, c] = ends(l, to[0], to[1], s.arg === 1)
    return el('line', { class: `kb-line ${kind}`, x1: n(a[0]), y1: n(a[1]), x2: n(c[0]), y2: n(c[1]) })
  }
  const end = middle(l, to[0], to[1])
  return arrow(s.from ? middle(l, s.from[0], s.from[1]) : end, end, kind)
}

/** Places of which one is the best: those of a piece, or those that it can go to. */
export function nearby(b: Board, l: Layout): Item[] {
  const out = new Map<string, Item>()
  for (const s of b.near) {
    const at = s.from ?? s.to
    if (!at) continue
    const key = s.op === 'edge' ? s.text : spotOf(at)
    out.set(key, item(`near${key}`, '', () => {
      if (s.op !== 'edge') return el('circle', { class: 'kb-near-best', r: n(UNIT * 0.42), transform: place(l, at) })
      const [p, q] = ends(l, at[0], at[1], s.arg === 1)
      return el('line', { class: 'kb-line kb-near-best', x1: n(p[0]), y1: n(p[1]), x2: n(q[0]), y2: n(q[1]) })
    }))
  }
  return [...out.values()]
}

/** Numbers on stones, in the order of the game: all, or none. */
export function numbers(s: State, l: Layout, v: View, how: 'stones' | 'turns'): Item[] {
  const out = new Map<Spot, number>()
  let count = 0
  let by = ''
  for (const e of s.history ?? []) {
    for (const step of placed(e)) {
      if (how === 'stones' || e.by !== by) count++
      by = e.by
      out.set(step, count)
    }
  }
  const newest = new Set((v.marks ?? []).map(spotOf))
  return [...out].filter(([spot]) => pieceAt(v, spot) !== '.').map(([spot, k]) => {
    const piece = pieceAt(v, spot).toLowerCase()
    const tone = `kb-number kb-on-${piece === 'b' ? 'black' : 'white'}${newest.has(spot) ? ' kb-newest' : ''}${k > 99 ? ' kb-long' : ''}`
    return item(spot, tone + String(k), () => el('text', { class: tone, transform: place(l, parseSpot(spot).at), y: 8 }, String(k)))
  })
}

function placed(e: Entry): Spot[] {
  if (e.refused) return []
  return (e.steps ?? []).map(parseStep).flatMap((s) => (s?.op === 'place' && s.to ? [spotOf(s.to)] : []))
}
