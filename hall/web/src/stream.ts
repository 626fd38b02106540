// One client for all streams of events: it connects again for as long as it is wanted, with
// growing pauses, at once when the network is back or the page is looked at again, and says
// whether it is connected. Each connection begins with a snapshot.

export interface Stream {
  close(): void
  /** Connects anew, for what comes at the beginning of a stream. */
  again(): void
}

/** E are the events of a stream, by their names. */
export interface Listening<E> {
  /** What is done with an event, by its kind. id is that of the event. */
  readonly on: { readonly [K in keyof E]?: (data: E[K], id: string) => void }
  /** Told when the connection is lost and when it is back. */
  readonly lost?: (lost: boolean) => void
  /** Told when the hall refuses the stream; it is then not asked for again. */
  readonly refused?: () => void
  /** How long the hall may be silent, in milliseconds, before the connection counts as lost
   * and is made anew: a cable that is out tells nobody. Without it one that breaks is lost. */
  readonly silence?: number
  /** Told when the hall is silent for longer than it is to be, and when it is not. */
  readonly shaky?: (on: boolean) => void
}

/** Of the silence after which a connection is lost, the part after which it is shaky. */
const doubtful = 7 / 12

/** How long it takes to the next try after so many, in milliseconds. */
export function retryAfter(fails: number, random = Math.random()): number {
  return fails < 4 ? 500 * 2 ** fails : 4000 + Math.round(2000 * random)
}

/** Opens a stream. */
export function openStream<E = Readonly<Record<string, unknown>>>(address: () => string, to: Listening<E>): Stream {
  let source: EventSource | undefined
  let timer = 0
  let watch = 0
  let doubt = 0
  let loss = 0
  let fails = 0
  let refusals = 0
  let closed = false
  let last = performance.now()
  let told: boolean | undefined
  const tell = (lost: boolean) => {
    const now = lost || !navigator.onLine
    if (now !== told) to.lost?.(told = now)
  }
  const mind = () => {
    for (const t of [doubt, loss]) clearTimeout(t)
    if (to.silence === undefined || closed) return
    const past = performance.now() - last
    doubt = window.setTimeout(() => to.shaky?.(true), Math.max(0, to.silence * doubtful - past))
    loss = window.setTimeout(() => tell(true), Math.max(0, to.silence - past))
  }
  const heard = () => {
    last = performance.now()
    tell(false) // what comes late, after it counted as lost, is heard too
    to.shaky?.(false)
    wait()
    mind()
  }
  /** Tries anew if nothing comes. */
  const wait = () => {
    clearTimeout(watch)
    if (to.silence !== undefined && !closed) watch = window.setTimeout(again, to.silence)
  }
  const open = () => {
    if (closed) return
    const es = new EventSource(address())
    source = es
    wait()
    es.addEventListener('beat', heard)
    for (const [kind, fn] of Object.entries(to.on as Readonly<Record<string, (data: unknown, id: string) => void>>)) {
      es.addEventListener(kind, (e) => {
        heard()
        const m = e as MessageEvent<string>
        fn(JSON.parse(m.data), m.lastEventId)
      })
    }
    es.onopen = () => {
      fails = refusals = 0
      heard()
    }
    es.onerror = () => {
      const refused = es.readyState === EventSource.CLOSED
      es.close()
      if (closed) return
      if (to.silence === undefined) tell(true)
      clearTimeout(watch)
      if (refused && to.refused && ++refusals > 5) {
        closed = true
        to.refused()
        return
      }
      clearTimeout(timer)
      timer = window.setTimeout(open, retryAfter(fails++))
    }
  }
  const again = () => {
    clearTimeout(timer)
    source?.close()
    open()
  }
  const away = () => tell(true)
  const seen = () => { if (!document.hidden) again() } // it may have slept
  window.addEventListener('offline', away)
  window.addEventListener('online', again)
  document.addEventListener('visibilitychange', seen)
  mind()
  open()
  return {
    again,
    close() {
      closed = true
      for (const t of [timer, watch, doubt, loss]) clearTimeout(t)
      source?.close()
      window.removeEventListener('offline', away)
      window.removeEventListener('online', again)
      document.removeEventListener('visibilitychange', seen)
    },
  }
}
