// The empty board: what does not change while a game is played.

import { middle, seen, UNIT, type Layout } from '../layout.ts'
import type { Point, View } from '../wire.ts'
import { loops } from './loops.ts'
import { el, n, type Tools } from './svg.ts'

export function ground(t: Tools, l: Layout, v: View): SVGElement[] {
  const out: SVGElement[] = []
  const x0 = l.labels + l.around
  const y0 = l.around
  const w = l.across * UNIT
  const h = l.down * UNIT
  out.push(el('rect', { class: 'kb-frame', width: n(l.w), height: n(l.h), rx: 9, fill: t.url('board') }))
  if (v.shape === 'cells') out.push(...cells(l, v, x0, y0, w, h))
  if (v.shape === 'crossings') out.push(...crossings(l, v))
  out.push(...loops(l, v))
  if (v.shape === 'dots') out.push(...dots(l, v))
  if (l.letters > 0) out.push(labels(l, v))
  return out
}

function cells(l: Layout, v: View, x0: number, y0: number, w: number, h: number): SVGElement[] {
  const out = [el('rect', { class: 'kb-field', x: n(x0), y: n(y0), width: n(w), height: n(h) })]
  if (v.ground === 'chequer') {
    let d = ''
    for (let b = 0; b < l.down; b++) {
      for (let a = (b + 1) % 2; a < l.across; a += 2) d += `M${n(x0 + a * UNIT)} ${n(y0 + b * UNIT)}h${UNIT}v${UNIT}h-${UNIT}z`
    }
    out.push(el('path', { class: 'kb-dark', d }))
    return out
  }
  let d = ''
  for (let a = 1; a < l.across; a++) d += `M${n(x0 + a * UNIT)} ${n(y0)}v${n(h)}`
  for (let b = 1; b < l.down; b++) d += `M${n(x0)} ${n(y0 + b * UNIT)}h${n(w)}`
  out.push(el('path', { class: 'kb-grid', d }), el('rect', { class: 'kb-edge', x: n(x0), y: n(y0), width: n(w), height: n(h) }))
  if (v.ground === 'felt' && l.across === 8 && l.down === 8) {
    for (const [a, b] of [[2, 2], [6, 2], [2, 6], [6, 6]] as const) {
      out.push(el('circle', { class: 'kb-star', cx: n(x0 + a * UNIT), cy: n(y0 + b * UNIT), r: 4 }))
    }
  }
  return out
}

function crossings(l: Layout, v: View): SVGElement[] {
  const [ax, ay] = middle({ ...l, quarter: 0 }, 0, 0)
  const w = (l.across - 1) * UNIT
  const h = (l.down - 1) * UNIT
  let d = ''
  for (let a = 0; a < l.across; a++) d += `M${n(ax + a * UNIT)} ${n(ay)}v${n(h)}`
  for (let b = 0; b < l.down; b++) d += `M${n(ax)} ${n(ay + b * UNIT)}h${n(w)}`
  const out = [el('path', { class: 'kb-grid kb-crisp', d }), el('rect', { class: 'kb-edge kb-crisp', x: n(ax), y: n(ay), width: n(w), height: n(h) })]
  if (v.loops) return out
  for (const [x, y] of stars(v.width, v.height)) {
    const [cx, cy] = middle(l, x, y)
    out.push(el('circle', { class: 'kb-star', cx: n(cx), cy: n(cy), r: 4.5 }))
  }
  return out
}

/** The points that boards of stones mark: the middle, and four or eight around it. */
export function stars(w: number, h: number): Point[] {
  if (w !== h || w < 7 || w % 2 === 0) return []
  const near = w < 12 ? 2 : 3
  const far = w - 1 - near
  const mid = w >> 1
  const out: Point[] = [[mid, mid], [near, near], [far, near], [near, far], [far, far]]
  if (w >= 19) out.push([mid, near], [near, mid], [far, mid], [mid, far])
  return out
}

function dots(l: Layout, v: View): SVGElement[] {
  let d = ''
  for (let y = 0; y < v.height; y++) {
    for (let x = 0; x < v.width; x++) {
      const at = middle(l, x, y)
      if (x + 1 < v.width) d += segment(at, middle(l, x + 1, y))
      if (y + 1 < v.height) d += segment(at, middle(l, x, y + 1))
    }
  }
  return [el('path', { class: 'kb-open kb-crisp', d })]
}

const segment = (p: Point, q: Point): string => `M${n(p[0])} ${n(p[1])}L${n(q[0])} ${n(q[1])}`

/** The dots themselves lie over the lines. */
export function dotsAbove(l: Layout, v: View): SVGElement[] {
  const out: SVGElement[] = []
  for (let y = 0; y < v.height; y++) {
    for (let x = 0; x < v.width; x++) {
      const [cx, cy] = middle(l, x, y)
      out.push(el('circle', { class: 'kb-dot', cx: n(cx), cy: n(cy), r: 5.5 }))
    }
  }
  return out
}

/** The names of columns below, of rows at the left, as they are seen: in the corners of
 * cells, beside crossings, around dots. */
function labels(l: Layout, v: View): SVGElement {
  const g = el('g', { class: `kb-labels kb-in-${v.shape}`, 'font-size': n(l.letters) })
  const odd = l.quarter % 2 === 1
  const bottom = (odd ? v.rows : v.columns) ?? []
  const left = (odd ? v.columns : v.rows) ?? []
  const inside = l.labels === 0 && v.shape === 'cells'
  const x0 = l.labels + l.around
  const y0 = l.around
  bottom.forEach((text, i) => {
    const [a] = odd ? seen(l, 0, i) : seen(l, i, 0)
    const x = inside ? x0 + (a + 1) * UNIT - 3.5 : x0 + (a + 0.5) * UNIT
    const y = inside ? y0 + l.down * UNIT - 4 : l.h - (l.labels > 0 ? l.labels * 0.3 : UNIT * 0.17)
    g.append(el('text', { x: n(x), y: n(y), 'text-anchor': inside ? 'end' : 'middle' }, text))
  })
  left.forEach((text, i) => {
    const [, b] = odd ? seen(l, i, 0) : seen(l, 0, i)
    const x = inside ? x0 + 3.5 : l.labels > 0 ? l.labels * 0.62 : UNIT * 0.24
    const y = inside ? y0 + b * UNIT + l.letters * 0.92 : y0 + (b + 0.5) * UNIT + l.letters * 0.36
    g.append(el('text', { x: n(x), y: n(y), 'text-anchor': inside ? 'start' : 'middle' }, text))
  })
  return g
}
