// What a reader of the screen hears of a page: its live regions, and what they said.

import type { Page } from 'playwright-core'

/** What was said by live regions, and when, in milliseconds; those of a test's own asking are left out. */
export interface Heard { readonly text: string; readonly at: number }

declare global {
  interface Window { heard: Heard[] }
}

/** Notes all that a reader of the screen hears of the board. */
export function note(): void {
  window.heard = []
  new MutationObserver((list) => {
    const voice = document.querySelector('.kb-voice')
    if (voice?.textContent && list.some((x) => voice.contains(x.target))) window.heard.push({ text: voice.textContent ?? '', at: performance.now() })
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

/** The live regions of a page, as browsers know them: by an attribute or by a role. */
export const regions = (p: Page): Promise<string[]> => p.evaluate(() =>
  [...document.querySelectorAll('[aria-live]:not([aria-live=off]), [role~=alert], [role~=status], [role~=log], [role~=marquee], output')]
    .map((e) => e.getAttribute('aria-live') ?? `${e.role ?? e.localName}: ${e.id || e.className}`))
