// What stands below a board: whose turn it is, what can be done that is no place on the
// board, a field for typed moves, trays of pieces.

import { pieceAt } from './act.ts'
import type { Stage } from './stage.ts'
import { gameOf, legalNow, lowSeat, ownSeat, type Board } from './state.ts'
import { parseSpot, spotOf, type Step } from './step.ts'
import { pointName, stepName, textName } from './names.ts'
import { barredText, nameOf, pieceName, resultText } from './say.ts'
import type { Look } from './games/look.ts'
import { lookOf, pieceOf } from './games/looks.ts'
import { drawn } from './draw/figures.ts'
import { el, type Tools } from './draw/svg.ts'
import { nearness, noteText } from './notes.ts'
import { known, text, type Words } from './words.ts'
import type { State, Tray, View } from './wire.ts'

/** Builds an element of the page. */
export function html<K extends keyof HTMLElementTagNameMap>(name: K, kind: string, ...children: readonly (Node | string)[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(name)
  if (kind) e.className = kind
  e.append(...children)
  return e
}

/** Changes the text of an element if it differs. */
function say(e: HTMLElement, words: string): void {
  if (e.textContent !== words) e.textContent = words
}

/** The ways from a point that is aimed at to its neighbours. */
const nudges = [['←', 'do.left', -1, 0], ['↑', 'do.up', 0, -1], ['↓', 'do.down', 0, 1], ['→', 'do.right', 1, 0]] as const

/** What the panel asks of the board. */
export interface Acts {
  take(s: Step): void
  confirm(): void
  cancel(): void
  type(text: string): boolean
  arrows(): void
  /** Aims at a neighbouring point. */
  nudge(right: number, down: number): void
}

export class Panel {
  readonly root: HTMLElement
  readonly trays = html('div', 'kb-trays')
  readonly #status = html('p', 'kb-status')
  readonly #score = html('p', 'kb-score')
  readonly #fault = html('p', 'kb-fault')
  readonly #notes = html('button', 'kb-notes link word')
  /** Takes back what is planned, on a stage. */
  readonly #drop = html('button', 'kb-drop', '×')
  readonly #buttons = html('div', 'kb-buttons')
  readonly #form = html('form', 'kb-type')
  readonly #field = html('input', 'kb-field-text')
  readonly #go = html('button', '')
  readonly #arrows = html('button', 'kb-arrows')
  #shown = ''
  #trayed = ''
  #scored = ''
  #stage: Stage | undefined
  readonly #acts: Acts

  constructor(acts: Acts) {
    this.#acts = acts
    this.#notes.type = this.#drop.type = 'button'
    this.#drop.hidden = true
    this.#drop.addEventListener('click', () => acts.cancel())
    this.#field.autocomplete = 'off'
    this.#field.spellcheck = false
    this.#field.size = 8
    this.#form.append(this.#field, this.#go)
    this.#form.hidden = this.#arrows.hidden = true // until it is known what may be typed and drawn
    this.#form.addEventListener('submit', (e) => {
      e.preventDefault()
      if (acts.type(this.#field.value)) this.#field.value = ''
    })
    this.#arrows.type = 'button'
    this.#arrows.addEventListener('click', () => acts.arrows())
    this.root = html('div', 'kb-panel', html('div', 'kb-line-of', this.#score, this.#status, this.#buttons, this.#form, this.#arrows), html('div', 'kb-below', this.#fault, this.#notes))
  }

  /** Puts its parts into the places of a stage. */
  spread(stage: Stage): void {
    this.#stage = stage
    stage.place('say')?.replaceChildren(this.#fault, this.#status, this.#drop, this.#notes)
    stage.place('do')?.replaceChildren(this.#buttons)
    stage.place('type')?.replaceChildren(this.#form, this.#arrows)
  }

  /** Draws what has changed, and returns a fault that is new and seen. */
  draw(b: Board, w: Words): string | false {
    const s = b.state
    if (!s?.view) return false
    const seat = ownSeat(b)
    say(this.#status, statusText(b, s, s.view, w))
    this.#status.title = this.#status.textContent ?? ''
    this.#status.dataset['colour'] = colourOnTurn(s)
    this.#drawScore(s.view)
    const fault = faultText(b, s.view, w)
    const news = this.#fault.textContent !== fault
    say(this.#fault, fault)
    this.#fault.title = fault
    const notes = fault || s.result ? [] : (s.view.notes ?? []).filter((n) => !this.#stage || nearness(n) >= 0.5)
    const told = notes.map((n): [string, string] => [n.code, noteText(w, n)]).filter(([, x]) => x)
    if (this.#stage && !fault && !s.result && legalNow(b).some((x) => x.op === 'pass')) told.push(['pass', text(w, 'turn.pass')])
    say(this.#notes, told.map(([, x]) => x).join(' · '))
    this.#notes.title = this.#notes.textContent ?? ''
    // The first of them that the page explains is what a press on the line tells.
    const tip = told.map(([code]) => document.getElementById(`tip-${code}`)).find((e) => e) ?? null
    this.#notes.popoverTargetElement = tip
    this.#notes.disabled = !tip
    this.#notes.classList.toggle('kb-near', notes.some((n) => n.code !== 'forbidden' && n.args?.length === 2 && nearness(n) >= 0.9))
    this.#form.hidden = (seat === undefined && !b.options.free) || b.options.still || s.result !== undefined
    this.#field.setAttribute('aria-label', text(w, 'do.type'))
    this.#field.placeholder = text(w, 'do.type')
    say(this.#go, text(w, 'do.move'))
    say(this.#arrows, text(w, 'do.arrows'))
    this.#arrows.hidden = b.options.still
    this.#arrows.setAttribute('aria-pressed', String(b.drawing === true))
    this.#drawButtons(b, w)
    return news && fault && this.#fault.checkVisibility() && fault
  }

  /** Discs, boxes, pieces, lines: where the game counts something. */
  #drawScore(v: View): void {
    const key = v.score ? `${v.score.join(':')} ${v.colours.join(':')}` : ''
    if (key === this.#scored) return
    this.#scored = key
    this.#score.replaceChildren(...(v.score ?? []).map((x, i) => html('span', `kb-points kb-points-${v.colours[i as 0 | 1]} kb-of-${i}`, String(x))))
  }

  #drawButtons(b: Board, w: Words): void {
    const beside = legalNow(b).filter((s) => isBeside(s) && s.text !== b.pending?.text)
    const waits = this.#passLater(b, beside)
    const key = JSON.stringify([beside.map((s) => s.text), waits, b.pending?.text, b.aimed, b.early, Object.keys(w).length, text(w, 'do.pass')])
    if (key === this.#shown) return
    this.#shown = key
    const list = beside.map((s) => this.#button(besideText(w, s), () => this.#acts.take(s), s.op === 'choose'))
    if (waits) list.push(Object.assign(this.#button(text(w, 'do.pass'), () => {}, false), { disabled: true }))
    const v = b.state?.view
    const name = b.pending && isBeside(b.pending) ? besideText(w, b.pending)
      : b.pending && v && (this.#stage || b.aimed) ? text(w, 'do.play', { move: stepName(v, b.pending) }) : text(w, 'do.confirm')
    if (b.pending) list.unshift(this.#button(name, () => this.#acts.confirm(), true))
    this.#drop.hidden = !b.early
    this.#drop.ariaLabel = this.#drop.title = text(w, 'do.cancel')
    if (b.pending || b.early && !this.#stage) {
      const cancel = this.#button(this.#stage || b.aimed ? '×' : text(w, 'do.cancel'), () => this.#acts.cancel(), false)
      cancel.setAttribute('aria-label', text(w, 'do.cancel'))
      list.push(cancel)
    }
    if (b.pending && b.aimed) list.push(...nudges.map(([sign, key, right, down]) => this.#nudge(sign, text(w, key), right, down)))
    this.#buttons.replaceChildren(...list)
  }

  /** Whether a pass has its place while it is not possible: what stands beside it is not to move. */
  #passLater(b: Board, beside: readonly Step[]): boolean {
    if (this.#stage === undefined || !b.state || b.state.result || b.pending || b.options.free || ownSeat(b) === undefined) return false
    const { passes } = lookOf(gameOf(b.state))
    return (passes === 'always' || b.state.spec.includes(passes)) && !beside.some((s) => s.op === 'pass')
  }

  #nudge(sign: string, name: string, right: number, down: number): HTMLButtonElement {
    const e = this.#button(sign, () => this.#acts.nudge(right, down), false)
    e.classList.add('kb-nudge')
    e.setAttribute('aria-label', name)
    return e
  }

  #button(name: string, fn: () => void, first: boolean): HTMLButtonElement {
    const e = html('button', first ? 'kb-first primary' : '', name)
    e.type = 'button'
    e.addEventListener('click', fn)
    return e
  }

  /** Draws the trays with pieces as on the board; on a stage what each has taken beside its
   * bar, and what nobody has where there is a place for it. */
  drawTrays(s: State, v: View, look: Look, style: string, t: Tools, w: Words): void {
    const list = v.trays ?? []
    const key = JSON.stringify([list, style, s.names, v.colours, text(w, 'tray.hidden')])
    if (key === this.#trayed) return
    this.#trayed = key
    const drawn = list.map((x) => tray(s, x, look, this.#stage ? kindsOf(look, v, x) : x.pieces ?? '', style, t, w))
    if (!this.#stage) {
      this.trays.hidden = list.length === 0
      this.trays.replaceChildren(...drawn)
      return
    }
    const low = lowSeat(s) === 0 ? 'first' : 'second'
    const at = (x: Tray) => (x.name === 'hidden' ? 'down' : x.owner === low ? 'tray1' : 'tray0')
    for (const name of ['down', 'tray0', 'tray1']) {
      this.#stage.place(name)?.replaceChildren(...drawn.filter((_, i) => at(list[i]!) === name && (name === 'down' || list[i]!.owner !== 'nobody')))
    }
  }
}

/** The kinds of pieces that have a place in a tray, though there may be none of them. */
function kindsOf(look: Look, v: View, x: Tray): string {
  if (!look.ranks) return x.pieces ?? ''
  const red = look.ranks
  if (x.name === 'hidden') return red + red.toLowerCase()
  return v.colours[x.owner === 'first' ? 0 : 1] === 'red' ? red.toLowerCase() : red
}

function tray(s: State, x: Tray, look: Look, kinds: string, style: string, t: Tools, w: Words): HTMLElement {
  const name = nameOf(s, x.owner)
  const key: string = x.name === 'taken' && name ? 'tray.takenby' : `tray.${x.name}`
  const pieces = [...kinds].map((letter) => {
    const owner = letter === letter.toUpperCase() ? '0' : '1'
    const i = (x.pieces ?? '').indexOf(letter)
    const count = i < 0 ? 0 : x.counts?.[i] ?? 1
    const e = el('svg', { class: 'kb-tray-piece', viewBox: '-30 -30 60 60', 'aria-hidden': 'true' }, ...drawn(t, pieceOf(look, letter), letter, owner, style))
    const item = html('li', count > 0 ? 'kb-tray-item' : 'kb-tray-item kb-none')
    item.append(e, html('span', 'kb-count', count > 1 ? String(count) : ''))
    item.setAttribute('aria-label', `${pieceName(w, s, letter, owner)} × ${count}`)
    return item
  })
  const head = html('span', 'kb-tray-name', known(w, key) ? text(w, key, { name }) : x.name)
  return html('div', `kb-tray kb-tray-${x.name}`, head, html('ul', 'kb-tray-list', ...pieces))
}

/** Whether a step goes to no place of the board. */
const isBeside = (s: Step): boolean => s.op === 'pass' || s.op === 'choose'

/** What the button of such a step says. */
function besideText(w: Words, s: Step): string {
  const name: string = s.op === 'pass' ? 'do.pass' : `choose.${s.arg}`
  return known(w, name) ? text(w, name) : s.text
}

/** The colour on turn, "unknown" while it is open, nothing when nobody is, and where lines
 * are drawn, whose colours are those of seats. */
export function colourOnTurn(s: State): string {
  const v = s.view
  if (!v || s.result || v.shape === 'dots') return ''
  return v.seat === 'first' ? v.colours[0] : v.seat === 'second' ? v.colours[1] : ''
}

function statusText(b: Board, s: State, v: View, w: Words): string {
  if (s.result) return resultText(w, s)
  if (v.seat === 'nobody') return text(w, 'turn.none')
  if (v.seat === 'dealer') return text(w, 'turn.chance')
  if (b.lost && b.answer) return text(w, 'turn.unsent')
  const mine = v.seat === s.for
  const out = mine ? text(w, 'turn.yours') : text(w, 'turn.theirs', { name: nameOf(s, v.seat) })
  const colour = `colour.${colourOnTurn(s)}`
  const phase = v.phase === 'place' && (v.step ?? 0) > 0 ? 'step.second' : `step.${v.phase ?? ''}`
  const you = `you.${(s.history ?? []).filter((e) => e.ended).length === 1 && ownSeat(b) !== undefined ? v.colours[ownSeat(b)!] : ''}` // a colour that the first turn has told
  const planned = b.early && b.plan[0] ? text(w, 'planned', { move: b.plan.map((x) => textName(v, x)).join(' ') }) : ''
  if (known(w, you) && v.trays && !planned) return [text(w, you), out].join(' · ')
  const more = [known(w, colour) ? text(w, colour) : '', mine && known(w, phase) ? text(w, phase) : '']
  return [out, ...more, planned].filter((x) => x !== '').join(' · ')
}

function faultText(b: Board, v: View, w: Words): string {
  const at = b.pending?.to ?? (b.fault === 'fault.illegal' && b.cursor ? parseSpot(b.cursor).at : undefined)
  const why = at && barredText(w, v, at)
  if (why) return text(w, 'spot.barred', { spot: pointName(v, at), why })
  if (at && pieceAt(v, spotOf(at)) !== '.' && legalNow(b).some((x) => x.op === 'place')) return text(w, 'fault.taken', { at: pointName(v, at) })
  if (b.fault) return text(w, b.fault)
  const tried = v.attempts?.at(-1)
  if (b.question?.rejected === 'refused' && tried) return text(w, 'refused', { move: stepName(v, { op: 'place', text: '', to: tried, arg: 0 }) })
  return b.question?.rejected === 'illegal' ? text(w, 'illegal') : ''
}
