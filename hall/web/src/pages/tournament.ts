// A tournament: its tables follow the hall.

import { oneAtATime, soon } from '../net.ts'
import { byId, fetchPart, replacePart } from './dom.ts'
import { openStream } from '../stream.ts'

const id = document.querySelector<HTMLElement>('.tournament')?.dataset['tournament']

const stateOf = (e: Element | null) => e?.querySelector<HTMLElement>('[data-state]')?.dataset['state']

/** Puts a part in the place of the old one; tables stay where they were scrolled to. */
async function renewPart(name: string, part: string): Promise<void> {
  const fresh = await fetchPart(`/tournaments/${encodeURIComponent(id ?? '')}/${part}${location.search}`)
  const old = byId(name)
  if (!fresh || !old) return
  const at = [...old.querySelectorAll('.scroll')].map((e) => e.scrollLeft)
  if (!replacePart(old, fresh)) return
  old.querySelectorAll('.scroll').forEach((e, i) => { e.scrollLeft = at[i] ?? 0 })
}

const renew = oneAtATime(async () => {
  const live = byId('t-live')
  const before = stateOf(live)
  await renewPart('t-live', 'live')
  // What directors may do depends on how far the tournament has come.
  if (stateOf(live) !== before) await renewPart('t-console', 'console')
})

if (id) {
  openStream(() => `/api/v1/tournaments/${encodeURIComponent(id)}/events`, { on: { state: soon(() => void renew(), 500) } })
}
