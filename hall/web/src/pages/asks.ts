// What the players of a game ask each other: offers of a draw, to take back, to abort.

import { turnAfter, turnsOf } from '../turns.ts'
import type { Ask, Asked, State } from '../wire.ts'
import { byId, setText } from './dom.ts'
import { say } from './words.ts'

/** Shows a text in a box, which is hidden without one, and says it aloud when it is new. */
function tell(box: HTMLElement | null, at: HTMLElement | null, text: string): void {
  if (!box) return
  const news = at?.textContent !== text
  box.hidden = text === ''
  setText(at, text)
  if (text && news) setText(byId('voice'), text)
}

/** A thing that is asked, in words: by oneself ('asking.draw', 'asking.undo', 'asking.abort'),
    or by a seat ('offer.draw', 'offer.undo', 'offer.abort'); n is the first turn that is taken back. */
export function askText(s: State, x: Asked, own: boolean): string {
  return say(`${own ? 'asking' : 'offer'}.${x.what}`, { name: s.names[x.by === 0 ? 0 : 1], n: turnAfter(turnsOf(s.history ?? []), x.ply ?? 0) + 1 })
}

/** Shows what is asked: of oneself with buttons to answer, by oneself with one to withdraw
    it, and to who looks on. Parts of the page may be made anew meanwhile. */
export function showAsks(s: State | undefined, asked: Ask | undefined): void {
  if (!s) return
  tell(byId('asked'), byId('asked'), (s.asks ?? []).map((x) => askText(s, x, false)).join(' '))
  if (asked?.game !== s.game) return
  const [theirs, mine] = [asked.asks?.find((x) => x.by !== asked?.seat), asked.asks?.find((x) => x.by === asked?.seat)]
  const offer = byId('offer')
  if (offer) offer.dataset['ask'] = String(theirs?.num ?? '')
  tell(offer, byId('offer-text'), theirs ? askText(s, theirs, false) : '')
  const own = byId('asking')
  if (own) {
    own.hidden = !mine
    setText(byId('asking-text'), mine ? askText(s, mine, true) : '')
  }
}
