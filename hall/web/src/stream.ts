// One client for all streams of events: it connects again for as long as it is wanted,
// with growing pauses, and says whether it is connected.

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
   * and is made anew: a cable that is out tells nobody. */
  readonly silence?: number
}

/** Opens a stream. */
export function openStream<E = Readonly<Record<string, unknown>>>(address: () => string, to: Listening<E>): Stream {
  let source: EventSource | undefined
  let timer = 0
  let watch = 0
  let fails = 0
  let closed = false
  const tell = (lost: boolean) => to.lost?.(lost || !navigator.onLine)
  const heard = () => {
    clearTimeout(watch)
    if (to.silence === undefined || closed) return
    watch = window.setTimeout(() => {
      tell(true)
      again()
    }, to.silence)
  }
  const open = () => {
    if (closed) return
    const es = new EventSource(address())
    source = es
    heard()
    es.addEventListener('beat', heard)
    for (const [kind, fn] of Object.entries(to.on as Readonly<Record<string, (data: unknown, id: string) => void>>)) {
      es.addEventListener(kind, (e) => {
        heard()
        const m = e as MessageEvent<string>
        fn(JSON.parse(m.data), m.lastEventId)
      })
    }
    es.onopen = () => {
      fails = 0
      heard()
      tell(false)
    }
    es.onerror = () => {
      tell(true)
      if (es.readyState !== EventSource.CLOSED || closed) return
      clearTimeout(watch)
      if (++fails > 5 && to.refused) {
        closed = true
        to.refused()
        return
      }
      timer = window.setTimeout(open, Math.min(30_000, 500 * 2 ** fails))
    }
  }
  const again = () => {
    clearTimeout(timer)
    source?.close()
    open()
  }
  const away = () => tell(true)
  window.addEventListener('offline', away)
  window.addEventListener('online', again)
  open()
  return {
    again,
    close() {
      closed = true
      clearTimeout(timer)
      clearTimeout(watch)
      source?.close()
      window.removeEventListener('offline', away)
      window.removeEventListener('online', again)
    },
  }
}
