// The figures of pieces, drawn around 0,0 in units of the picture. Colours are custom
// properties of board.css; gradients belong to each picture (see pieces.ts).

import { UNIT } from '../layout.ts'
import type { Piece } from '../games/look.ts'
import type { Figure } from '../wire.ts'
import { deadStone, disc, letterDisc, stone } from './pieces.ts'
import { el, n, type Tools } from './svg.ts'

/** An amazon: a crowned figure on a base. */
function amazon(t: Tools, colour: 'black' | 'white'): SVGElement[] {
  return [
    el('ellipse', { class: 'kb-shadow', cx: 1, cy: 20, rx: 19, ry: 5 }),
    el('path', {
      class: `kb-figure kb-is-${colour}`, fill: t.url(colour),
      d: 'M-17 19q0-6 5-7l-7-22 9 9 3-16 7 14 7-14 3 16 9-9-7 22q5 1 5 7z',
    }),
    el('path', { class: `kb-fold kb-on-${colour}`, d: 'M-11 9.5q11 4 22 0M-13.5 14.5q13.5 4 27 0' }),
    ...[[-19, -12], [-7, -19], [7, -19], [19, -12]].map(([cx, cy]) =>
      el('circle', { class: `kb-figure kb-is-${colour}`, fill: t.url(colour), cx: cx!, cy: cy!, r: 3.4 })),
  ]
}

/** A burnt square: an arrow stuck in scorched ground. */
function burnt(): SVGElement[] {
  const r = UNIT / 2 - 2.5
  return [
    el('rect', { class: 'kb-burnt', x: -r, y: -r, width: 2 * r, height: 2 * r, rx: 6 }),
    el('path', { class: 'kb-shaft', d: 'M-11 11L9 -9' }),
    el('path', { class: 'kb-tip', d: 'M15 -15L11.5 -3.5L3.5 -11.5z' }),
    el('path', { class: 'kb-feather', d: 'M-16 8l5 3 3 5M-12.5 4.5l5 3 3 5' }),
  ]
}

/** A man: a pawn that stands on a base. */
function man(t: Tools, colour: 'black' | 'white'): SVGElement[] {
  return [
    el('ellipse', { class: 'kb-shadow', cx: 1, cy: 19, rx: 16, ry: 4.5 }),
    el('path', { class: `kb-figure kb-is-${colour}`, fill: t.url(colour), d: 'M-15 19q0-6 5-7q4-6 4-13h12q0 7 4 13q5 1 5 7z' }),
    el('circle', { class: `kb-figure kb-is-${colour}`, fill: t.url(colour), cy: -8, r: 8.5 }),
    el('path', { class: `kb-fold kb-on-${colour}`, d: 'M-10 12.5q10 3.5 20 0' }),
  ]
}

const R = UNIT * 0.43

/** A disc that lies face down. */
function down(t: Tools): SVGElement[] {
  const petal = 'M0 -15Q5 -9 0 -4Q-5 -9 0 -15z'
  return [
    el('ellipse', { class: 'kb-shadow', cx: 0.8, cy: 3, rx: n(R * 1.02), ry: n(R) }),
    el('circle', { class: 'kb-back', r: n(R), fill: t.url('back') }),
    el('circle', { class: 'kb-back-ring', r: n(R * 0.8) }),
    ...[0, 60, 120, 180, 240, 300].map((a) => el('path', { class: 'kb-back-ornament', d: petal, transform: `rotate(${a})` })),
    el('circle', { class: 'kb-back-ornament', r: 2.6 }),
  ]
}

/** A disc with a glyph, or with its letter. */
function up(t: Tools, p: Piece, letter: string, style: string): SVGElement[] {
  const side = p.colour ?? 'ink'
  const latin = style === 'latin'
  return [
    el('ellipse', { class: 'kb-shadow', cx: 0.8, cy: 3, rx: n(R * 1.02), ry: n(R) }),
    el('circle', { class: 'kb-disc', r: n(R), fill: t.url('disc') }),
    el('circle', { class: `kb-ring kb-${side}`, r: n(R * 0.83) }),
    el('text', { class: `kb-glyph kb-${side}${latin ? ' kb-latin' : ''}`, y: n(UNIT * (latin ? 0.175 : 0.19)) },
      latin ? letter.toUpperCase() : p.glyph ?? letter),
  ]
}

/** A box in its owner's colour, with a sign for those who do not tell colours apart. */
function box(owner: string): SVGElement[] {
  const r = UNIT / 2 - 5
  const sign = owner === '0'
    ? el('path', { class: 'kb-sign', d: 'M-9 -9L9 9M9 -9L-9 9' })
    : el('circle', { class: 'kb-sign', r: 10 })
  return [el('rect', { class: `kb-box-of kb-of-${owner}`, x: n(-r), y: n(-r), width: n(2 * r), height: n(2 * r), rx: 5 }), el('g', { class: `kb-of-${owner}` }, sign)]
}

type Draw = (t: Tools, p: Piece, letter: string, owner: string, style: string) => SVGElement[]

const two = (draw: (t: Tools, colour: 'black' | 'white') => SVGElement[]): Draw => (t, p) => draw(t, p.colour === 'black' ? 'black' : 'white')

const figures: Readonly<Record<Figure, Draw>> = {
  stone: two(stone), dead: two(deadStone), disc: two(disc), amazon: two(amazon), man: two(man),
  arrow: burnt,
  box: (_t, _p, _letter, owner) => box(owner),
  face: (t, p, letter, _owner, style) => up(t, p, letter, style),
  back: down,
}

/** The body of a piece; style is the set of pieces, "classic" unless chosen. */
export function drawn(t: Tools, p: Piece | undefined, letter: string, owner: string, style: string): SVGElement[] {
  return p ? figures[p.figure](t, p, letter, owner, style) : letterDisc(t, letter, owner)
}
