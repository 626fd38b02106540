import { showWho } from './dom.ts'

interface Sending {
  readonly accept?: string
  readonly signal?: AbortSignal | undefined
}

/** Sends a value to the API; what comes back is in the form that is asked for. */
export const post = (url: string, body: unknown, more: Sending = {}): Promise<Response> => fetch(url, {
  method: 'POST', headers: { 'Content-Type': 'application/json', ...(more.accept && { Accept: more.accept }) }, body: JSON.stringify(body),
  ...(more.signal && { signal: more.signal }),
})

/** Sends a value to the API as post does; who has no account becomes a guest for it. */
export async function postAsGuest(url: string, body: unknown, more: Sending = {}): Promise<Response> {
  const r = await post(url, body, more)
  if (r.status !== 401 || !(await post('/api/v1/account/guest', {}, { signal: more.signal })).ok) return r
  void showWho()
  return post(url, body, more)
}
