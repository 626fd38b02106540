// What a page says aloud, to readers of the screen: in one region what they may hear when they are ready,
// in another what they are to hear at once.

import { html } from './panel.ts'

/** How far apart two things are said, in milliseconds. */
const apart = 300

export class Voice {
  readonly root = html('div', 'kb-voice hidden')
  /** What waits to be said, whether some of it is to be heard at once, and when something was said last. */
  readonly #unsaid: string[] = []
  #urgent = false
  #said = -apart

  constructor() {
    for (const how of ['polite', 'assertive']) {
      this.root.append(html('div', ''))
      this.root.lastElementChild!.ariaLive = how
    }
  }

  /** Says something aloud; what comes soon after something else is said together, or the first would
   * be cut short. */
  say(words?: string | false, urgent?: boolean): void {
    if (!words || this.#unsaid.includes(words)) return
    this.#urgent ||= !!urgent
    if (this.#unsaid.push(words) > 1) return
    setTimeout(() => {
      this.#said = performance.now()
      this.root.children[this.#urgent ? 1 : 0]!.textContent = this.#unsaid.splice(0).join('. ')
      this.#urgent = false
    }, this.#said + apart - performance.now())
    for (const e of this.root.children) e.textContent = '' // what is said twice is heard twice
  }
}
