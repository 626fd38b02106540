// What is under a finger, enlarged beside it: the board's own picture once more.

import { el, n } from './draw/svg.ts'
import type { Point } from './wire.ts'

/** Its diameter, and how far its middle is from the finger, in pixels. */
const across = 112
const away = 76

export class Loupe {
  readonly root = document.createElement('div')
  readonly #glass: SVGElement
  readonly #name = document.createElement('span')

  /** A loupe over the drawing of an identifier. */
  constructor(drawing: string) {
    this.#glass = el('svg', { width: across, height: across }, el('use', { href: `#${drawing}` }))
    this.root.className = 'kb-loupe'
    this.root.setAttribute('aria-hidden', 'true')
    this.root.hidden = true
    this.root.append(this.#glass, this.#name)
  }

  hide(): void {
    this.root.hidden = true
  }

  /** Shows a point of the picture to a finger. scale is how many pixels a unit of the picture
   * has, pitch how many there are between neighbouring points; box is where the loupe is in. */
  show(finger: Point, at: Point, scale: number, pitch: number, name: string, box: DOMRect): void {
    const half = across / 2 / (scale * Math.max(2.5, 60 / pitch))
    this.#glass.setAttribute('viewBox', `${n(at[0] - half)} ${n(at[1] - half)} ${n(2 * half)} ${n(2 * half)}`)
    if (this.#name.textContent !== name) this.#name.textContent = name
    const r = across / 2
    const x = Math.min(innerWidth - r - 2, Math.max(r + 2, finger[0]))
    const y = finger[1] - away - r < 2 ? finger[1] + away : finger[1] - away
    this.root.style.transform = `translate(${Math.round(x - r - box.x)}px, ${Math.round(y - r - box.y)}px)`
    this.root.hidden = false
  }
}
