// The script of every page: what makes it more pleasant where there are scripts.

import { call, rings } from './bell.ts'
import { fetchPart, replacePart, sayAloud } from './dom.ts'
import { localTimes } from './times.ts'

localTimes(document)

for (const field of document.querySelectorAll<HTMLInputElement>('input[readonly]')) field.addEventListener('focus', () => field.select())

/** How often a page asks whose turn it is in a game of its reader, in milliseconds; how often while he waits for an
 * opponent, who is found only for who asks; and how soon it asks where the hall did not know: it then answers as soon
 * as it does. */
const every = 10_000
const seeking = 2000
const soon = 1000

// The line about one's running game is there on every page but the game's own, which the
// hall writes without it; who asks for a game is shown there too.
const line = document.getElementById('own-line')
function own(): void {
  for (const a of line?.querySelectorAll('a') ?? []) (a.closest('[data-seek]') ?? a).classList.toggle('here', a.getAttribute('href') === location.pathname)
  for (const to of line?.querySelectorAll<HTMLInputElement>('input[name=to]') ?? []) to.value = location.pathname + location.search // not that of the part
}
own()

/** What waits for the reader: a game in which it is his turn, and those who ask for one. */
const waits = (): HTMLElement[] => [...line?.querySelectorAll<HTMLElement>('.own-game[data-turn=yours], .own-ask') ?? []]
/** Whether the reader hears who asks for a game: sounds are on, here and in the room, and the browser allows them. */
const hears = (): boolean => !!line?.dataset['volume'] && !document.querySelector('.room:not([data-sounds])') && navigator.userActivation?.hasBeenActive

const nameOf = (e: HTMLElement): string => e.getAttribute('href') ?? e.querySelector('form')?.getAttribute('action') ?? ''

/** The title of the tab has a dot while something waits; that of a room says it by itself. */
function dot(): void {
  if (!document.querySelector('.room')) document.title = `${waits().length > 0 ? '● ' : ''}${document.title.replace(/^● /, '')}`
}

if (line?.dataset['me'] !== undefined) {
  dot()
  const later = (): void => void setTimeout(look, line.querySelector('[data-seek]') ? seeking : line.querySelector('[data-turn=""]') ? soon : every)
  let came = performance.now()
  setInterval(() => { // for how long an opponent has been looked for
    const e = line.querySelector<HTMLElement>('[data-waited]')
    const s = Number(e?.dataset['waited']) + Math.floor((performance.now() - came) / 1000)
    if (e) e.textContent = e.textContent.replace(/\d+:\d\d/, `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`)
    for (const x of document.querySelectorAll<HTMLElement>('[data-meanwhile]')) x.hidden = !(s >= 20) || line.querySelector('[data-turn]') !== null
  }, 1000)
  /* What of the line tells anything new: not that a second has gone by, which would close what is open there. */
  const news = (e: HTMLElement): string => e.innerHTML.replaceAll(/data-waited="\d+"|\d+:\d\d/g, '')
  let told = news(line)
  const look = () => {
    if (document.hidden && !rings() && !hears()) return later()
    const before = new Set([location.pathname, ...waits().map(nameOf)]) // the page of a game tells of it by itself
    void fetchPart('/own').then((fresh) => {
      if (!fresh || told === news(fresh)) return
      told = news(fresh)
      if (!sayAloud('')) for (const e of fresh.querySelectorAll('.own-ask')) e.role = 'alert'
      if (!replacePart(line, fresh)) return
      came = performance.now()
      own()
      dot()
      for (const e of waits()) {
        if (before.has(nameOf(e))) continue
        const text = e.querySelector('span')?.textContent ?? ''
        sayAloud(text)
        call({ text }, e.getAttribute('href') ?? undefined)
        if (e.matches('.own-ask') && hears()) void import('./sounds.ts').then((m) => m.play('offer', Number(line.dataset['volume']), e.querySelector('form')?.action), () => undefined)
      }
    }).finally(later)
  }
  later()
}

/* A press that leads to another page is seen to be taken until that page is there. */
const taken = (e: Event, by: Element | null) => setTimeout(() => { if (!e.defaultPrevented) by?.toggleAttribute('data-busy', true) })
addEventListener('submit', (e) => taken(e, e.submitter))
addEventListener('click', (e) => {
  const a = (e.target as Element).closest<HTMLAnchorElement>('a[href]:not([target], [download])')
  if (a && a.origin === location.origin && a.href.split('#')[0] !== location.href.split('#')[0] && !e.ctrlKey && !e.metaKey && !e.shiftKey) taken(e, a)
})
addEventListener('pageshow', () => document.querySelectorAll('[data-busy]').forEach((e) => e.removeAttribute('data-busy')))

/* A board whose script has not come in 8 s says so. */
const unloaded = document.getElementById('unloaded')
if (unloaded) setTimeout(() => {
  if (customElements.get('kibitz-board')) return
  document.getElementById('no-game')?.replaceWith(unloaded)
  unloaded.hidden = false
  const { plain: at } = unloaded.dataset // has the board of a game that goes on as a picture
  if (at) void fetchPart(at).then((plain) => {
    const picture = plain?.querySelector('.plain-board')
    if (picture) unloaded.prepend(picture)
  })
  void customElements.whenDefined('kibitz-board').then(() => unloaded.remove())
}, 8000)
