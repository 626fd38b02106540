// Clocks beside a board: what is left is counted on from the latest event.

import type { State } from '../wire.ts'
import { say } from './words.ts'

/** A time as clocks show it: with tenths below twenty seconds. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms)
  if (left < 20_000) return `${Math.floor(left / 1000)}.${Math.floor((left % 1000) / 100)}`
  const s = Math.floor(left / 1000)
  const two = (n: number) => String(n).padStart(2, '0')
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`
}

/** Whether a seat has a clock that runs down. */
export const timed = (s: State, seat: 0 | 1): boolean => !!s.clocks && s.controls[seat] !== 'inf' && s.controls[seat] !== ''

/** What is left to a seat, waited milliseconds after the state came. */
export function leftOf(s: State, seat: 0 | 1, waited: number): number {
  const c = s.clocks?.[seat]
  if (!c) return 0
  const runs = !s.result && !s.wait && s.view?.seat === (seat === 0 ? 'first' : 'second')
  return c.left - (runs ? waited : 0)
}

/** The names of both seats with their clocks, above and below a board. */
export class Bars {
  private state: State | undefined
  private came = 0
  private timer = 0
  /** From when the clocks stand; undefined while they run. */
  private stood: number | undefined
  private readonly top: HTMLElement
  private readonly bottom: HTMLElement

  constructor(top: HTMLElement, bottom: HTMLElement) {
    this.top = top
    this.bottom = bottom
  }

  /** Shows a state that has just come. */
  show(s: State): void {
    if (!this.state || s.seq !== this.state.seq || s.attempt !== this.state.attempt) {
      // A snapshot may be older than the moment it comes at; clocks of both sides of
      // the connection need not agree, so no more than a minute is believed.
      const age = this.state ? 0 : Math.min(60_000, Math.max(0, Date.now() - s.at))
      this.came = performance.now() - age
    }
    this.state = s
    this.draw()
  }

  /** Lets the clocks stand, from now on or no longer. */
  hold(on: boolean): void {
    if (on) this.stood ??= performance.now()
    else if (this.stood !== undefined) {
      this.came += performance.now() - this.stood
      this.stood = undefined
    }
    this.draw()
  }

  /** How long ago the state came, without the time in which clocks stood. */
  private waited(): number {
    return (this.stood ?? performance.now()) - this.came
  }

  private draw(): void {
    clearTimeout(this.timer)
    const s = this.state
    if (!s) return
    const low = s.for === 'second' ? 1 : 0
    this.bar(this.bottom, s, low)
    this.bar(this.top, s, low === 1 ? 0 : 1)
    const wait = this.waited()
    const runs = ([0, 1] as const).find((i) => s.view?.seat === (i === 0 ? 'first' : 'second'))
    if (s.result || s.wait || runs === undefined || !timed(s, runs) || this.stood !== undefined) return
    this.timer = window.setTimeout(() => this.draw(), leftOf(s, runs, wait) < 20_000 ? 100 : 250)
  }

  private bar(e: HTMLElement, s: State, seat: 0 | 1): void {
    if (e.childElementCount === 0) e.append(...['bar-mark', 'bar-name', 'bar-score', 'bar-lag', 'bar-clock'].map(span))
    const part = (name: string) => e.querySelector<HTMLElement>(`.${name}`)
    const on = !s.result && s.view?.seat === (seat === 0 ? 'first' : 'second')
    const colour = s.view?.colours[seat] ?? ''
    e.classList.toggle('on-turn', on)
    e.dataset['seat'] = String(seat)
    part('bar-mark')?.setAttribute('data-colour', colour)
    text(part('bar-name'), s.names[seat])
    const score = s.view?.score
    text(part('bar-score'), score ? String(score[seat]) : '')
    const last = s.history?.findLast((x) => x.by === (seat === 0 ? 'first' : 'second'))
    const lag = last?.error ? say('lag', { ms: last.error }) : ''
    text(part('bar-lag'), on && s.wait ? say('wait', { n: s.wait.before }) : lag)
    const clock = part('bar-clock')
    if (!clock) return
    clock.hidden = !timed(s, seat)
    const left = leftOf(s, seat, this.waited())
    const low = left < 20_000 && timed(s, seat)
    clock.classList.toggle('low', low)
    text(clock, clockText(left))
    clock.setAttribute('aria-label', say('clock', { name: s.names[seat], time: clockText(left) }))
    clock.setAttribute('role', 'timer')
    clock.setAttribute('aria-live', 'off')
  }
}

function span(name: string): HTMLElement {
  const e = document.createElement('span')
  e.className = name
  return e
}

function text(e: Element | null, t: string): void {
  if (e && e.textContent !== t) e.textContent = t
}
