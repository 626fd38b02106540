import { el, type Tools } from '../draw/svg.ts'
import type { Look } from './look.ts'

/** A man: a pawn that stands on a base. */
function man(t: Tools, colour: 'black' | 'white'): SVGElement[] {
  return [
    el('ellipse', { class: 'kb-shadow', cx: 1, cy: 19, rx: 16, ry: 4.5 }),
    el('path', { class: `kb-figure kb-is-${colour}`, fill: t.url(colour), d: 'M-15 19q0-6 5-7q4-6 4-13h12q0 7 4 13q5 1 5 7z' }),
    el('circle', { class: `kb-figure kb-is-${colour}`, fill: t.url(colour), cy: -8, r: 8.5 }),
    el('path', { class: `kb-fold kb-on-${colour}`, d: 'M-10 12.5q10 3.5 20 0' }),
  ]
}

export const breakthrough: Look = {
  home: 0,
  dots: true,
  early: 'shift',
  latest: 'walk',
  piece: (t, letter) => man(t, letter === 'b' ? 'black' : 'white'),
}
