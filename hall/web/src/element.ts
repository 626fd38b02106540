// <kibitz-board>: a board on a page. It is driven by what the hall sends (show, advance,
// ask), or follows a running game by itself (attribute game). What the person decides
// is an event "kibitz-answer", and is sent if the board follows a game; "kibitz-missed" tells
// that something was pressed which cannot be decided, "kibitz-swipe" that a finger went across,
// "kibitz-grid" that its points stand elsewhere.
//
//   still          nothing can be chosen
//   mini           the board alone, without what stands below it
//   named          names of columns and rows although it is mini
//   pieces=NAME    a set of pieces, such as latin
//   board=NAME     a style of board
//   numbers        numbers on stones
//   chains         chains of boxes, with their lengths
//   plain          no names of columns and rows
//   turned=N       quarter turns
//   upright        the same way up for both seats
//   moves=press    one press makes a move on every board; confirm: every move waits for a yes
//   no-premove
//   no-keys        letters are no keys
//   no-targets     where one may go is shown only of what was picked up
//   free           both seats' steps are chosen here: an analysis board
//   rings          pieces that can take one have rings: for beginners

import { Gap } from './apply.ts'
import * as act from './act.ts'
import type { Liveliness } from './draw/motion.ts'
import { Picture } from './draw/picture.ts'
import type { Look } from './games/look.ts'
import { lookOf } from './games/looks.ts'
import { hit, layoutOf, middle, UNIT, type Layout, type Quarter } from './layout.ts'
import { follow, send, type Move } from './live.ts'
import { Loupe } from './loupe.ts'
import { pointName } from './names.ts'
import { pause } from './net.ts'
import { html, Panel } from './panel.ts'
import { listen, type Way } from './pointer.ts'
import { deltaText, spotTexts } from './say.ts'
import { Spots } from './spots.ts'
import { Stage } from './stage.ts'
import type { Stream } from './stream.ts'
import { emptyBoard, gameOf, legalNow, ownSeat, type Answer, type Board } from './state.ts'
import { parseSpot, parseStep, spotOf, target, type Spot, type Step } from './step.ts'
import { Voice } from './voice.ts'
import { calledName, text, type Words } from './words.ts'
import type { Ask, Delta, Entry, State } from './wire.ts'

let count = 0
/** A press has been drawn in advance, on this page. */
let rehearsed = false

/** Boards have no words of their own: all speak as their page does. */
const words: Words = {}

/** How long what stands in the hall may take to come when a connection is back, in milliseconds: the
 * first frames may be of a game that is only being taken up again, and the last question late. */
const settling = { least: 1500, most: 20_000 }

/** How long the board of a question may take to come, in milliseconds; what is pressed is then for the hall to judge. */
const patience = 10_000

/** How near to a place that was aimed at a second press takes it, in pixels. */
const near = 22

/** A place that was pressed in vain, and from where a piece should have gone there: the detail of "kibitz-missed". */
export interface Missed {
  readonly spot: Spot
  readonly from?: Spot
}

export class KibitzBoard extends HTMLElement {
  static readonly observedAttributes = ['game', 'still', 'mini', 'pieces', 'board', 'numbers', 'chains', 'plain', 'turned', 'moves', 'no-premove', 'no-targets', 'free']

