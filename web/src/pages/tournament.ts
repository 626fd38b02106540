// A tournament: its tables follow the hall.

import { byId, fetchPart } from './dom.ts'
import { openStream } from './stream.ts'
import { localTimes } from './times.ts'

const id = document.querySelector<HTMLElement>('.tournament')?.dataset['tournament']

async function renew(): Promise<void> {
  const fresh = await fetchPart(`/tournaments/${encodeURIComponent(id ?? '')}/live`)
  const old = byId('t-live')
  if (!fresh || !old) return
  old.replaceChildren(...fresh.childNodes)
  localTimes(old)
}

if (id) {
  let waiting = 0
  const soon = () => {
    clearTimeout(waiting)
    waiting = window.setTimeout(() => void renew(), 500)
  }
  openStream(() => `/api/v1/tournaments/${encodeURIComponent(id)}/events`, { on: { state: soon } })
}
