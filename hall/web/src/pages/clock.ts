// Clocks beside a board: what is left is counted on from the latest event.

import { lowSeat, takenBy } from '../state.ts'
import type { Clock, Presence, State } from '../wire.ts'
import { byId, setText } from './dom.ts'
import { FarClock } from './farclock.ts'
import { say } from './words.ts'

/** A time in whole seconds. */
function wholeText(ms: number): string {
  const s = Math.floor(ms / 1000)
  const two = (n: number) => String(n).padStart(2, '0')
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`
}

/** A time as clocks show it: with tenths below twenty seconds. */
function clockText(ms: number): string {
  const left = Math.max(0, ms)
  return left < 20_000 ? `${Math.floor(left / 1000)}.${Math.floor((left % 1000) / 100)}` : wholeText(left)
}

/** What is left on a clock when it has run for a while, in milliseconds, and how many periods of byo-yomi from the
 * running one on, 0 before and without them: a budget that has run out is followed by the next one, and none falls
 * while time is free. */
export function leftOf(k: Clock, ran: number): { left: number; periods: number } {
  let left = k.left - Math.max(0, ran - (k.free ?? 0))
  let more = k.more ?? 0
  for (; left < 0 && more > 0; more--) left += k.next ?? 0
  return { left, periods: k.periods && (k.stage || more < (k.more ?? 0)) ? more + 1 : 0 }
}

/** Whether a seat has a clock that runs down. */
export const timed = (s: State, seat: 0 | 1): boolean => s.controls[seat] !== 'inf' && s.controls[seat] !== '' && !!s.clocks

/** The seat that is to decide. */
const onTurn = (s: State): 0 | 1 | undefined => s.view?.seat === 'first' ? 0 : s.view?.seat === 'second' ? 1 : undefined

/** Whether no clock runs; it does while the answer before a pause is thought about. */
const stands = (s: State): boolean => !!s.wait && s.wait.for !== 'answer'

/** The colour of a seat; where lines are drawn it is that of its lines. */
function colourOf(s: State, seat: 0 | 1): string {
  if (s.view?.shape === 'dots') return seat === 0 ? 'blue' : 'orange'
  return s.view?.colours[seat] ?? ''
}

/** Who is there, and when that was told here. */
interface Told {
  readonly p: Presence
  readonly came: number
}

/** How long somebody has been away, and when that ends the game. */
function awayText(p: Presence, since: number): string {
  const clock = (ms: number) => wholeText(Math.max(0, ms))
  const away = say('gone', { time: clock(p.at - p.since + since) })
  if (p.lapses === undefined) return away
  return `${away} · ${say(p.ends === 'abort' ? 'gone.ends' : 'gone.loses', { time: clock(p.lapses - p.at - since) })}`
}

/** The names of both seats with their clocks, above and below a board. */
/** Ratings by the names that have them. */
const ratings = new Map<string, string>()

/** Learns from a bar as the hall writes it what who is named there is rated. */
export function learnRating(bar: Element): void {
  const name = bar.querySelector<HTMLElement>('.bar-name')
  if (name?.dataset['rating']) ratings.set(name.textContent, name.dataset['rating'])
}

export class Bars {
  private state: State | undefined
  private readonly far = new FarClock()
  /** For how long clocks stood since the state came. */
  private paused = 0
  private timer = 0
  private flipped = false
  private used: readonly [number, number] | undefined
  /** From when the clocks stand; undefined while they run. */
  private stood: number | undefined
  private readonly there: [Told?, Told?] = []
  /** How the reader's own connection is. */
  private own: 'good' | 'shaky' | 'lost' = 'good'
  private readonly top: HTMLElement
  private readonly bottom: HTMLElement
  private readonly ran: (seat: 0 | 1, left: number) => void

  /** ran is told, often, what is left to the seat whose clock runs, in milliseconds. */
  constructor(top: HTMLElement, bottom: HTMLElement, ran: (seat: 0 | 1, left: number) => void = () => {}) {
    this.top = top
    this.bottom = bottom
    this.ran = ran
    for (const e of [top, bottom]) learnRating(e)
  }

  /** Exchanges the bars, for a board that is turned round. */
  flip(): void {
    this.flipped = !this.flipped
    this.draw()
  }

  /** Shows a state that has just come; of a record what both seats have taken until then, in milliseconds. */
  show(s: State, used?: readonly [number, number]): void {
    this.used = used
    if (!this.state || s.at !== this.state.at || s.attempt !== this.state.attempt) { // else clocks go on as they did
      // A snapshot may be older than the moment it comes at; clocks of both sides of
      // the connection need not agree, so no more than a minute is believed.
      const age = this.state ? 0 : Math.min(60_000, Math.max(0, Date.now() - s.at))
      this.far.hear(s.at + age, this.state !== undefined)
      this.paused = 0
    }
    this.state = s
    for (const seat of [0, 1] as const) byId('moves')?.style.setProperty(`--tone-${seat}`, `var(--stone-${colourOf(s, seat)})`)
    this.draw()
  }

  /** Lets the clocks stand, from now on or no longer. */
  hold(on: boolean): void {
    if (on) this.stood ??= performance.now()
    else if (this.stood !== undefined) {
      this.paused += performance.now() - this.stood
      this.stood = undefined
    }
    this.draw()
  }

  /** Shows whether the person of a seat is there. */
  present(p: Presence): void {
    this.there[p.seat === 1 ? 1 : 0] = { p, came: performance.now() }
    this.far.hear(p.at, false)
    this.draw()
  }

  /** Shows how the reader's own connection is: without one the clocks are not sure. */
  connected(own: 'good' | 'shaky' | 'lost'): void {
    this.own = own
    this.draw()
  }

  /** How long ago the state came, without the time in which clocks stood. */
  private waited(): number {
    return (this.stood ?? performance.now()) - this.far.here(this.state?.at ?? 0) - this.paused
  }

  /** What is left to a seat. */
  private left(s: State, seat: 0 | 1): ReturnType<typeof leftOf> {
    const k = s.clocks?.[seat]
    if (!k) return { left: 0, periods: 0 }
    return leftOf(k, !s.result && !stands(s) && onTurn(s) === seat ? this.waited() : 0)
  }

  private draw(): void {
    clearTimeout(this.timer)
    const s = this.state
    if (!s) return
    const low = (this.flipped ? 1 - lowSeat(s) : lowSeat(s)) === 1 ? 1 : 0
    this.bar(this.bottom, s, low)
    this.bar(this.top, s, low === 1 ? 0 : 1)
    const runs = onTurn(s)
    const still = this.used || s.result || stands(s) || runs === undefined || !timed(s, runs) || this.stood !== undefined
    if (still) {
      if (!s.result && this.there.some((x) => x?.p.state === 'away')) this.timer = window.setTimeout(() => this.draw(), 250)
      return
    }
    const { left } = this.left(s, runs)
    this.ran(runs, left)
    this.timer = window.setTimeout(() => this.draw(), left < 20_000 ? 100 : 250)
  }

  /** Marks who is there; for how long a seat has been left, empty for who is there. */
  private awayOf(e: HTMLElement, s: State, seat: 0 | 1): string {
    const mine = s.for === (seat === 0 ? 'first' : 'second')
    const told = s.result || this.own === 'lost' ? undefined : this.there[seat]
    const mark = mine ? (this.own === 'good' || s.result ? undefined : 'shaky') : told?.p.state
    if (mark) e.dataset['here'] = mark
    else delete e.dataset['here']
    return !mine && told?.p.state === 'away' ? awayText(told.p, performance.now() - told.came) : ''
  }

  private bar(e: HTMLElement, s: State, seat: 0 | 1): void {
    if (e.childElementCount === 0) e.append(...['bar-mark', 'bar-name', 'bar-score', 'bar-lag', 'bar-clock'].map(span))
    const part = (name: string) => e.querySelector<HTMLElement>(`.${name}`)
    const on = !s.result && onTurn(s) === seat
    e.classList.toggle('on-turn', on)
    e.dataset['seat'] = String(seat)
    const mark = part('bar-mark')
    const colour = colourOf(s, seat)
    if (mark?.dataset['colour'] === 'unknown' && colour !== 'unknown' && !matchMedia('(prefers-reduced-motion: reduce)').matches) mark.animate([{ transform: 'scale(1.6)' }, { transform: 'none' }], 400)
    mark?.setAttribute('data-colour', colour)
    setText(part('bar-name'), s.names[seat])
    const long = new TextEncoder().encode(s.names[seat]).length // as the hall counts
    const name = part('bar-name')
    const rating = ratings.get(s.names[seat])
    if (rating) name?.setAttribute('data-rating', rating)
    else name?.removeAttribute('data-rating')
    if (long > 8) name?.setAttribute('data-long', long > 14 ? 'more' : '')
    else name?.removeAttribute('data-long')
    const score = s.view?.score?.[seat] ?? takenBy(s, seat)
    setText(part('bar-score'), score === undefined ? '' : String(score))
    const last = s.history?.findLast((x) => x.by === (seat === 0 ? 'first' : 'second'))
    const lag = last?.error ? say('lag', { ms: last.error }) : ''
    const asks = s.asks?.some((x) => x.by === seat)
    const away = this.awayOf(e, s, seat)
    const beside = part('bar-lag')
    if (beside) beside.title = away
    setText(beside, away || (asks ? say('asked') : lag))
    const clock = part('bar-clock')
    if (!clock) return
    const runs = !this.used && timed(s, seat)
    if (e === this.bottom) e.parentElement?.toggleAttribute('data-timed', on && runs && s.for === (seat === 0 ? 'first' : 'second'))
    const { left, periods } = this.left(s, seat)
    const told = this.used ? clockText(this.used[seat]) : runs ? clockText(left) : '∞'
    clock.dataset['clock'] = String(seat)
    const unsure = this.own === 'lost' && runs && !s.result
    clock.classList.toggle('unsure', unsure)
    clock.classList.toggle('untimed', !runs)
    clock.classList.toggle('low', left < 20_000 && runs)
    clock.hidden = !this.used && s.controls[seat] === ''
    setText(clock, unsure ? `≈${told}` : told)
    const n = runs && periods ? say('periods', { n: periods }) : ''
    if (n) clock.dataset['periods'] = `×${periods}`
    else delete clock.dataset['periods']
    clock.title = n
    clock.setAttribute('aria-label', say('clock', { name: s.names[seat], time: told === '∞' ? say('noclock') : told + (n && `, ${n}`) }))
    clock.setAttribute('role', 'timer') // which is not read aloud by itself
  }
}

function span(name: string): HTMLElement {
  const e = document.createElement('span')
  e.className = name
  return e
}