  #now: Board = emptyBoard
  readonly #picture = new Picture(`kb${++count}`)
  readonly #loupe = new Loupe(this.#picture.tools.id('drawing'))
  readonly #spots = new Spots()
  readonly #panel: Panel
  /** What the page says aloud. */
  readonly voice = new Voice()
  readonly #box = html('div', 'kb-box')
  readonly #unsent = html('span', 'kb-unsent')
  /** The page knows whether there is a connection. */
  #watched = false
  readonly #coarse = matchMedia('(any-pointer: coarse)')
  readonly #calm = matchMedia('(prefers-reduced-motion: reduce)')
  #entries: Entry[] = []
  #layout: Layout | undefined
  /** Pixels between neighbouring points, 0 while they are not measured: what asks for them while
   * other parts of a page are being drawn makes the browser lay it out twice. */
  #pitch = 0
  /** How large the board is on the screen. */
  #room: DOMRectReadOnly | undefined
  #waiting = false
  #described = 0
  /** Takes back what was said of the latest press, which is old news then. */
  #stale = 0
  #following: Stream | undefined
  #stage: Stage | undefined
  readonly #resized = () => {
    this.#stage?.resized()
    this.#redraw()
  }

  constructor() {
    super()
    this.#panel = new Panel({
      take: (s) => this.#change(act.take(this.#now, s)),
      confirm: () => this.#change(act.confirm(this.#now)),
      cancel: () => this.#change(act.cancel(this.#now)),
      type: (words) => {
        this.#change(act.type(this.#now, words))
        return this.#now.fault === undefined
      },
      nudge: (right, down) => { if (this.#layout) this.#change(act.nudge(this.#now, this.#layout, right, down)) },
      arrows: () => this.#change({ ...this.#now, drawing: !this.#now.drawing, picked: undefined }),
    })
    listen({
      root: this.#picture.root,
      board: () => this.#now,
      early: () => this.#look().early,
      change: (b) => this.#pressed(b),
      spot: (e) => this.#spotAt(e),
      way: () => this.#way(),
      magnify: (e) => this.#magnify(e),
      aimed: (e) => this.#aimed(e),
      swiped: (way) => this.#tell('kibitz-swipe', way),
      carry: (spot, e) => this.#carry(spot, e),
    })
    new ResizeObserver(([box]) => {
      this.#room = box?.contentRect
      this.#pitch = 0
      this.#fine()
      this.#hand()
    }).observe(this.#box)
    this.#picture.root.addEventListener('keydown', (e) => this.#key(e as KeyboardEvent))
    this.#box.addEventListener('focusin', (e) => { // on the picture it would make that a stop of the Tab key
      const spot = (e.target as Element).getAttribute('data-spot')
      if (spot && spot !== this.#now.cursor) this.#change({ ...this.#now, cursor: spot })
    })
  }

  /** The spot that the keyboard is on. */
  get cursor(): Spot | undefined {
    return this.#now.cursor
  }

  /** The state that is shown, undefined before there is one. */
  get state(): State | undefined {
    return this.#now.state
  }

  /** The steps that may be taken now; none while nothing is asked. */
  get possible(): readonly Step[] {
    return legalNow(this.#now)
  }

  /** Whether there is a decision that the hall is to get: it is asked for, made or planned. */
  get decides(): boolean {
    return this.possible.length > 0 || this.#now.answer !== undefined || this.#now.plan.length > 0
  }

  connectedCallback(): void {
    if (!this.#box.isConnected) {
      this.#unsent.hidden = true
      this.#box.append(this.#picture.root, this.#loupe.root, this.#unsent)
      this.#stage = Stage.of(this)
      if (this.#stage) this.#panel.spread(this.#stage)
      this.replaceChildren(...(this.#stage ? [this.#box] : [this.#panel.trays, this.#box, this.#panel.root]), ...(this.hasAttribute('mini') ? [] : [this.voice.root]))
    }
    if (this.#stage) window.addEventListener('resize', this.#resized)
    this.#options()
    this.#start()
  }

  disconnectedCallback(): void {
    clearTimeout(this.#stale)
    this.#following?.close()
    this.#following = undefined
    window.removeEventListener('resize', this.#resized)
  }

  attributeChangedCallback(name: string): void {
    if (!this.isConnected) return
    if (name === 'game') this.#start()
    else this.#options()
  }

  /** Tells the page. */
  #tell(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }))
  }

  /** Takes a snapshot. */
  show(s: State): void {
    const [before, played] = [this.#now.state, s.history ?? []]
    const missed = this.#following && before?.game === s.game ? played.slice(before.history?.length ?? 0) : []
    this.#entries = missed.length <= 3 ? [...missed] : [] // what was missed without a connection is seen as it was played
    const names = [calledName(words, s.names[0]), calledName(words, s.names[1])] as const
    this.#change(act.show(this.#now, { ...s, names }))
  }

  /** Takes a delta; false if one before it is missing. */
  advance(d: Delta): boolean {
    const before = this.#now.state?.view
    try {
      const next = act.advance(this.#now, d)
      this.#entries.push(...(d.entries ?? []))
      this.#change(next)
    } catch (e) {
      if (e instanceof Gap) return false
      throw e
    }
    const s = this.#now.state
    if (s && !this.hasAttribute('mini')) this.voice.say(deltaText(words, s, d, before), !!d.result)
    return true
  }

  /** Takes what is asked of the seat. */
  ask(a: Ask): void {
    this.#change(act.ask(this.#now, a))
    setTimeout(() => { if (a.prompt && this.#now.coming?.prompt === a.prompt) this.#change(act.ask(this.#now, a, true)) }, patience)
    this.#tell('kibitz-ask', a)
    if (!rehearsed) setTimeout(() => this.#rehearse(), 500)
  }

  /** Marks steps that an engine proposes, the best first, such that are near the best, and in a
   * review those that were played instead; empty lists take them away. */
  advise(steps: readonly string[], close: readonly string[] = [], instead: readonly string[] = []): void {
    const [advised, near, played] = [steps, close, instead].map((list) => list.map(parseStep).filter((s) => s !== undefined)) as [Step[], Step[], Step[]]
    const text = (...lists: (readonly Step[])[]) => lists.map((list) => list.map((s) => s.text).join(' ')).join('|')
    if (text(advised, near, played) !== text(this.#now.advised, this.#now.near, this.#now.played)) this.#change({ ...this.#now, advised, near, played })
  }

  /** What was decided did not reach the hall, or was not taken: it is asked again. */
  unanswered(why?: string): void {
    this.#change(act.unanswered(this.#now))
    this.voice.say(why, true)
  }

  /** Tells the board whether its page is connected to the hall. When it is again, the
   * board's own stream is made anew: it need not have noticed. */
  set lost(lost: boolean) {
    const was = this.#now.lost
    this.#watched = true
    this.#disconnected(lost)
    if (was && !lost) this.#following?.again()
  }

  #disconnected(lost: boolean): void {
    this.classList.toggle('kb-lost', lost)
    if ((this.#now.lost ?? false) === lost) return
    if (lost && !this.#watched) this.voice.say(text(words, 'lost'), true)
    this.#change({ ...this.#now, lost })
  }

  #start(): void {
    this.#following?.close()
    this.#following = undefined
    const game = this.getAttribute('game')
    if (!game) return
    if (this.#now.state && this.#now.state.game !== game) { // neither its board nor its result is this one's
      this.#now = { ...emptyBoard, options: this.#now.options }
      this.#entries = []
      this.classList.add('kb-blank')
      this.#stage?.blank()
    }
    this.#following = follow(game, {
      show: (s) => this.show(s),
      advance: (d) => this.advance(d),
      ask: (a) => this.ask({ ply: 0, ...a }), // which the hall leaves out
      over: () => this.#tell('kibitz-over'),
      lost: (lost) => { if (!this.#watched) this.#disconnected(lost) },
      presence: (p) => this.#tell('kibitz-presence', p),
      hall: (news) => this.#tell('kibitz-hall', news),
    })
  }

  #options(): void {
    const turned = (Number(this.getAttribute('turned') ?? 0) & 3) as Quarter
    this.#change(act.withOptions(this.#now, {
      turned, still: this.hasAttribute('still') || this.hasAttribute('mini'), confirm: this.getAttribute('moves') === 'confirm', premove: !this.hasAttribute('no-premove'), free: this.hasAttribute('free'), rings: this.hasAttribute('rings'), targets: !this.hasAttribute('no-targets'),
    }))
  }

  /** Goes on to another state of the board. */
  #change(b: Board): void {
    const before = this.#now
    if (b === before) return
    this.#now = b
    this.#redraw()
    clearTimeout(this.#stale)
    if (b.fault) this.#stale = window.setTimeout(() => this.#change({ ...this.#now, fault: undefined }), 20_000)
    if (b.answer && b.answer !== before.answer) this.#answered(b.answer)
    if (b.state !== before.state) this.#tell('kibitz-state', b.state)
  }

  /** Goes on to what a press has led to, and tells if that was nothing. */
  #pressed(b: Board): void {
    const { picked } = this.#now
    const open = legalNow(this.#now).length > 0
    this.#change(b)
    const put = picked !== undefined && b.cursor !== picked && b.picked === undefined && !b.answer && !b.pending
    if (open && b.cursor !== undefined && (b.fault || put)) this.#tell('kibitz-missed', { spot: b.cursor, ...(put && { from: picked }) })
  }

  #answered(answer: Answer): void {
    const { attempt, prompt, ply, steps } = answer
    this.#tell('kibitz-answer', { prompt, steps })
    const game = this.getAttribute('game')
    if (!game) return
    const before = this.#now.state?.history ?? []
    let late = this.#now.lost === true
    const move: Move = { prompt, steps, for: { attempt, ply } }
    const sent = () => {
      send(game, 'moves', move, () => { late = true }).then((no) => {
        if (late) void this.#delivered(answer, before, no !== undefined)
        else if (no && this.#now.answer === answer) this.unanswered(no)
      }, () => this.unanswered())
    }
    if (document.hidden) sent() // a plan's next step; timers may wait a second there
    else setTimeout(sent) // to make a request takes a slow phone 6 ms, for which the stone is not to wait
  }

  /** A step that had to wait for the connection has come to the hall, which took it, now or when it
   * first came, or refused it. */
  async #delivered(answer: Answer, before: readonly Entry[], refused: boolean): Promise<void> {
    let sent = !refused
    if (refused) this.#following?.again()
    for (let waited = 0; !sent && waited < (act.overtaken(this.#now, before) ? settling.least : settling.most); waited += 250) {
      await pause(250) // until the position as it is now has come, and what is asked
      const next = act.resend(this.#now, answer, before)
      if ((sent = next !== this.#now)) this.#change(next)
    }
    if (!sent && this.#now.answer === answer) this.unanswered()
    this.#tell('kibitz-late', sent)
  }

  /** Marks the step that could not be sent. */
  #label(): void {
    const step = this.#now.lost && this.#now.answer ? act.ghost(this.#now) : undefined
    const to = step && (step.to ?? step.from)
    const on = to && this.#layout && this.#picture.onScreen(middle(this.#layout, to[0], to[1]))
    this.#unsent.hidden = !on
    if (!on) return
    const r = this.#box.getBoundingClientRect()
    this.#unsent.textContent = text(words, 'notsent')
    this.#unsent.style.left = `${Math.round(on.at[0] - r.left)}px`
    this.#unsent.style.top = `${Math.round(on.at[1] - r.top)}px`
  }

  #redraw(): void {
    if (this.#waiting || !this.isConnected) return
    this.#waiting = true
    requestAnimationFrame(() => {
      this.#waiting = false
      this.#render()
    })
  }

  /** Draws once what a press would make of the picture and takes it away again before a frame shows it: the
   * first press need not wait for scripts to be made ready. Buttons stay as they are: one may be pressed. */
  #rehearse(): void {
    const b = this.#now
    const [step] = legalNow(b)
    const to = step && target(step)
    if (rehearsed || !to || this.#waiting || b.options.still) return
    rehearsed = true
    this.#now = act.press(step.from ? { ...b, picked: spotOf(step.from) } : b, to, this.#look().early)
    this.#paint()
    this.#now = b
    this.#paint()
  }

  #look(): Look {
    return lookOf(this.#now.state ? gameOf(this.#now.state) : '')
  }

  /** Draws what has changed since the last time. */
  #render(): void {
    const s = this.#now.state
    if (!s?.view) return
    const look = this.#look()
    const mini = this.hasAttribute('mini')
    this.#paint()
    this.#label()
    this.#described ||= window.setTimeout(() => this.#describe()) // when the frame is on the screen
    if (!mini) {
      this.voice.say(this.#panel.draw(this.#now, words), true)
      this.#panel.drawTrays(s, s.view, look, this.#pieceSet(), this.#picture.tools, words)
    }
    this.#panel.root.hidden = mini
    if (mini) this.#panel.trays.hidden = true
  }

  /** Draws what has changed in the picture. */
  #paint(): void {
    const v = this.#now.state?.view
    if (!v) return
    this.classList.remove('kb-blank')
    const look = this.#look()
    const mini = this.hasAttribute('mini')
    const own = ownSeat(this.#now)
    const home: number = !this.hasAttribute('upright') && look.home !== 'either' && own !== undefined && own !== (look.home === 'first' ? 0 : 1) ? 2 : 0
    const labels = (mini && !this.hasAttribute('named')) || this.hasAttribute('plain') ? 'none' : look.labels
    const turned = (more: number) => layoutOf(v, ((this.#now.options.turned + home + more) & 3) as Quarter, labels)
    const l = look.turned === 'quarters' && this.#stage?.sideways(turned(0), turned(1)) ? turned(1) : turned(0)
    if (l.w !== this.#layout?.w || l.h !== this.#layout.h) this.#pitch = 0
    this.#layout = l
    this.#stage?.fit(l)
    this.#box.className = `kb-box kb-is-${this.getAttribute('board') ?? v.ground}`
    this.classList.toggle('kb-board-paper', v.ground === 'paper')
    this.#picture.draw(this.#now, l, v, look, { style: this.#pieceSet(), numbered: this.hasAttribute('numbers'), aid: this.hasAttribute('chains'), moves: this.#liveliness(mini) }, this.#entries)
    this.#entries = []
  }

  #pieceSet(): string {
    return this.getAttribute('pieces') ?? 'classic'
  }

  #liveliness(mini: boolean): Liveliness {
    if (this.#calm.matches || document.hidden) return 'none'
    return mini ? 'walks' : 'all'
  }

  /** Roles and names for readers of the screen, and the spots of the keyboard. */
  #describe(): void {
    this.#described = 0
    const s = this.#now.state
    if (!s) return
    const mini = this.hasAttribute('mini')
    const root = this.#picture.root
    const label = `${text(words, 'board')}: ${s.names[0]} – ${s.names[1]}`
    if (root.getAttribute('aria-label') !== label) root.setAttribute('aria-label', label)
    root.setAttribute('role', mini ? 'img' : 'grid')
    if (mini || !this.#layout) {
      this.#spots.group.remove()
      return
    }
    if (!this.#spots.group.isConnected) root.append(this.#spots.group)
    if (this.#spots.draw(this.#now, this.#layout, spotTexts(words, this.#now))) this.#tell('kibitz-grid')
    this.#fine()
    this.#hand()
  }

  /** Tells the style sheet of lines, 1.5 units wide, that would be thinner than a pixel. */
  #fine(): void {
    const [l, r] = [this.#layout, this.#room]
    if (l && r) this.classList.toggle('kb-fine', Math.min(r.width / l.w, r.height / l.h) * 1.5 < 1)
  }

  /** Tells the style sheet what a finger does on the board. */
  #hand(): void {
    if (!this.#now.state?.view || this.hasAttribute('mini')) return
    const movable = this.#now.options.still ? 'no' : act.moves(this.#look().early) ? 'drag' : 'press'
    this.#box.dataset['hand'] = this.#now.drawing ? 'drag' : movable === 'press' && this.#coarse.matches && this.#way() !== 'press' ? 'aim' : movable
    this.#picture.root.style.touchAction = this.hasAttribute('free') && this.#box.dataset['hand'] === 'press' ? 'pan-y pinch-zoom' : ''
  }

  #spotAt(e: PointerEvent): Spot | undefined {
    const p = this.#picture.locate(e.clientX, e.clientY)
    return p && this.#layout ? hit(this.#layout, p[0], p[1]) : undefined
  }

  /** How a finger places a stone: by how far points are from each other on the screen. */
  #way(): Way {
    const l = this.#layout
    if (!l || !(this.#look().early === 'place' || this.#look().early === 'pair') || this.#now.drawing || this.getAttribute('moves') === 'press') return 'press'
    this.#pitch ||= UNIT * (this.#picture.onScreen([0, 0])?.scale ?? 1)
    return this.#pitch < 24 ? 'aim' : this.#pitch < 36 ? 'slide' : 'press'
  }

  /** Shows enlarged what is under a finger, with its row and column. */
  #magnify(e?: PointerEvent): void {
    const [l, v] = [this.#layout, this.#now.state?.view]
    const spot = e && this.#spotAt(e)
    const p = spot ? parseSpot(spot).at : undefined
    if (l) this.#picture.point(l, p)
    const at = l && p && middle(l, p[0], p[1])
    const on = at && this.#picture.onScreen(at)
    if (!e || !v || !on) this.#loupe.hide()
    else this.#loupe.show([e.clientX, e.clientY], at, on.scale, on.scale * UNIT, pointName(v, p), this.#box.getBoundingClientRect())
  }

  /** A finger that aims is lifted: near what it aimed at before it takes that, elsewhere it aims anew. */
  #aimed(e: PointerEvent): void {
    const before = this.#now.pending?.to
    const on = before && this.#layout && this.#picture.onScreen(middle(this.#layout, before[0], before[1]))
    const spot = this.#spotAt(e)
    if (on && Math.hypot(e.clientX - on.at[0], e.clientY - on.at[1]) <= near) this.#change(act.confirm(this.#now))
    else if (spot) this.#pressed(act.aim(this.#now, spot))
  }

  #carry(spot: Spot | undefined, e?: PointerEvent): void {
    const v = this.#now.state?.view
    const p = e && this.#picture.locate(e.clientX, e.clientY)
    if (v && this.#layout) this.#picture.carry(this.#layout, v, spot ? parseSpot(spot).at : undefined, p)
  }

  #key(e: KeyboardEvent): void {
    if (!this.#layout || e.altKey || e.ctrlKey || e.metaKey) return
    const ways: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-99, 0], End: [99, 0], PageUp: [0, -99], PageDown: [0, 99] }
    const way = ways[e.key]
    const spot = this.#now.cursor ?? (e.target as Element).getAttribute('data-spot')
    if (way) this.#change(act.walk(spot ? { ...this.#now, cursor: spot } : this.#now, this.#layout, way[0], way[1]))
    else if ((e.key === 'Enter' || e.key === ' ') && spot) this.#pressed(act.press(this.#now, spot, this.#look().early))
    else if (e.key === 'Escape') this.#change(act.cancel(this.#now))
    else return
    e.preventDefault()
  }
}
