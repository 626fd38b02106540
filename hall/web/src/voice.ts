// What a page says aloud, to readers of the screen: in one region what they may hear when they are ready,
// in another what they are to hear at once.

import { html } from './panel.ts'

/** How far apart two things are said, in milliseconds. */
const apart = 300

export class Voice {
  readonly root = html('div', 'kb-voice hidden')
  private readonly calm = html('div', '')
  private readonly pressing = html('div', '')
  /** What waits to be said, whether some of it is to be heard at once, and when something was said last. */
  private readonly unsaid: string[] = []
  private urgent = false
  private said = -apart

  constructor() {
    this.calm.setAttribute('aria-live', 'polite')
    this.pressing.setAttribute('aria-live', 'assertive')
    this.root.append(this.calm, this.pressing)
  }

  /** Says something aloud; what comes soon after something else is said together, or the first would
   * be cut short. */
  say(words: string, urgent = false): void {
    if (!words) return
    this.unsaid.push(words)
    this.urgent ||= urgent
    if (this.unsaid.length > 1) return
    const wait = Math.max(0, this.said + apart - performance.now())
    if (wait > 0) window.setTimeout(() => this.now(), wait)
    else this.now()
  }

  private now(): void {
    this.said = performance.now()
    const text = this.unsaid.splice(0).join('. ')
    const [on, off] = this.urgent ? [this.pressing, this.calm] : [this.calm, this.pressing]
    this.urgent = false
    off.textContent = ''
    const same = on.textContent === text
    on.textContent = same ? '' : text
    if (same) requestAnimationFrame(() => { on.textContent = text }) // or it would not be heard again
  }
}
