// What a reader sees of his own connection: a mark when it is doubtful, words when there is
// none, and for a moment when it is back.

import type { KibitzBoard } from '../element.ts'
import type { Bars } from './clock.ts'
import { byId, setText } from './dom.ts'
import { say } from './words.ts'

/** How long it is said that the connection is back, in milliseconds. */
const shown = 3000

export class Connection {
  private own: 'good' | 'shaky' | 'lost' = 'good'
  private timer = 0
  private readonly page: HTMLElement | null
  private readonly board: KibitzBoard | null
  private readonly bars: () => Bars | undefined

  /** Something that was pressed beside moves waits for the connection. */
  private acts = false
  /** What became of a move that came to the hall before the stream was back. */
  private late: string | undefined

  /** again connects the stream at once: the hall was reached in another way. */
  constructor(page: HTMLElement | null, board: KibitzBoard | null, bars: () => Bars | undefined, again: () => void) {
    this.page = page
    this.board = board
    this.bars = bars
    if (board) board.lost = false
    board?.addEventListener('kibitz-late', (e) => {
      const words = say((e as CustomEvent<boolean>).detail ? 'back.sent' : 'back.dropped')
      if (this.own !== 'lost') return this.tell(words)
      this.late = words
      again()
    })
  }

  /** The hall has been silent for longer than it should, or is heard. */
  shaky(on: boolean): void {
    if (this.own !== 'lost') this.is(on ? 'shaky' : 'good')
  }

  /** There is no connection, or there is one again. */
  lost(on: boolean): void {
    if ((this.own === 'lost') === on) return
    this.is(on ? 'lost' : 'good')
    this.page?.classList.toggle('lost', on)
    if (this.board) this.board.lost = on
    if (on) this.tell(say(this.acts ? 'lost.act' : this.board?.decides ? 'lost' : 'lost.watching'), true)
    else this.tell(this.late ?? say('back'))
    this.late = undefined
  }

  /** What was pressed beside moves waits for the connection, or no longer. */
  waits(on: boolean): void {
    this.acts = on
    if (on && this.own === 'lost') this.tell(say('lost.act'), true)
  }

  /** Bars that were made anew show the same. */
  again(): void {
    this.bars()?.connected(this.own)
  }

  private is(own: 'good' | 'shaky' | 'lost'): void {
    if (this.own === own) return
    this.own = own
    this.bars()?.connected(own)
  }

  private tell(text: string, stays = false): void {
    const bar = byId('connection')
    if (!bar) return
    window.clearTimeout(this.timer)
    setText(bar, text)
    bar.title = text
    bar.classList.toggle('good', !stays)
    bar.hidden = false
    if (!stays) this.timer = window.setTimeout(() => { bar.hidden = true }, shown)
  }
}
