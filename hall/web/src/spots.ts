// The spots of a board for the keyboard and for readers of the screen: a grid of which
// one spot takes part in the order of focus, and arrow keys move it.

import { firstSpot } from './act.ts'
import { middleOf, rowsOfSpots, UNIT, type Layout } from './layout.ts'
import type { SpotTexts } from './say.ts'
import { parseSpot, type Spot } from './step.ts'
import type { Board } from './state.ts'
import type { Point } from './wire.ts'
import { el, n } from './draw/svg.ts'

/** A spot as it stands on the board, and what its name is made of. */
interface Standing {
  readonly e: SVGElement
  readonly at: Point
  readonly line: '' | '-' | '|'
  sign: number
}

export class Spots {
  readonly group = el('g', { class: 'kb-spots' })
  readonly #all = new Map<Spot, Standing>()
  #rows: readonly (readonly Spot[])[] = []
  #key = ''
  #about = ''
  #focus: Spot = ''

  /** Draws the grid and names its spots; true if it is another grid than before. */
  draw(b: Board, l: Layout, texts: SpotTexts): boolean {
    const key = JSON.stringify(l)
    const other = key !== this.#key
    if (other) {
      this.#key = key
      this.#rows = rowsOfSpots(l)
      this.#all.clear()
      this.group.replaceChildren(...this.#rows.map((row) => el('g', { role: 'row' }, ...row.map((s) => this.#make(l, s)))))
    }
    const anew = texts.about !== this.#about
    this.#about = texts.about
    for (const [spot, on] of this.#all) {
      const sign = texts.sign(spot, on.at, on.line)
      if (!anew && on.sign === sign) continue
      on.e.setAttribute('aria-label', texts.text(spot, on.at, on.line))
      on.sign = sign
    }
    this.#hold(b.cursor ?? firstSpot(b, this.#rows))
    return other
  }

  #make(l: Layout, spot: Spot): SVGElement {
    const { at, line } = parseSpot(spot)
    const [x, y] = middleOf(l, at, line)
    const r = UNIT * (line ? 0.3 : 0.47)
    const e = el('rect', { class: 'kb-spot', role: 'gridcell', tabindex: -1, x: n(x - r), y: n(y - r), width: n(2 * r), height: n(2 * r), rx: 6, 'data-spot': spot })
    this.#all.set(spot, { e, at, line, sign: NaN })
    return e
  }

  /** Makes a spot the one that has the focus when the board gets it. */
  #hold(spot: Spot): void {
    if (spot === this.#focus && this.#all.get(spot)?.e.getAttribute('tabindex') === '0') return
    this.#all.get(this.#focus)?.e.setAttribute('tabindex', '-1')
    this.#focus = spot
    const e = this.#all.get(spot)?.e
    e?.setAttribute('tabindex', '0')
    if (this.group.contains(document.activeElement) && document.activeElement !== e) e?.focus({ preventScroll: true })
  }
}
