// The page of settings: small boards show what is chosen before it is saved.

import type { KibitzBoard } from '../element.ts'
import '../board.ts'
import type { State, View } from '../wire.ts'
import { byId } from './dom.ts'
import { boardWords } from './words.ts'

/** A position to look at. */
function state(spec: string, view: Pick<View, 'shape' | 'ground' | 'width' | 'height' | 'pieces' | 'owners'> & Partial<View>, moves: readonly string[] = []): State {
  const letters = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i))
  return {
    game: spec, attempt: 1, seq: 1, for: 'public', spec, names: ['', ''], controls: ['', ''], at: 0,
    history: moves.map((m, i) => ({ by: i % 2 === 0 ? 'first' : 'second', steps: [m] })),
    view: {
      seat: 'first', colours: ['black', 'white'], columns: letters(view.width, (i) => String.fromCharCode(97 + i)), rows: letters(view.height, (i) => String(view.height - i)), ...view,
    },
  }
}

const positions: Readonly<Record<string, State>> = {
  gomoku: state('gomoku', {
    shape: 'crossings', ground: 'wood', width: 5, height: 5, pieces: '.......W...BB...BW.......', owners: '.......1...00...01.......'.replaceAll('.', '-'), marks: [[2, 1]],
  }, ['p2,2', 'p2,3', 'p1,2', 'p2,1', 'p1,3']),
  darkchess: state('darkchess', {
    shape: 'cells', ground: 'table', width: 4, height: 4, pieces: '.kXXR.XnXXcXPXXG', owners: '-1--0--1--1-0--0', colours: ['red', 'black'],
  }),
  dotsandboxes: state('dotsandboxes', {
    shape: 'dots', ground: 'paper', width: 4, height: 4, pieces: 'A...............', owners: '0---------------',
    lines: [[0, 0, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 1], [2, 0, 0, 0], [3, 0, 1, 1], [1, 1, 0, 0], [1, 2, 0, 1], [2, 2, 0, 0], [0, 2, 1, 0], [0, 3, 0, 1], [2, 3, 0, 0], [3, 2, 1, 1]],
  }),
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
  b.words = boardWords()
  const s = positions[b.dataset['kind'] ?? '']
  if (s) b.show(s)
}
form?.addEventListener('input', choose)
choose()
