// A position that is set up by hand: pieces are chosen and painted on the board, and the hall
// composes a position of it, or says why there is none.

import type { KibitzBoard } from '../element.ts'
import type { Tools } from '../draw/svg.ts'
import type { Look } from '../games/look.ts'
import type { SetupView, SolvedView, State, View } from '../wire.ts'
import { playRow } from './begin.ts'
import type { Kit } from './kit.ts'
import { changed, linesOf, mirror, owned, painted, quarter, swapped, turned, type Change, type Set } from './setup.ts'

/** What the editor asks of its page. */
export interface Easel {
  readonly kit: Kit
  readonly spec: string
  readonly board: KibitzBoard
  /** The state of the board that the page shows, with another view. */
  state(v: View): State
  /** The board that the page shows, and how the game begins. */
  view(): View | undefined
  start(): View | undefined
}

/** How long nothing is painted before the hall is asked, in milliseconds. */
const calm = 150

function button(text: string, press: () => void): HTMLButtonElement {
  const b = document.createElement('button')
  b.textContent = text
  b.type = 'button'
  b.addEventListener('click', press)
  return b
}

export class Editor {
  /** The board is painted on. */
  on = false
  private now: Set
  private chosen = ''
  private timer = 0
  private asked = 0
  private last: SetupView | undefined
  /** Whether the press that goes on paints or erases, and where it was last. */
  private stroke: { readonly erase: boolean; spot: string } | undefined
  private readonly look: Look
  private readonly palette: HTMLElement
  private readonly seat: HTMLSelectElement
  private readonly taken: HTMLElement
  private readonly sum: HTMLElement
  private readonly doubt: HTMLElement
  private readonly fault: HTMLElement
  private readonly analyse: HTMLAnchorElement
  private readonly image: HTMLAnchorElement
  private readonly takes: HTMLButtonElement
  private readonly acts: HTMLElement

  private readonly easel: Easel

  constructor(easel: Easel, panel: HTMLElement, first: View) {
    this.easel = easel
    const { aloud, html, lookOf, sayAnalysis } = easel.kit
    this.takes = button(sayAnalysis('setup.taken'), () => { this.takes.ariaPressed = String(this.takes.ariaPressed !== 'true') })
    this.palette = html('p', 'row small-buttons')
    this.seat = html('select', '')
    this.taken = html('p', 'row small-buttons')
    this.sum = html('p', 'quiet small')
    this.doubt = html('p', 'quiet small')
    this.fault = html('p', 'fault-line')
    this.analyse = html('a', '', sayAnalysis('this'))
    this.image = html('a', '', sayAnalysis('setup.picture'))
    this.acts = html('div', '')
    this.look = lookOf(easel.spec.split(':')[0] ?? '')
    this.now = painted(first, this.look)
    this.palette.setAttribute('role', 'radiogroup')
    this.palette.ariaLabel = sayAnalysis('setup.pieces')
    aloud(this.doubt)
    aloud(this.fault, true)
    this.takes.ariaPressed = 'false'
    this.seat.addEventListener('change', () => this.change((s) => ({ ...s, seat: this.seat.selectedIndex as 0 | 1 })))
    panel.replaceChildren(
      html('p', 'quiet small', sayAnalysis('setup.hint')), this.palette,
      html('p', 'row', html('label', '', `${sayAnalysis('setup.seat')} `, this.seat)),
      html('p', 'row small-buttons',
        button(sayAnalysis('setup.empty'), () => this.change((s) => ({ ...s, cells: s.cells.map(() => '.'), lines: [], taken: '' }))),
        button(sayAnalysis('setup.start'), () => this.begin()),
        button(sayAnalysis('setup.turn'), () => this.change((s) => this.turn(s))),
        button(sayAnalysis('setup.mirror'), () => this.change((s) => changed(s, mirror(s))))),
      ...(this.look.ranks ? [html('p', 'row', this.takes), this.taken, this.sum] : []),
      this.doubt, this.fault,
      this.acts)
    this.acts.append(
      html('p', 'row', this.analyse, button(sayAnalysis('setup.share'), () => void this.share()), this.image,
        button(sayAnalysis('setup.puzzle'), () => void this.puzzle())),
      playRow(easel.kit, () => this.last && { spec: this.last.spec, position: this.last.position, moves: [], seat: this.last.view.seat }))
    this.drawPalette()
    const { board } = easel
    const during = (run: (e: Event) => void) => (e: Event) => {
      if (!this.on) return
      e.stopPropagation()
      e.preventDefault()
      run(e)
    }
    board.addEventListener('pointerdown', during((e) => this.press(e as PointerEvent)), true)
    board.addEventListener('pointermove', during((e) => this.drag(e as PointerEvent)), true)
    for (const name of ['pointerup', 'pointercancel', 'contextmenu']) board.addEventListener(name, during(() => { this.stroke = undefined }), true)
    board.addEventListener('keydown', (e) => {
      const own = (e.target as Element).getAttribute('data-spot')
      const spot = own === null ? null : board.cursor ?? own // it is there before the focus
      if (!this.on || !spot || (e.key !== 'Enter' && e.key !== ' ')) return
      e.preventDefault()
      e.stopPropagation()
      this.paint(spot, this.holds(spot))
    }, true)
  }

