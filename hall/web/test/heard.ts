// What is heard of a page: its live regions and what they said to readers of the screen, and its tones.

import type { Page } from 'playwright-core'

/** What was said by live regions, and when, in milliseconds; those of a test's own asking are left out. */
export interface Heard { readonly text: string; readonly at: number }

declare global {
  interface Window {
    heard: Heard[]
    /** How many tones were made since they are counted. */
    tones: number
  }
}

/** Notes all that a reader of the screen hears of the board. */
export function note(): void {
  window.heard = []
  new MutationObserver((list) => {
    const voice = document.querySelector('.kb-voice')
    if (voice?.textContent && list.some((x) => voice.contains(x.target))) window.heard.push({ text: voice.textContent ?? '', at: performance.now() })
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

/** Counts from now on the tones that a page makes. */
export const countTones = (p: Page): Promise<void> => p.evaluate(() => {
  window.tones = 0
  const make = AudioContext.prototype.createOscillator
  AudioContext.prototype.createOscillator = function () {
    window.tones++
    return make.call(this)
  }
})

/** The live regions of a page, as browsers know them: by an attribute or by a role. */
export const regions = (p: Page): Promise<string[]> => p.evaluate(() =>
  [...document.querySelectorAll('[aria-live]:not([aria-live=off]), [role~=alert], [role~=status], [role~=log], [role~=marquee], output')]
    .map((e) => e.getAttribute('aria-live') ?? `${e.role ?? e.localName}: ${e.id || e.className}`))
