// What a board says aloud, to readers of the screen.

import { html } from './panel.ts'

/** How far apart two things are said, in milliseconds. */
const apart = 300

export class Voice {
  readonly root = html('div', 'kb-voice hidden')
  /** What waits to be said, and when something was said last. */
  private readonly unsaid: string[] = []
  private said = -apart

  constructor() {
    this.root.setAttribute('aria-live', 'polite')
  }

  /** Says something aloud; what comes soon after something else is said together, or the first would
   * be cut short. */
  say(words: string): void {
    if (words) this.unsaid.push(words)
    if (!words || this.unsaid.length > 1) return
    const wait = Math.max(0, this.said + apart - performance.now())
    const now = () => {
      this.said = performance.now()
      this.root.textContent = this.unsaid.splice(0).join('. ')
    }
    if (wait > 0) window.setTimeout(now, wait)
    else now()
  }
}
