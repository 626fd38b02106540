// Curves over the plies of a game, or the games of a run, as SVG in the colours of the page: those of
// games and reviews, and those of a report.

import { decimal } from '../words.ts'
import { language, number, say } from './words.ts'

export interface Sample {
  /** 0 or 1. */
  readonly seat: number
  readonly score?: number | undefined
  /** What a third engine says of the position after it, as the first seat sees it. */
  readonly third?: number | undefined
  /** Seconds. */
  readonly used?: number | undefined
  readonly depth?: number | undefined
  readonly nodes?: number | undefined
}

/** A point of the evaluation along a game, as the first seat sees it. */
export interface Point {
  readonly ply: number
  readonly score: number
}

/** A curve: its style and what it stands for. Colour is not all that tells it from others. */
export interface Line {
  readonly kind: string
  readonly name: string
  readonly dashed?: boolean
}

export type Values = readonly (number | null | undefined)[]

/** How many points of curves are drawn as dots too. */
const mostDots = 150

const height = 170
const edge = { left: 46, right: 8, top: 8, bottom: 22 } as const

/** The least of 1, 2, 5, 10, ... that divides a span into no more parts than that. */
export function stepOf(span: number, most: number): number {
  const unit = 10 ** Math.floor(Math.log10(span / most))
  return unit * ([1, 2, 5].find((m) => span / (unit * m) <= most) ?? 10)
}

const short = { format: (v: number) => new Intl.NumberFormat(language(), { notation: 'compact' }).format(v) }

/** The multiples of a step from low to high, as numbers and as texts. */
export function ticksOf(low: number, high: number, step: number): [number, string][] {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  const text = (v: number) => (step < 10_000 ? v.toFixed(digits).replace('.', decimal()) : short.format(v))
  const out: [number, string][] = []
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) out.push([n * step, text(n * step)])
  return out
}

function part(name: string, attributes: Readonly<Record<string, string | number>>, text = ''): SVGElement {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, String(value))
  e.textContent = text
  return e
}

/** Curves over plies with a scale. pick is called with a ply that was pressed. */
export class Chart {
  private readonly root = document.createElement('figure')
  private readonly told = document.createElement('span')
  private readonly keys: readonly HTMLElement[]
  private readonly svg = part('svg', { role: 'img', height, width: '100%' })
  private readonly sizes = new ResizeObserver(() => {
    this.width = Math.max(220, this.box.clientWidth)
    this.render()
  })
  /** Of the box, in CSS pixels; 0 until it is known, from when on curves are drawn. */
  private width = 0
  private plies: readonly number[] = []
  private values: readonly Values[] = []
  private shown: number | undefined

  private readonly box: HTMLElement
  private readonly lines: readonly Line[]
  /** The curves between which the chart is shaded. */
  band: readonly [number, number] | undefined

  /** told hears which place of the list is pointed at, -1 if none. */
  constructor(box: HTMLElement, title: string, lines: readonly Line[], pick: (ply: number) => void, told: (i: number) => void = (i) => this.tell(i)) {
    this.box = box
    this.lines = lines
    const head = document.createElement('figcaption')
    this.keys = lines.map((l) => Object.assign(document.createElement('span'), { className: l.kind }))
    head.append(title, this.told, ...this.keys)
    this.tell(-1)
    this.svg.setAttribute('aria-label', title)
    this.root.append(head, this.svg)
    box.append(this.root)
    this.sizes.observe(box)
    const go = (e: MouseEvent) => {
      const ply = this.plies[this.nearest(e)]
      if (ply !== undefined && ply !== this.shown) pick(ply)
    }
    this.svg.addEventListener('click', go)
    this.svg.addEventListener('pointermove', (e) => {
      told(this.nearest(e))
      if (e.buttons === 1 && e.pointerType === 'mouse') go(e) // the cursor is drawn along
    })
    this.svg.addEventListener('pointerleave', () => told(-1))
  }

  close(): void {
    this.sizes.disconnect()
    this.root.remove()
  }

  draw(plies: readonly number[], values: readonly Values[]): void {
    this.plies = plies
    this.values = values
    this.render()
  }

  /** Marks the position that the board shows. */
  mark(ply: number): void {
    this.shown = ply
    this.render()
  }

  private x(ply: number): number {
    const [first, last] = [this.plies[0] ?? 0, this.plies.at(-1) ?? 1]
    return edge.left + (ply - first) / Math.max(1, last - first) * (this.width - edge.left - edge.right)
  }

  /** The place in the list of the ply that a pointer is nearest to. */
  private nearest(e: MouseEvent): number {
    const at = e.clientX - this.svg.getBoundingClientRect().left
    let best = -1
    this.plies.forEach((ply, i) => {
      if (best < 0 || Math.abs(this.x(ply) - at) < Math.abs(this.x(this.plies[best]!) - at)) best = i
    })
    return best
  }

  /** Says what the curves are at a place of the list. */
  tell(i: number): void {
    const ply = this.plies[i]
    const rule = this.svg.querySelector('.here')
    rule?.toggleAttribute('hidden', ply === undefined)
    this.told.textContent = ply === undefined ? '' : String(ply)
    this.keys.forEach((e, n) => {
      const { name, dashed } = this.lines[n]!
      const v = ply === undefined ? undefined : this.values[n]?.[i]
      e.textContent = [name && (dashed ? '┄' : '—'), v === undefined || v === null ? '' : number(v, 2), name].filter((x) => x !== '').join(' ')
    })
    if (ply === undefined) return
    const x = this.x(ply).toFixed(1)
    rule?.setAttribute('d', `M${x} ${edge.top}V${height - edge.bottom}`)
  }

