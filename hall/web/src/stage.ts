// The stage that a board stands on: its places for what is said, typed and pressed, and the
// space that its style sheet has for the board.

import type { Layout } from './layout.ts'

/** How much smaller cells may be before a board is turned the other way. */
const least = 0.95

export class Stage {
  readonly #frame: HTMLElement
  #lying: boolean | undefined

  private constructor(frame: HTMLElement) {
    this.#frame = frame
  }

  static of(e: Element): Stage | undefined {
    const frame = e.closest<HTMLElement>('.stage-frame')
    return frame ? new Stage(frame) : undefined
  }

  /** The place of a name, if the page has one. */
  place(name: string): HTMLElement | null {
    return this.#frame.querySelector(`[data-slot=${name}]`)
  }

  /** The screen has another size. */
  resized(): void {
    this.#lying = undefined
  }

  /** Whether a board lies on its side: on a screen that is higher than wide where cells are
   * larger so, elsewhere unless they are smaller. */
  sideways(upright: Layout, lying: Layout): boolean {
    if (this.#lying === undefined) {
      const css = getComputedStyle(this.#frame)
      const [w, h] = [parseFloat(css.getPropertyValue('--aw')), parseFloat(css.getPropertyValue('--ah'))]
      const pitch = (l: Layout) => Math.min(w / l.w, h / l.h)
      const [up, side] = [pitch(upright), pitch(lying)]
      this.#lying = matchMedia('(orientation: portrait), (max-width: 29.99em)').matches ? up < least * side : side >= least * up
    }
    return this.#lying
  }

  /** What stands on the stage is of a game that is not shown yet. */
  blank(): void {
    this.#frame.classList.remove('is-drawn')
  }

  /** Tells the style sheet the natural size of the board, and the size of a device's pixel, which it knows of some devices only. */
  fit(l: Layout): void {
    this.#frame.classList.toggle('is-cells', l.shape === 'cells')
    this.#frame.classList.add('is-drawn')
    for (const [name, value, unit] of [['--nw', l.w, ''], ['--nh', l.h, ''], ['--px', 1 / devicePixelRatio, 'px']] as const) {
      const text = String(Math.round(value * 1e5) / 1e5) + unit
      if (this.#frame.style.getPropertyValue(name) !== text) this.#frame.style.setProperty(name, text)
    }
  }
}
