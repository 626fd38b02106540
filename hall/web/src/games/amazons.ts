import { UNIT } from '../layout.ts'
import { el, type Tools } from '../draw/svg.ts'
import type { Look } from './look.ts'

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

export const amazons: Look = {
  home: 0,
  dots: true,
  early: 'shift',
  latest: 'walk',
  called: (letter) => (letter === '#' ? 'piece.burnt' : undefined),
  piece: (t, letter) => (letter === '#' ? burnt() : amazon(t, letter === 'b' ? 'black' : 'white')),
}
