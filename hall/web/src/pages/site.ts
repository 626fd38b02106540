// The script of every page: what makes it more pleasant where there are scripts.

import { fetchPart, replacePart } from './dom.ts'
import { localTimes } from './times.ts'

localTimes(document)

for (const field of document.querySelectorAll<HTMLInputElement>('input[readonly]')) field.addEventListener('focus', () => field.select())

/** How often a page asks whose turn it is in a game of its reader, in milliseconds. */
const every = 10_000

// The line about one's running game is there on every page but the game's own, which the
// hall writes without it; who asks for a game is shown there too.
const line = document.getElementById('own-line')
line?.classList.toggle('here', line.querySelector('a')?.getAttribute('href') === location.pathname)
if (line?.dataset['me'] !== undefined) {
  setInterval(() => {
    if (document.visibilityState === 'hidden') return
    void fetchPart('/own').then((fresh) => { if (fresh) replacePart(line, fresh) })
  }, every)
}

/* A board whose script has not come in 8 s says so. */
const unloaded = document.getElementById('unloaded')
if (unloaded) setTimeout(() => {
  if (customElements.get('kibitz-board')) return
  document.getElementById('no-game')?.replaceWith(unloaded)
  unloaded.hidden = false
}, 8000)
