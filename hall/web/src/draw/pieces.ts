// The bodies of pieces, drawn around 0,0 in units of the picture. Colours are custom
// properties of board.css; gradients belong to each picture (see defs).

import { UNIT } from '../layout.ts'
import { el, n, type Tools } from './svg.ts'

/** The radius of a stone. */
export const STONE = UNIT * 0.44

/** Gradients and shapes that pieces of a picture refer to. */
export function defs(t: Tools): SVGElement {
  const shade = (name: string, cx: string, cy: string, r: string) =>
    el('radialGradient', { id: t.id(name), cx, cy, r },
      el('stop', { offset: 0, class: `kb-${name}-hi` }),
      el('stop', { offset: 0.55, class: `kb-${name}-mid` }),
      el('stop', { offset: 1, class: `kb-${name}-lo` }))
  return el('defs', {},
    shade('black', '36%', '30%', '75%'),
    shade('white', '36%', '30%', '80%'),
    el('linearGradient', { id: t.id('board'), x1: 0, y1: 0, x2: 1, y2: 1 },
      el('stop', { offset: 0, class: 'kb-board-hi' }),
      el('stop', { offset: 1, class: 'kb-board-lo' })),
    el('linearGradient', { id: t.id('disc'), x1: 0, y1: 0, x2: 0, y2: 1 },
      el('stop', { offset: 0, class: 'kb-disc-hi' }),
      el('stop', { offset: 1, class: 'kb-disc-lo' })),
    el('linearGradient', { id: t.id('back'), x1: 0, y1: 0, x2: 0, y2: 1 },
      el('stop', { offset: 0, class: 'kb-back-hi' }),
      el('stop', { offset: 1, class: 'kb-back-lo' })))
}

const shadow = (r: number, dy = 2.5): SVGElement => el('ellipse', { class: 'kb-shadow', cx: 0.8, cy: n(dy), rx: n(r * 1.02), ry: n(r * 1.01) })

/** A stone of the games of Go's family. */
export function stone(t: Tools, colour: 'black' | 'white'): SVGElement[] {
  return [shadow(STONE), el('circle', { class: `kb-stone kb-is-${colour}`, r: n(STONE), fill: t.url(colour) })]
}

/** A stone that counts no more. */
export function deadStone(t: Tools, colour: 'black' | 'white'): SVGElement[] {
  const r = STONE * 0.4
  return [
    el('g', { class: 'kb-dead' }, ...stone(t, colour)),
    el('path', { class: `kb-cross kb-on-${colour}`, d: `M${n(-r)} ${n(-r)}L${n(r)} ${n(r)}M${n(r)} ${n(-r)}L${n(-r)} ${n(r)}` }),
  ]
}

/** A disc of Othello: flat, with a rim that shows its other side. */
export function disc(t: Tools, colour: 'black' | 'white'): SVGElement[] {
  const r = UNIT * 0.41
  const other = colour === 'black' ? 'white' : 'black'
  return [
    shadow(r, 3),
    el('circle', { class: `kb-rim kb-is-${other}`, cy: 1.6, r: n(r) }),
    el('circle', { class: `kb-stone kb-is-${colour}`, r: n(r), fill: t.url(colour) }),
    el('circle', { class: `kb-face kb-on-${colour}`, r: n(r * 0.74) }),
  ]
}

/** An unknown piece: its letter on a plain disc. */
export function letterDisc(t: Tools, letter: string, owner: string): SVGElement[] {
  const colour = owner === '0' ? 'black' : 'white'
  return [
    ...stone(t, colour),
    el('text', { class: `kb-letter kb-on-${colour}`, y: n(UNIT * 0.14) }, letter),
  ]
}
