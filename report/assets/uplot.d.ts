// The part of uPlot 1.6.32 that pages use.

export interface Axis {
  label?: string
  stroke?: string
  size?: number
  grid?: { stroke?: string; width?: number }
  ticks?: { stroke?: string; width?: number }
  values?: (u: uPlot, values: number[]) => (string | number | null)[]
}

export interface Series {
  label?: string
  stroke?: string
  fill?: string
  width?: number
  points?: { show?: boolean; size?: number }
  spanGaps?: boolean
  dash?: number[]
}

export interface Options {
  title?: string
  width: number
  height: number
  legend?: { show?: boolean }
  cursor?: { y?: boolean; drag?: { x?: boolean; y?: boolean } }
  scales?: Record<string, { time?: boolean; range?: (u: uPlot, min: number, max: number) => [number, number] }>
  axes?: Axis[]
  series: Series[]
}

export type Data = (number | null)[][]

export default class uPlot {
  constructor(options: Options, data: Data, target: HTMLElement)
  readonly over: HTMLElement
  readonly cursor: { idx?: number | null }
  setData(data: Data): void
  setSize(size: { width: number; height: number }): void
  setCursor(at: { left: number; top: number }): void
  valToPos(value: number, scale: string): number
  posToVal(position: number, scale: string): number
  destroy(): void
}