  /** Begins with a board, that of the page if it is not given. */
  open(v = this.easel.view()): void {
    if (!v) return
    this.on = true
    this.now = painted(v, this.look)
    this.change((s) => s)
  }

  /** The page goes on to a position of its own. */
  close(): void {
    this.on = false
    clearTimeout(this.timer)
    this.asked++
  }

  private begin(): void {
    const v = this.easel.start()
    if (v) this.change(() => painted(v, this.look))
  }

  /** Turns the board: games in which a side belongs to a seat go on with the seats exchanged. */
  private turn(s: Set): Set {
    if (this.look.home !== 'either') return swapped(changed(s, turned(s)), this.look)
    return changed(s, s.view.width === s.view.height ? quarter(s) : turned(s))
  }

  private tools(): Tools {
    const id = this.easel.board.querySelector('[id$="-drawing"]')?.id.slice(0, -'-drawing'.length) ?? ''
    return { id: (name) => `${id}-${name}`, url: (name) => `url(#${id}-${name})` }
  }

  private picture(letter: string): SVGElement {
    const { drawn, el, pieceOf } = this.easel.kit
    return el('svg', { class: 'kb-tray-piece', viewBox: '-30 -30 60 60', 'aria-hidden': 'true' }, ...drawn(this.tools(), pieceOf(this.look, letter), letter, owned(letter, this.now, this.look), 'classic'))
  }

  private nameOf(letter: string): string {
    return this.easel.kit.pieceName(this.easel.kit.boardWords(), this.easel.state(this.now.view), letter, owned(letter, this.now, this.look))
  }

  /** The pieces that can be painted: all but stones that count no more, and the eraser. */
  private drawPalette(): void {
    const { sayAnalysis } = this.easel.kit
    const letters = Object.keys(this.look.pieces).filter((x) => this.look.pieces[x]?.figure !== 'dead')
    this.chosen ||= letters[0] ?? '.'
    this.palette.replaceChildren(...[...letters, '.'].map((letter) => {
      const b = button(letter === '.' ? sayAnalysis('setup.eraser') : '', () => this.choose(letter))
      b.dataset['piece'] = letter
      b.setAttribute('role', 'radio')
      if (letter !== '.') {
        b.append(this.picture(letter))
        b.ariaLabel = this.nameOf(letter)
        b.addEventListener('pointerdown', (e) => this.lift(letter, e))
      }
      return b
    }))
    this.mark()
  }

  private mark(): void {
    for (const b of this.palette.querySelectorAll('button')) {
      b.ariaChecked = String(b.dataset['piece'] === this.chosen)
      b.ariaPressed = null
    }
  }

