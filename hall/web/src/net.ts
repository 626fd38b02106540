// Asking a hall that may be out of reach for a while.

/** Waits for a while, in milliseconds, or until the network is back. */
export function pause(ms: number): Promise<void> {
  return new Promise((wake) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      wake()
    }
    const timer = window.setTimeout(done, ms)
    window.addEventListener('online', done)
  })
}

/** Asks for something that is only read, again and again until the hall can be reached and
 * is not away itself. A try that has no answer after so many milliseconds is given up: a
 * connection that is cut says nothing. */
export async function get(address: string, headers: HeadersInit = {}, patience = 20_000): Promise<Response> {
  for (let n = 0; ; n++) {
    const r = await fetch(address, { headers, signal: AbortSignal.timeout(patience) }).catch(() => undefined)
    if (r && r.status !== 503) return r
    await pause(500 << Math.min(n, 4))
  }
}

/** Why the hall did not take something: as programs read it, and said in the language of the page. */
export const refused = async (r: Response): Promise<{ readonly field: string; readonly said: string }> =>
  ({ field: '', said: String(r.status), ...(await r.json().catch(() => ({}))) as object })

/** Why the hall did not take something, in the language of the page. */
export const refusal = async (r: Response): Promise<string> => (await refused(r)).said

/** Does something in a moment, in milliseconds: once, however often it is asked for until then. */
export function soon(work: () => void, ms: number): () => void {
  let waits = false
  return () => {
    if (waits) return
    waits = true
    setTimeout(() => {
      waits = false
      work()
    }, ms)
  }
}

/** Does something that takes a while one at a time; whatever is asked for meanwhile is done
 * once more, afterwards. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let busy = false
  let again = false
  return async function run(): Promise<void> {
    if (busy) {
      again = true
      return
    }
    busy = true
    try {
      await work()
    } finally {
      busy = false
      if (again) {
        again = false
        void run()
      }
    }
  }
}
