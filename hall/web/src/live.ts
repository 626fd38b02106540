// A running game as the hall streams it: a snapshot, deltas, questions to one's seat.
// A stream that breaks is taken up again by the browser, with the number of the last
// frame; a frame that is missing is made good by beginning anew.

import { pause, refusal } from './net.ts'
import { openStream, type Stream } from './stream.ts'
import type { Ask, Delta, GameEvents, HallNews, Presence, State } from './wire.ts'
import { text } from './words.ts'

export interface Listener {
  show(s: State): void
  /** Returns false if a frame before it is missing. */
  advance(d: Delta): boolean
  ask(a: Ask): void
  /** The stream has ended: the game is over. */
  over(): void
  lost(lost: boolean): void
  /** The hall cannot take moves, so that clocks stand, or it can again. */
  hall?(news: HallNews): void
  /** Whether the person of a seat is there. */
  presence?(p: Presence): void
}

/** Follows a game until close is called. */
export function follow(game: string, to: Listener): Stream {
  return stream(`/api/v1/games/${encodeURIComponent(game)}/events`, () => to, [to])
}

/** Follows up to 50 games on one connection; browsers allow only six of them to a hall.
 * Questions to a seat are not among what comes. */
export function followMany(games: ReadonlyMap<string, Listener>): Stream {
  const query = [...games.keys()].map((id) => `game=${encodeURIComponent(id)}`).join('&')
  return stream(`/api/v1/games/events?${query}`, (id) => games.get(id), [...games.values()])
}

/** Opens a stream, and opens it again when a frame is missing or it breaks for good. */
function stream(address: string, find: (game: string) => Listener | undefined, all: readonly Listener[]): Stream {
  let left = all.length
  const on = <D extends object>(fn: (to: Listener, data: D) => void) => (data: D, id: string) => {
    const to = find('game' in data && typeof data.game === 'string' ? data.game : id.slice(0, id.lastIndexOf(':')))
    if (to) fn(to, data)
  }
  const source = openStream<GameEvents>(() => address, {
    on: {
      view: on((to, s) => to.show(s)),
      delta: on((to, d) => { if (!to.advance(d)) source.again() }),
      seat: on((to, a) => to.ask(a)),
      hall: (data) => all.forEach((to) => to.hall?.(data)),
      presence: on((to, p) => to.presence?.(p)),
      over: on((to) => {
        to.over()
        if (--left === 0) source.close()
      }),
    },
    lost: (lost) => { if (left > 0) all.forEach((to) => to.lost(lost)) },
  })
  return source
}

/** How long one try to send takes at most, and how long what cannot be sent is kept. */
const trial = 10_000
const keep = 600_000

/** What a seat has decided beside its acts: its answer, and of which position the question was. */
export interface Move {
  readonly prompt: number
  readonly steps: readonly string[]
  readonly for: { readonly attempt: number; readonly ply: number }
}

/** The latest that was decided in each game: what is decided after it comes to the hall after it. */
const latest = new Map<string, Promise<unknown>>()

/** Sends what a seat has decided, as soon as there is a connection and what was decided before it is
 * taken or refused. Resolves to nothing, or to a text that says why it was refused; late is called if it
 * had to be tried again. */
export function send(game: string, what: 'moves' | 'acts', body: unknown, late?: () => void): Promise<string | undefined> {
  const before = latest.get(game)
  const sent = before ? before.then(() => bring(game, what, body, late)) : bring(game, what, body, late)
  latest.set(game, sent)
  void sent.then(() => { if (latest.get(game) === sent) latest.delete(game) })
  return sent
}

/** Brings to the hall what a seat has decided. */
async function bring(game: string, what: 'moves' | 'acts', body: unknown, late?: () => void): Promise<string | undefined> {
  const address = `/api/v1/games/${encodeURIComponent(game)}/${what}`
  const until = Date.now() + keep
  let tries = 5 // of a hall that cannot take it; one that was away needs a while until games go on
  for (let n = 0; ; n++) {
    try {
      const r = await fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal: AbortSignal.timeout(trial) })
      if (r.ok) return undefined
      if (r.status !== 503 || --tries === 0) return await refusal(r)
    } catch {
      tries = 30
      if (Date.now() > until) return text({}, 'notsent')
    }
    late?.()
    await pause(500 << Math.min(n, 2))
  }
}
