// Curves of evaluation and time over the plies of a game.

import uPlot, { type Data } from '../../../report/assets/uplot.js'
import { say } from './words.ts'

export interface Sample {
  /** 0 or 1. */
  readonly seat: number
  readonly score?: number | undefined
  /** What a third engine says of the position after it, as the first seat sees it. */
  readonly third?: number | undefined
  /** Seconds. */
  readonly used?: number | undefined
}

const height = 190

/** A colour of the page as pictures know it: custom properties may hold two. */
function colour(box: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  box.append(probe)
  const out = getComputedStyle(probe).color
  probe.remove()
  return out
}

/** A point of the evaluation along a game, as the first seat sees it. */
export interface Point {
  readonly ply: number
  readonly score: number
}

/** The evaluation along a game. pick is called with a ply that was pressed. */
export class Course {
  private readonly plot: uPlot
  private plies: readonly number[] = []

  constructor(box: HTMLElement, title: string, pick: (ply: number) => void) {
    const rule = colour(box, '--rule')
    const axis = { stroke: colour(box, '--quiet'), grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1 } }
    this.plot = new uPlot({
      title, width: Math.max(220, box.clientWidth), height, legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      scales: { x: { time: false } },
      axes: [{ ...axis, size: 32 }, { ...axis, size: 52 }],
      series: [{ label: say('ply') }, { label: title, width: 2, spanGaps: true, points: { show: true, size: 4 }, stroke: colour(box, '--accent') }],
    }, [[0], [null]], box)
    this.plot.over.addEventListener('click', () => {
      const ply = this.plies[this.plot.cursor.idx ?? -1]
      if (ply !== undefined) pick(ply)
    })
    new ResizeObserver(() => this.plot.setSize({ width: Math.max(220, box.clientWidth), height })).observe(box)
  }

  draw(list: readonly Point[]): void {
    this.plies = list.map((x) => x.ply)
    this.plot.setData([[...this.plies], list.map((x) => x.score)])
  }
}

/** Draws the samples of a game, one for each ply. pick is called with a ply that was
    pressed. */
export class Curves {
  private readonly third: boolean
  private readonly charts: { plot: uPlot; box: HTMLElement }[] = []

  constructor(score: HTMLElement, time: HTMLElement, names: readonly [string, string], pick: (ply: number) => void, third?: string) {
    this.third = third !== undefined
    for (const [box, label] of [[score, say('score')], [time, say('time')]] as const) {
      const ink = colour(box, '--quiet')
      const rule = colour(box, '--rule')
      const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1 } }
      const series = (seat: 0 | 1) => ({
        label: names[seat], width: 2, spanGaps: true, points: { show: true, size: 4 },
        stroke: colour(box, seat === 0 ? '--seat-0' : '--seat-1'),
      })
      const plot = new uPlot({
        title: label, width: Math.max(220, box.clientWidth), height, legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { x: { time: false } },
        axes: [{ ...axis, size: 32 }, { ...axis, size: 52 }],
        series: [{ label: say('ply') }, series(0), series(1), ...(box === score && third !== undefined
          ? [{ label: third, width: 2, dash: [5, 3], spanGaps: true, points: { show: true, size: 3 }, stroke: ink }] : [])],
      }, box === score && third !== undefined ? [[0], [null], [null], [null]] : [[0], [null], [null]], box)
      plot.over.addEventListener('click', () => {
        const i = plot.cursor.idx
        if (i !== null && i !== undefined) pick(i + 1)
      })
      this.charts.push({ plot, box })
    }
    const sizes = new ResizeObserver(() => this.fit())
    for (const { box } of this.charts) sizes.observe(box) // one of them may be hidden
  }

  /** Takes the charts away. */
  close(): void {
    for (const { plot } of this.charts) plot.destroy()
    this.charts.length = 0
  }

  private fit(): void {
    for (const { plot, box } of this.charts) plot.setSize({ width: Math.max(220, box.clientWidth), height })
  }

  /** Shows samples. */
  draw(list: readonly Sample[]): void {
    const plies = list.map((_, i) => i + 1)
    const of = (seat: number, value: (s: Sample) => number | undefined): (number | null)[] => list.map((s) => (s.seat === seat ? value(s) ?? null : null))
    const data: Data[] = [
      // Evaluations are each engine's own view; shown is that of the first seat.
      [plies, of(0, (s) => s.score), of(1, (s) => (s.score === undefined ? undefined : -s.score)), ...(this.third ? [list.map((s) => s.third ?? null)] : [])],
      [plies, of(0, (s) => s.used), of(1, (s) => s.used)],
    ]
    this.charts.forEach(({ plot }, i) => plot.setData(data[i] ?? [plies, [], []]))
  }
}
