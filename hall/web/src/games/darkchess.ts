import { UNIT } from '../layout.ts'
import { el, n, type Tools } from '../draw/svg.ts'
import { known } from '../words.ts'
import type { Look } from './look.ts'

/** The faces: red in upper case. */
const chinese: Readonly<Record<string, string>> = {
  K: '帥', G: '仕', M: '相', R: '俥', N: '傌', C: '炮', P: '兵',
  k: '將', g: '士', m: '象', r: '車', n: '馬', c: '包', p: '卒',
}

const R = UNIT * 0.43

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

function up(t: Tools, letter: string, style: string): SVGElement[] {
  const side = letter === letter.toUpperCase() ? 'red' : 'ink'
  const latin = style === 'latin'
  return [
    el('ellipse', { class: 'kb-shadow', cx: 0.8, cy: 3, rx: n(R * 1.02), ry: n(R) }),
    el('circle', { class: 'kb-disc', r: n(R), fill: t.url('disc') }),
    el('circle', { class: `kb-ring kb-${side}`, r: n(R * 0.83) }),
    el('text', { class: `kb-glyph kb-${side}${latin ? ' kb-latin' : ''}`, y: n(UNIT * (latin ? 0.175 : 0.19)) },
      latin ? letter.toUpperCase() : (chinese[letter] ?? letter)),
  ]
}

export const darkchess: Look = {
  labels: 'beside',
  sideways: true,
  ranks: 'KGMRNCP',
  early: 'flip',
  latest: 'walk',
  styles: ['latin'],
  called: (letter) => {
    const key = `piece.${letter}`
    return letter !== 'X' && known(key) ? key : 'piece.hidden'
  },
  piece: (t, letter, _owner, style) => (letter === 'X' ? down(t) : up(t, letter, style)),
}
