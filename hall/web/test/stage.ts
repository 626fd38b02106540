// Where the parts of a stage are to stand: the formulas by which a board fits its screen,
// and what a page shows of them.

import type { Page } from 'playwright-core'
import { boards, looks } from '../src/games/list.ts'
import { layoutOf, UNIT } from '../src/layout.ts'
import type { View } from '../src/wire.ts'

export type Mode = 'above' | 'short' | 'beside' | 'beside3'

/** A board as it fits a screen; sizes are in CSS pixels. */
export interface Fit {
  readonly mode: Mode
  readonly turn: boolean
  readonly w: number
  readonly h: number
  /** The distance of neighbouring points. */
  readonly cell: number
}

interface Space {
  readonly w: number
  readonly h: number
}

/** The free space for a board. */
function space(mode: Mode, w: number, h: number, tray: number): Space {
  switch (mode) {
    case 'above':
      return w < 600 ? { w, h: h - 44 - 2 * 40 - 28 - 52 - 36 - 2 * tray } : { w: w - 24, h: h - 48 - 2 * 44 - 28 - 52 - 36 - 2 * tray - 16 }
    case 'short':
      return { w: w - 200 - 24, h: h - 8 }
    case 'beside':
      return { w: w - 280 - 36, h: h - 48 - 24 }
    case 'beside3':
      return { w: w - 280 - 252 - 36, h: h - 48 - 24 }
  }
}

/** The size of a board on a screen. The longest side is at most so long; without a bound
 * unless one is given. */
export function fit(game: string, w: number, h: number, most = Infinity): Fit {
  const [s, look] = [boards[game]!, looks[game]!]
  const sizes = [0, 1].map((q) => layoutOf(s as unknown as View, q as 0 | 1, look.labels))
  const plain: Mode = w <= h ? 'above' : h < 500 ? 'short' : 'beside'
  const tray = !look.ranks ? 0 : plain === 'short' || (plain === 'above' && w < 600) ? 32 : 40
  const pitch = (mode: Mode, q: number): number => {
    const at = space(mode, w, h, tray)
    return UNIT * Math.min(at.w / sizes[q]!.w, at.h / sizes[q]!.h)
  }
  const [upright, sideways] = [pitch(plain, 0), pitch(plain, 1)]
  const turn = look.turned === 'quarters' && (plain === 'above' ? upright < 0.95 * sideways : sideways >= 0.95 * upright)
  const q = Number(turn)
  const mode = plain === 'beside' && w >= 1260 && pitch('beside3', q) >= 0.95 * pitch('beside', q) ? 'beside3' : plain
  const l = sizes[q]!
  const cell = Math.min(pitch(mode, q), (UNIT * most) / Math.max(l.w, l.h))
  return { mode, turn, w: (cell * l.w) / UNIT, h: (cell * l.h) / UNIT, cell }
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** What stands where on a page. */
export interface Shown {
  readonly parts: Readonly<Record<string, Box>>
  readonly clocks: readonly Box[]
  readonly wide: number
  readonly cut: readonly string[]
}

/** Looks at the stage of a page; a part that is not shown is left out. */
export const look = (page: Page): Promise<Shown> => page.evaluate(() => {
  const box = (e: Element): Box => {
    const r = e.getBoundingClientRect()
    return { x: r.x + scrollX, y: r.y + scrollY, w: r.width, h: r.height }
  }
  const parts: Record<string, Box> = {}
  for (const e of document.querySelectorAll<HTMLElement>('[data-part]')) {
    const b = box(e.dataset['part'] === 'board' ? e.querySelector('.kb-picture') ?? e : e)
    if (b.w > 0 && b.h > 0) parts[e.dataset['part'] ?? ''] = b
  }
  const cut = [...document.querySelectorAll<HTMLElement>('[data-part=acts] button, [data-part=acts] a')].filter((e) => {
    const r = e.getBoundingClientRect()
    const a = e.closest('[data-part=acts]')!.getBoundingClientRect()
    return r.width > 0 && (r.left < a.left - 0.5 || r.right > a.right + 0.5 || r.top < a.top - 0.5 || r.bottom > a.bottom + 0.5)
  }).map((e) => e.textContent ?? '')
  return { parts, clocks: [...document.querySelectorAll('[data-clock]:not([hidden])')].map(box), wide: document.documentElement.scrollWidth, cut }
})

/** Lets a page have all its boxes, but draw nothing of them and nothing in its boards: what is
 * measured on many screens is not painted on each. */
export const unpainted = (page: Page) => page.evaluate(() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('.kb-picture > * { display: none } body { opacity: 0 }')
  document.adoptedStyleSheets.push(sheet)
})

/** What is wrong with a stage on a screen of a size. */
export function wrongs(x: Shown, want: Fit, w: number, h: number, need: readonly string[], rounded: boolean): string[] {
  const out: string[] = []
  const board = x.parts['board']
  if (!board) return ['no board']
  const low = rounded ? -11 : -1
  for (const side of ['w', 'h'] as const) {
    const more = board[side] - want[side]
    if (more < low || more > 1) out.push(`board ${side} is ${board[side].toFixed(1)}, not ${want[side].toFixed(1)}`)
  }
  for (const name of need) if (!x.parts[name]) out.push(`no ${name}`)
  const inside = (b: Box) => b.x >= -0.5 && b.y >= -0.5 && b.x + b.w <= w + 0.5 && b.y + b.h <= h + 0.5
  const whole = [...need, 'board']
  for (const name of whole) {
    const b = x.parts[name]
    if (b && !inside(b)) out.push(`${name} is off the screen: ${JSON.stringify(b)}`)
  }
  x.clocks.forEach((b, i) => { if (b.w === 0 || !inside(b)) out.push(`clock ${i} is off the screen: ${JSON.stringify(b)}`) })
  whole.forEach((a, i) => {
    for (const b of whole.slice(i + 1)) {
      const [p, q] = [x.parts[a], x.parts[b]]
      if (!p || !q) continue
      const across = Math.min(p.x + p.w, q.x + q.w) - Math.max(p.x, q.x)
      const down = Math.min(p.y + p.h, q.y + q.h) - Math.max(p.y, q.y)
      if (across > 0.5 && down > 0.5) out.push(`${a} and ${b} overlap by ${across.toFixed(1)} x ${down.toFixed(1)}`)
    }
  })
  const bar = x.parts['bar0']
  if (bar) {
    const stacked = bar.x < board.x + board.w - 0.5
    if (stacked !== (want.mode === 'above')) out.push(`the bar is ${stacked ? 'above' : 'beside'} in ${want.mode}`)
    const left = x.parts['left']
    if (want.mode.startsWith('beside') && (left !== undefined) !== (want.mode === 'beside3')) out.push(`${left ? 'a' : 'no'} left column in ${want.mode}`)
  }
  if (x.wide > w) out.push(`the document is ${x.wide} wide`)
  if (x.cut.length > 0) out.push(`acts are cut: ${x.cut.join(', ')}`)
  return out
}