  private choose(letter: string): void {
    if (this.takes.ariaPressed === 'true' && letter !== '.' && letter !== 'X') {
      this.change((s) => ({ ...s, taken: s.taken + letter }))
      return
    }
    this.chosen = letter
    this.mark()
  }

  /** A piece of the palette is dragged onto the board. */
  private lift(letter: string, e: PointerEvent): void {
    const at = [e.clientX, e.clientY] as const
    window.addEventListener('pointerup', (up) => {
      if (!this.on || Math.hypot(up.clientX - at[0], up.clientY - at[1]) < 8) return
      const spot = this.spot(up)
      this.chosen = letter
      this.mark()
      if (spot) this.paint(spot, false)
    }, { once: true, capture: true })
  }

  /** The spot under a pointer. */
  private spot(e: PointerEvent): string | undefined {
    for (const x of this.easel.board.querySelectorAll('[data-spot]')) {
      const r = x.getBoundingClientRect()
      if (e.clientX >= r.left && e.clientX <= r.right && e.clientY >= r.top && e.clientY <= r.bottom) return x.getAttribute('data-spot') ?? undefined
    }
    return undefined
  }

  private press(e: PointerEvent): void {
    const spot = this.spot(e)
    if (!spot) return
    const erase = e.button === 2 || this.holds(spot)
    this.stroke = { erase, spot }
    this.easel.board.querySelector<SVGElement>(`[data-spot="${spot}"]`)?.focus({ preventScroll: true })
    this.paint(spot, erase)
  }

  private drag(e: PointerEvent): void {
    const spot = this.stroke && this.spot(e)
    if (!this.stroke || !spot || spot === this.stroke.spot) return
    this.stroke.spot = spot
    this.paint(spot, this.stroke.erase)
  }

  /** Whether what is chosen stands there already. */
  private holds(spot: string): boolean {
    const { at: [x, y], line } = this.easel.kit.parseSpot(spot)
    if (line) return this.now.lines.some((l) => l[0] === x && l[1] === y && l[2] === (line === '|' ? 1 : 0)) && this.chosen !== '.'
    return this.now.cells[y * this.now.view.width + x] === this.chosen
  }

  private paint(spot: string, erase: boolean): void {
    const letter = erase ? '.' : this.chosen
    const { at: [x, y], line } = this.easel.kit.parseSpot(spot)
    this.change((s) => (line ? linesOf(s, [x, y, line === '|' ? 1 : 0, letter === 'w' ? 1 : 0], letter) : { ...s, cells: s.cells.with(y * s.view.width + x, letter) }))
  }

