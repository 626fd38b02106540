// What hands an address on.

import type { KibitzBoard } from '../element.ts'
import { byId, setText } from './dom.ts'
import { say } from './words.ts'

/** Hands an address to what the device shares by, or to its clipboard. */
export async function share(url: string): Promise<void> {
  try {
    if (navigator.share) await navigator.share({ url, title: document.title })
    else {
      await navigator.clipboard.writeText(url)
      setText(byId('hint'), say('shared'))
      byId<KibitzBoard>('board')?.voice.say(say('shared'))
    }
  } catch (e) {
    if ((e as DOMException).code !== DOMException.ABORT_ERR) location.href = url // whoever cannot share sees it
  }
}
