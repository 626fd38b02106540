/** Sends a value to the API; what comes back is in the form that is asked for. */
export const post = (url: string, body: unknown, more: { readonly accept?: string; readonly signal?: AbortSignal | undefined } = {}): Promise<Response> => fetch(url, {
  method: 'POST', headers: { 'Content-Type': 'application/json', ...(more.accept && { Accept: more.accept }) }, body: JSON.stringify(body),
  ...(more.signal && { signal: more.signal }),
})
