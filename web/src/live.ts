// A running game as the hall streams it: a snapshot, deltas, questions to one's seat.
// A stream that breaks is taken up again by the browser, with the number of the last
// frame; a frame that is missing is made good by beginning anew.

import type { Ask, Delta, State } from './wire.ts'

export interface Listener {
  show(s: State): void
  /** Returns false if a frame before it is missing. */
  advance(d: Delta): boolean
  ask(a: Ask): void
  /** The stream has ended: the game is over. */
  over(): void
  lost(lost: boolean): void
}

/** Follows a game until close is called. */
export function follow(game: string, to: Listener): { close(): void } {
  return stream(`/api/v1/games/${encodeURIComponent(game)}/events`, () => to, [to])
}

/** Follows up to 50 games on one connection; browsers allow only six of them to a hall.
 * Questions to a seat are not among what comes. */
export function followMany(games: ReadonlyMap<string, Listener>): { close(): void } {
  const query = [...games.keys()].map((id) => `game=${encodeURIComponent(id)}`).join('&')
  return stream(`/api/v1/games/events?${query}`, (id) => games.get(id), [...games.values()])
}

/** Opens a stream, and opens it again when a frame is missing or it breaks for good. */
function stream(address: string, find: (game: string) => Listener | undefined, all: readonly Listener[]): { close(): void } {
  let source: EventSource | undefined
  let timer = 0
  let left = all.length
  const again = (wait: number) => {
    source?.close()
    clearTimeout(timer)
    if (left > 0) timer = window.setTimeout(open, wait)
  }
  const open = () => {
    const es = new EventSource(address)
    source = es
    const on = (kind: string, fn: (to: Listener, data: unknown) => void) => es.addEventListener(kind, (e) => {
      const m = e as MessageEvent<string>
      const data: unknown = JSON.parse(m.data)
      const to = find((data as { game?: string }).game ?? m.lastEventId.slice(0, m.lastEventId.lastIndexOf(':')))
      if (to) fn(to, data)
    })
    on('view', (to, s) => to.show(s as State))
    on('delta', (to, d) => { if (!to.advance(d as Delta)) again(0) })
    on('seat', (to, a) => to.ask(a as Ask))
    on('over', (to) => {
      to.over()
      if (--left === 0) es.close()
    })
    es.onopen = () => all.forEach((to) => to.lost(false))
    es.onerror = () => {
      if (left === 0) return
      all.forEach((to) => to.lost(true))
      if (es.readyState === EventSource.CLOSED) again(2000)
    }
  }
  open()
  return {
    close() {
      left = 0
      clearTimeout(timer)
      source?.close()
    },
  }
}

/** Sends what a seat has decided. Resolves to "" or to a line that says what was wrong. */
export async function send(game: string, what: 'moves' | 'acts', body: unknown): Promise<string> {
  const address = `/api/v1/games/${encodeURIComponent(game)}/${what}`
  for (let n = 0; ; n++) {
    try {
      const r = await fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
      if (r.ok) return ''
      const p = (await r.json().catch(() => ({}))) as { detail?: string; title?: string }
      if (r.status !== 503 || n >= 4) return p.detail ?? p.title ?? String(r.status)
    } catch (e) {
      if (n >= 4) return String(e)
    }
    await new Promise((wake) => setTimeout(wake, 500 << n))
  }
}
