// The page of settings: small boards show what is chosen before it is saved.

import { defineBoard } from '../board.ts'
import type { KibitzBoard } from '../element.ts'
import { samples } from '../games/samples.ts'
import type { Sample, State } from '../wire.ts'
import { byId } from './dom.ts'
import { boardWords } from './words.ts'

defineBoard(boardWords())

/** A sample as a hall would send it. */
function state(spec: string, { moves, ...view }: Sample): State {
  const letters = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i))
  return {
    game: spec, attempt: 1, seq: 1, for: 'public', spec, names: ['', ''], controls: ['', ''], at: 0,
    history: (moves ?? []).map((m, i) => ({ by: i % 2 === 0 ? 'first' : 'second', steps: [m] })),
    view: {
      ...view, seat: 'first', columns: letters(view.width, (i) => String.fromCharCode(97 + i)), rows: letters(view.height, (i) => String(view.height - i)),
    },
  }
}

const form = byId<HTMLFormElement>('look')
const boards = [...document.querySelectorAll<KibitzBoard>('#previews kibitz-board')]

/** Gives the boards what is chosen. */
function choose(): void {
  if (!form) return
  const now = new FormData(form)
  for (const b of boards) {
    for (const name of ['board', 'pieces']) {
      const value = String(now.get(name) ?? '')
      if (value) b.setAttribute(name, value)
      else b.removeAttribute(name)
    }
    for (const [name, field] of [['numbers', 'numbers'], ['plain', 'nocoords'], ['chains', 'chains']] as const) b.toggleAttribute(name, now.has(field))
  }
}

for (const b of boards) {
  const spec = b.dataset['kind'] ?? ''
  const sample = samples[spec]
  if (sample) b.show(state(spec, sample))
}
form?.addEventListener('input', choose)
choose()
