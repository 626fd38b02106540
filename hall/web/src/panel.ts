// What stands below a board: whose turn it is, what can be done that is no place on the
// board, a field for typed moves, trays of pieces.

import { legalNow, ownSeat, type Board } from './state.ts'
import type { Step } from './step.ts'
import { stepName, textName } from './names.ts'
import { nameOf, pieceName, resultText } from './say.ts'
import type { Look } from './games/look.ts'
import { el, type Tools } from './draw/svg.ts'
import { noteText } from './notes.ts'
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

/** What the panel asks of the board. */
export interface Acts {
  take(s: Step): void
  confirm(): void
  cancel(): void
  type(text: string): boolean
  arrows(): void
}

export class Panel {
  readonly root: HTMLElement
  readonly trays = html('div', 'kb-trays')
  private readonly status = html('p', 'kb-status')
  private readonly score = html('p', 'kb-score')
  private readonly fault = html('p', 'kb-fault')
  private readonly notes = html('p', 'kb-notes')
  private readonly buttons = html('div', 'kb-buttons')
  private readonly form = html('form', 'kb-type')
  private readonly field = html('input', 'kb-field-text')
  private readonly go = html('button', 'kb-button')
  private readonly arrows = html('button', 'kb-button kb-arrows')
  private shown = ''
  private trayed = ''
  private scored = ''
  private readonly acts: Acts

  constructor(acts: Acts) {
    this.acts = acts
    this.fault.setAttribute('role', 'alert')
    this.field.autocomplete = 'off'
    this.field.spellcheck = false
    this.field.size = 8
    this.form.append(this.field, this.go)
    this.form.addEventListener('submit', (e) => {
      e.preventDefault()
      if (acts.type(this.field.value)) this.field.value = ''
    })
    this.arrows.type = 'button'
    this.arrows.addEventListener('click', () => acts.arrows())
    this.root = html('div', 'kb-panel', html('div', 'kb-line-of', this.score, this.status, this.buttons, this.form, this.arrows), html('div', 'kb-below', this.fault, this.notes))
  }

  draw(b: Board, w: Words): void {
    const s = b.state
    if (!s?.view) return
    const seat = ownSeat(b)
    say(this.status, statusText(b, s, s.view, w))
    this.status.dataset['colour'] = colourOnTurn(s)
    this.drawScore(s.view)
    const fault = faultText(b, s.view, w)
    say(this.fault, fault)
    say(this.notes, fault || s.result ? '' : (s.view.notes ?? []).map((n) => noteText(w, n)).filter((n) => n !== '').join(' · '))
    this.form.hidden = (seat === undefined && !b.options.free) || b.options.still || s.result !== undefined
    this.field.setAttribute('aria-label', text(w, 'do.type'))
    this.field.placeholder = text(w, 'do.type')
    say(this.go, text(w, 'do.move'))
    say(this.arrows, text(w, 'do.arrows'))
    this.arrows.hidden = b.options.still
    this.arrows.setAttribute('aria-pressed', String(b.drawing === true))
    this.drawButtons(b, w)
  }

  /** Discs, boxes, pieces, lines: where the game counts something. */
  private drawScore(v: View): void {
    const key = v.score ? `${v.score.join(':')} ${v.colours.join(':')}` : ''
    if (key === this.scored) return
    this.scored = key
    this.score.replaceChildren(...(v.score ?? []).map((x, i) => html('span', `kb-points kb-points-${v.colours[i as 0 | 1]} kb-of-${i}`, String(x))))
  }

  private drawButtons(b: Board, w: Words): void {
    const beside = legalNow(b).filter((s) => s.op === 'pass' || s.op === 'choose')
    const key = JSON.stringify([beside.map((s) => s.text), b.pending?.text, b.early, Object.keys(w).length, text(w, 'do.pass')])
    if (key === this.shown) return
    this.shown = key
    const list = beside.map((s) => {
      const name: string = s.op === 'pass' ? 'do.pass' : `choose.${s.arg}`
      return this.button(known(name) ? text(w, name) : s.text, () => this.acts.take(s), s.op === 'choose')
    })
    if (b.pending) list.unshift(this.button(text(w, 'do.confirm'), () => this.acts.confirm(), true))
    if (b.pending || b.early) list.push(this.button(text(w, 'do.cancel'), () => this.acts.cancel(), false))
    this.buttons.replaceChildren(...list)
  }

  private button(name: string, fn: () => void, first: boolean): HTMLButtonElement {
    const e = html('button', first ? 'kb-button kb-first' : 'kb-button', name)
    e.type = 'button'
    e.addEventListener('click', fn)
    return e
  }

  /** Draws the trays with pieces as on the board. */
  drawTrays(s: State, v: View, look: Look, style: string, t: Tools, w: Words): void {
    const list = v.trays ?? []
    const key = JSON.stringify([list, style, s.names, text(w, 'tray.hidden')])
    if (key === this.trayed) return
    this.trayed = key
    this.trays.hidden = list.length === 0
    this.trays.replaceChildren(...list.map((x) => tray(s, x, look, style, t, w)))
  }
}

function tray(s: State, x: Tray, look: Look, style: string, t: Tools, w: Words): HTMLElement {
  const name = nameOf(s, x.owner)
  const key: string = x.name === 'taken' && name ? 'tray.takenby' : `tray.${x.name}`
  const pieces = [...(x.pieces ?? '')].map((letter, i) => {
    const owner = letter === letter.toUpperCase() ? '0' : '1'
    const count = x.counts?.[i] ?? 1
    const e = el('svg', { class: 'kb-tray-piece', viewBox: '-30 -30 60 60', 'aria-hidden': 'true' }, ...look.piece(t, letter, owner, style))
    const item = html('li', 'kb-tray-item')
    item.append(e, html('span', 'kb-count', count > 1 ? `×${count}` : ''))
    item.setAttribute('aria-label', `${pieceName(w, s, letter, owner)} × ${count}`)
    return item
  })
  const head = html('span', 'kb-tray-name', known(key) ? text(w, key, { name }) : x.name)
  return html('div', `kb-tray kb-tray-${x.name}`, head, html('ul', 'kb-tray-list', ...pieces))
}

/** The colour on turn, "unknown" while it is open, nothing when nobody is. */
export function colourOnTurn(s: State): string {
  const v = s.view
  if (!v || s.result) return ''
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
  const more = [known(colour) ? text(w, colour) : '', mine && known(phase) ? text(w, phase) : ''].filter((x) => x !== '')
  if (b.early && b.plan[0]) more.push(text(w, 'planned', { move: textName(v, b.plan[0]) }))
  return [out, ...more].join(' · ')
}

function faultText(b: Board, v: View, w: Words): string {
  if (b.fault) return text(w, b.fault)
  const tried = v.attempts?.at(-1)
  if (b.question?.rejected === 'refused' && tried) return text(w, 'refused', { move: stepName(v, { op: 'place', text: '', to: tried, arg: 0 }) })
  return b.question?.rejected === 'illegal' ? text(w, 'illegal') : ''
}
