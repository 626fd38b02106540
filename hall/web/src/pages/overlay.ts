// What several engines say, drawn over the board: values on the points, the second engine's moves,
// and what the other side would play if it were its turn.

import type { AnalysedLine } from '../wire.ts'
import type { Kit } from './kit.ts'

/** A value that has room on a point. */
function short({ chance, mate, number, scoreOf }: Kit, x: AnalysedLine): string {
  const score = scoreOf(x)
  if (score === undefined) return ''
  if (x.unit === chance) return number(100 * score)
  return `${score > 0 ? '+' : ''}${x.unit === mate ? '#' : ''}${number(score, 1)}`
}

const rest = { 'fill': 'none', 'stroke-width': 4, 'stroke-dasharray': '7 5', 'pointer-events': 'none' } as const

export class Overlay {
  private readonly group: SVGElement
  private readonly lists = new Map<'values' | 'second' | 'threat', readonly AnalysedLine[]>()

  private readonly board: HTMLElement
  private readonly kit: Kit

  constructor(board: HTMLElement, kit: Kit) {
    this.board = board
    this.kit = kit
    this.group = kit.el('g', { 'class': 'kb-overlay', 'aria-hidden': 'true' })
    board.addEventListener('kibitz-grid', () => this.draw()) // it is turned, or another board
  }

  /** Shows lines in a way of their own, instead of those before. */
  set(name: 'values' | 'second' | 'threat', list: readonly AnalysedLine[]): void {
    if (list.length === 0 && !this.lists.has(name)) return
    if (list.length === 0) this.lists.delete(name)
    else this.lists.set(name, list)
    this.draw()
  }

  clear(): void {
    this.lists.clear()
    this.draw()
  }

  /** The middle of a spot in the picture, and half of its width. */
  private at(spot: string | undefined): readonly [number, number, number] | undefined {
    const r = spot === undefined ? null : this.board.querySelector(`[data-spot="${spot}"]`)
    if (!r) return undefined
    const [x, y, w] = ['x', 'y', 'width'].map((a) => Number(r.getAttribute(a))) as [number, number, number]
    return [x + w / 2, y + w / 2, w / 2]
  }

  private draw(): void {
    const { el, parseStep, target } = this.kit
    const seen = new Set<string>()
    this.group.replaceChildren(
      ...this.ways('second', '#1a7f37'), ...this.ways('threat', '#d1242f'),
      ...(this.lists.get('values') ?? []).flatMap((x) => {
        const s = parseStep(x.line?.[0] ?? '')
        const spot = s && target(s)
        const p = this.at(spot)
        if (!p || !spot || seen.has(spot)) return [] // the best of those that end there comes first
        seen.add(spot)
        return [el('text', {
          'x': p[0], 'y': p[1] + 5, 'text-anchor': 'middle', 'font-size': 15, 'font-weight': 600, 'fill': '#0b3d91', 'stroke': '#fff', 'stroke-width': 4, 'paint-order': 'stroke', 'pointer-events': 'none',
        }, short(this.kit, x))]
      }))
    const root = this.board.querySelector('.kb-picture')
    if (root && this.group.parentNode !== root) root.append(this.group)
  }

  /** Where first moves go: the best thick, others fainter. */
  private ways(name: 'second' | 'threat', stroke: string): SVGElement[] {
    const { el, parseStep, spotOf, target } = this.kit
    return (this.lists.get(name) ?? []).slice(0, 3).flatMap((x, i) => {
      const s = parseStep(x.line?.[0] ?? '')
      const to = s && this.at(target(s))
      if (!s || !to) return []
      const from = s.from && this.at(spotOf(s.from))
      const opacity = [1, 0.55, 0.35][i]
      return [
        ...(from ? [el('line', { ...rest, stroke, opacity, x1: from[0], y1: from[1], x2: to[0], y2: to[1] })] : []),
        el('circle', { ...rest, stroke, opacity, cx: to[0], cy: to[1], r: to[2] * 0.8 }),
      ]
    })
  }
}
