// A game against an engine of the hall that begins at a position.

import type { Seat } from '../wire.ts'
import type { Kit } from './kit.ts'

interface From {
  readonly spec: string
  readonly position: string
  readonly moves: readonly string[]
  readonly seat: Seat
}

/** A choice of engines and the press that plays from a position, as whoever is to move there. */
export function playRow({ aloud, html, postAsGuest, refusal, sayAnalysis, setText }: Kit, from: () => From | undefined): HTMLElement {
  const engine = document.querySelector<HTMLSelectElement>('#ask [name=engine]')?.cloneNode(true) as HTMLSelectElement
  const b = html('button', '', sayAnalysis('playhere'))
  const fault = html('span', 'fault-line')
  b.type = 'button'
  engine.removeAttribute('name')
  engine.ariaLabel = sayAnalysis('engine')
  aloud(fault, true)
  b.addEventListener('click', () => void (async () => {
    const f = from()
    if (!f) return
    const [game, given] = f.spec.split(':')
    const options = Object.fromEntries((given ?? '').split(',').flatMap((o) => (o ? [o.split('=') as [string, string]] : [])))
    const wish = { game, options, position: f.position, moves: f.moves, with: engine.value, colour: f.seat === 'second' ? 'second' : 'first' }
    const r = await postAsGuest('/api/v1/play', wish)
    if (r.ok) location.assign(((await r.json()) as { page: string }).page)
    else setText(fault, await refusal(r))
  })().catch(() => setText(fault, sayAnalysis('fault.failed'))))
  return html('p', 'row', engine, b, fault)
}