  /** Shows another board at once, and has the hall compose it. */
  private change(how: Change): void {
    this.now = how(this.now)
    const { view, cells, lines } = this.now
    this.show({ ...view, pieces: cells.join(''), owners: cells.map((c) => owned(c, this.now, this.look)).join(''), ...(view.shape === 'dots' && { lines }) })
    this.told()
    this.acts.hidden = true
    const { setText } = this.easel.kit
    this.asked++ // what is asked already is of another board, and so is what was said
    setText(this.fault, '')
    setText(this.doubt, '')
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => void this.compose(), calm)
  }

  private show(v: View): void {
    this.easel.board.ask({ game: '', attempt: 1, seat: 0, seq: 0, over: true })
    this.easel.board.show(this.easel.state({ ...v, marks: [], barred: [], path: [], won: [] }))
  }

  /** What a seat plays with, in words. */
  private colourOf(seat: 0 | 1): string {
    const { boardWords, text } = this.easel.kit
    const colour = this.now.colours[seat]
    return text(boardWords(), `colour.${colour === 'unknown' ? 'red' : colour}`)
  }

  /** Shows who is to move, what was taken, and the sum of what lies face down. */
  private told(): void {
    const { now } = this
    const { html, sayAnalysis, setText } = this.easel.kit
    const names = ([0, 1] as const).map((seat) => this.colourOf(seat))
    if (this.seat.textContent !== names.join('')) this.seat.replaceChildren(...names.map((n) => html('option', '', n)))
    this.seat.selectedIndex = now.seat
    if (!this.look.ranks) return
    this.taken.replaceChildren(...[...now.taken].map((letter, i) => {
      const b = button('', () => this.change((s) => ({ ...s, taken: s.taken.slice(0, i) + s.taken.slice(i + 1) })))
      b.append(this.picture(letter))
      b.ariaLabel = `${this.nameOf(letter)}: ${sayAnalysis('without')}`
      return b
    }))
    const all = [...this.easel.start()?.pieces ?? ''].filter((c) => c !== '.').length
    const down = now.cells.filter((c) => c === 'X').length
    const up = now.cells.filter((c) => c !== 'X' && c !== '.').length
    const left = all - up - now.taken.length
    setText(this.sum, sayAnalysis('setup.sum', { down, all, up, taken: now.taken.length, left }))
  }

  /** Has the hall compose what is shown. */
  private async compose(): Promise<void> {
    const n = ++this.asked
    const { now, easel, easel: { kit: { post, refusal, sayAnalysis, setText } } } = this
    const said = (fault: string, doubt = '') => {
      setText(this.fault, fault)
      setText(this.doubt, doubt)
    }
    try {
      const r = await post('/api/v1/boards/setup', {
        spec: easel.spec, pieces: now.cells.join(''), lines: now.lines, seat: now.seat === 0 ? 'first' : 'second', colours: now.colours, taken: now.taken,
      })
      if (n !== this.asked) return
      if (!r.ok) return said(await refusal(r))
      const found = (await r.json()) as SetupView
      if (n !== this.asked || !this.on) return
      this.last = found
      this.analyse.href = this.address()
      this.image.href = this.analyse.href.replace('/analysis?', '/analysis/picture.png?')
      this.acts.hidden = false
      said('', found.doubt === 'count' ? sayAnalysis('setup.count', { n: found.count ?? 0 }) : found.doubt ? sayAnalysis('setup.missing') : '')
      this.show(found.view)
    } catch {
      if (n === this.asked) said(sayAnalysis('cannot'))
    }
  }

  /** Asks the hall whether the position is a puzzle: whether one move alone is worth as much. */
  private async puzzle(): Promise<void> {
    const { last, asked, easel: { kit: { moveName, post, sayAnalysis, setText, textName } } } = this
    if (!last) return
    setText(this.doubt, '…')
    const r = await post('/api/v1/boards/solve', { spec: last.spec, position: last.position }).catch(() => undefined)
    if (asked !== this.asked) return
    if (!r?.ok) return setText(this.doubt, sayAnalysis('setup.puzzle.open'))
    const { decided, winner, line, only } = (await r.json()) as SolvedView
    if (asked !== this.asked) return
    const mover = last.view.seat
    const put = { name: this.colourOf((only && winner === 'nobody' ? mover : winner) === 'second' ? 1 : 0), move: (line ?? []).slice(0, 1).map((m) => moveName(textName(last.view, m))).join() }
    setText(this.doubt, !decided ? sayAnalysis('setup.puzzle.open')
      : only ? winner === mover ? sayAnalysis('setup.puzzle.wins', put) : sayAnalysis('setup.puzzle.holds', put)
        : winner === 'nobody' ? sayAnalysis('setup.puzzle.draw') : winner === mover ? sayAnalysis('setup.puzzle.more', put) : sayAnalysis('setup.puzzle.lost', put))
  }

  private address(): string {
    return `/analysis?${new URLSearchParams({ game: this.easel.spec, position: this.last?.position ?? '' }).toString()}`
  }

  private async share(): Promise<void> {
    const { sayAnalysis, setText } = this.easel.kit
    const address = location.origin + this.address()
    const done = await navigator.clipboard?.writeText(address).then(() => true, () => false)
    setText(this.doubt, done ? sayAnalysis('setup.copied') : address) // a page without TLS has no clipboard
  }
}
