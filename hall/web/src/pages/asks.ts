// What the players of a game ask each other: offers of a draw, to take back, to abort, to pause and to go on.

import type { KibitzBoard } from '../element.ts'
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
  if (text && news) byId<KibitzBoard>('board')?.voice.say(text, true)
}

/** A thing that is asked, in words: by oneself ('asking.draw', 'asking.undo', 'asking.abort', 'asking.pause',
    'asking.resume'), or by a seat ('offer.draw', 'offer.undo', 'offer.abort', 'offer.pause', 'offer.resume'); n is the first turn that is taken back. */
export function askText(s: State, x: Asked, own: boolean): string {
  return say(`${own ? 'asking' : 'offer'}.${x.what}`, { name: s.names[x.by === 0 ? 0 : 1], n: turnAfter(turnsOf(s.history ?? []), x.ply ?? 0) + 1 })
}

/** What one asks and has no answer to, and in which game. */
let pending: Asked | undefined
let game = ''

/** What has ended of it, while it is not known how. */
let ended: Asked | undefined

/** The number of what one has taken back oneself. */
let back = 0

/** How long after the end of what one asked the board may show what came of it, and how long it is said that nothing
    did, in milliseconds. */
const settles = 600
const said = 10_000

/** Nothing is said of what one takes back oneself. */
export function withdrawn(): void {
  back = pending?.num ?? 0
}

/** Says that what one asked came to nothing: what is granted ends the game, or takes moves back. */
function follow(s: State, mine: Asked | undefined, now: () => State | undefined): void {
  const was = game === s.game ? pending : undefined
  pending = mine
  if (game !== s.game) ended = undefined
  game = s.game
  if (mine && mine.num !== was?.num) {
    back = 0
    setText(byId('answer'), '')
  }
  if (mine) ended = undefined
  else if (was && was.num !== back) {
    ended = was
    window.setTimeout(() => tellEnd(was, now()), settles)
  }
  if (ended?.what === 'undo' && (s.history?.length ?? 0) <= (ended.ply ?? 0)) ended = undefined // it is granted
}

/** Says that something was declined, unless it is known to be granted. */
function tellEnd(was: Asked, s: State | undefined): void {
  if (ended !== was || !s || s.game !== game || s.result) return
  const paused = s.wait !== undefined && s.wait.for !== 'processor'
  if (was.what === (paused ? 'pause' : 'resume')) return // it is granted
  mention(say('declined', { name: s.names[was.by === 0 ? 1 : 0] }))
}

/** Says something below the board for a while, and aloud. */
export function mention(text: string): void {
  const line = byId('answer')
  setText(line, text)
  byId<KibitzBoard>('board')?.voice.say(text, true)
  window.setTimeout(() => { if (line?.textContent === text) setText(line, '') }, said)
}

/** Shows what is asked: of oneself with buttons to answer, by oneself with one to withdraw
    it, and to who looks on; now is the latest state. Parts of the page may be made anew meanwhile. */
export function showAsks(s: State | undefined, asked: Ask | undefined, now: () => State | undefined): void {
  if (!s) return
  tell(byId('asked'), byId('asked'), (s.asks ?? []).map((x) => askText(s, x, false)).join(' '))
  if (asked?.game !== s.game) return
  const [theirs, mine] = [asked.asks?.find((x) => x.by !== asked?.seat), asked.asks?.find((x) => x.by === asked?.seat)]
  follow(s, mine, now)
  const offer = byId('offer')
  if (offer) offer.dataset['ask'] = String(theirs?.num ?? '')
  tell(offer, byId('offer-text'), theirs ? askText(s, theirs, false) : '')
  const own = byId('asking')
  if (own) {
    own.hidden = !mine
    setText(byId('asking-text'), mine ? askText(s, mine, true) : '')
  }
}