  private render(): void {
    if (this.width === 0) return
    const all = this.values.flatMap((v) => v.filter((x) => x !== undefined && x !== null))
    let [low, high] = all.length > 0 ? [Math.min(...all), Math.max(...all)] : [0, 1]
    const more = Math.max((high - low) * 0.06, Math.abs(high) * 0.01, 0.01)
    low -= more
    high += more
    const y = (v: number) => edge.top + (high - v) / (high - low) * (height - edge.top - edge.bottom)
    const list: SVGElement[] = []
    for (const [v, text] of ticksOf(low, high, stepOf(high - low, 5))) {
      list.push(part('path', { class: 'tick', d: `M${edge.left} ${y(v).toFixed(1)}H${this.width - edge.right}` }))
      list.push(part('text', { x: edge.left - 6, y: (y(v) + 4).toFixed(1), 'text-anchor': 'end' }, text))
    }
    const [first, last] = [this.plies[0] ?? 0, this.plies.at(-1) ?? 1]
    for (const [v, text] of ticksOf(first, last, Math.max(1, stepOf(Math.max(1, last - first), 6)))) {
      list.push(part('path', { class: 'tick', d: `M${this.x(v).toFixed(1)} ${edge.top}V${height - edge.bottom}` }))
      list.push(part('text', { x: this.x(v).toFixed(1), y: height - 6, 'text-anchor': 'middle' }, text))
    }
    const points = this.lines.map((_, n) => this.plies.flatMap((ply, i) => {
      const v = this.values[n]?.[i]
      return v === undefined || v === null ? [] : [`${this.x(ply).toFixed(1)} ${y(v).toFixed(1)}`]
    }))
    if (this.band) list.push(part('path', { class: 'band', d: `M${[...points[this.band[0]]!, ...points[this.band[1]]!.toReversed()].join('L')}Z` }))
    this.lines.forEach(({ kind, dashed }, n) => {
      if (points[n]!.length === 0) return
      list.push(part('path', { class: `curve-line ${kind}${dashed ? ' dashed' : ''}`, d: `M${points[n]!.join('L')}` }))
      if (points[n]!.length < mostDots) list.push(part('path', { class: `curve-dots ${kind}`, d: points[n]!.map((p) => `M${p}h0`).join('') }))
    })
    if (this.shown !== undefined && this.plies.length > 0) list.push(part('path', { class: 'now', d: `M${this.x(this.shown).toFixed(1)} ${edge.top}V${height - edge.bottom}` }))
    list.push(part('path', { class: 'here', hidden: '' }))
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${height}`)
    this.svg.replaceChildren(...list)
  }
}

/** The evaluation along a game. */
export class Course {
  private readonly chart: Chart

  constructor(box: HTMLElement, title: string, pick: (ply: number) => void) {
    this.chart = new Chart(box, title, [{ kind: 'only', name: '' }], pick)
  }

  /** Marks the position that the board shows. */
  mark(ply: number): void {
    this.chart.mark(ply)
  }

  draw(list: readonly Point[]): void {
    this.chart.draw(list.map((x) => x.ply), [list.map((x) => x.score)])
  }
}

/** What curves there are: their titles, and what they show of a sample. */
const kinds = {
  score: { title: () => say('score'), of: (s: Sample) => s.score },
  time: { title: () => say('time'), of: (s: Sample) => s.used },
  depth: { title: () => say('curve.depth'), of: (s: Sample) => s.depth },
  nodes: { title: () => say('curve.nodes'), of: (s: Sample) => s.nodes },
} as const

type Kind = keyof typeof kinds

/** Draws the samples of a game, one for each turn. */
export class Curves {
  private readonly charts: readonly (readonly [Kind, Chart])[]
  private list: readonly Sample[] = []
  private itself = false

  /** boxes are where each kind of curve stands. */
  constructor(boxes: Readonly<Partial<Record<Kind, HTMLElement>>>, names: readonly [string, string], pick: (ply: number) => void, third?: string) {
    const lines: readonly Line[] = [{ kind: 'seat-0', name: names[0] }, { kind: 'seat-1', name: names[1], dashed: true }]
    const told = (i: number) => this.charts.forEach(([, c]) => c.tell(i))
    this.charts = (Object.entries(boxes) as [Kind, HTMLElement][]).map(([kind, box]) => [
      kind, new Chart(box, kinds[kind].title(), kind === 'score' && third !== undefined ? [...lines, { kind: 'third', name: third, dashed: true }] : lines, pick, told),
    ])
  }

  /** Marks the turn that the board shows. */
  mark(ply: number): void {
    for (const [, c] of this.charts) c.mark(ply)
  }

  /** Takes the charts away. */
  close(): void {
    for (const [, c] of this.charts) c.close()
  }

  /** Evaluations are shown as each engine sees them, or as the first seat does. */
  each(on: boolean): void {
    this.itself = on
    this.draw(this.list)
  }

  /** Shows samples. */
  draw(list: readonly Sample[]): void {
    this.list = list
    const plies = list.map((_, i) => i + 1)
    for (const [kind, c] of this.charts) {
      const of = (seat: number, sign = 1): Values => list.map((s) => {
        const v = s.seat === seat ? kinds[kind].of(s) : undefined
        return v === undefined ? undefined : sign * v
      })
      if (kind === 'score') c.draw(plies, [of(0), of(1, this.itself ? 1 : -1), list.map((s) => s.third)])
      else c.draw(plies, [of(0), of(1)])
    }
  }
}
