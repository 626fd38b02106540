// The first page: the options of a game open over it, and the best game is a live board.

import type { KibitzBoard } from '../element.ts'
import type { Replay } from '../wire.ts'
import { byId, fetchPart } from './dom.ts'
import { boardWords } from './words.ts'

const dialog = byId<HTMLDialogElement>('sheet')
let from: HTMLElement | undefined

/** When the way back from the options before is gone, which takes a moment. */
let left: Promise<unknown> | undefined

/** Opens the options of a game; without an answer the browser goes to their page. */
async function open(link: HTMLAnchorElement): Promise<void> {
  const url = new URL(link.href)
  link.dataset['busy'] = ''
  const [sheet, part] = await Promise.all([
    import('./sheet.ts').catch(() => undefined), // asked for now: not everybody opens options
    fetchPart(`${url.pathname}/sheet${url.search}`),
    left,
  ])
  const form = part?.querySelector<HTMLFormElement>('form')
  if (!dialog || !sheet || !part || !form) {
    location.href = link.href
    return
  }
  from = link
  delete link.dataset['busy']
  dialog.replaceChildren(...part.childNodes)
  dialog.showModal()
  history.pushState({ sheet: true }, '')
  sheet.startSheet(form)
}

/** Closed by Escape, the cross, a press outside and the browser's way back. */
function close(): void {
  if (history.state?.sheet) {
    left = new Promise((done) => { addEventListener('popstate', done, { once: true }) })
    history.back()
  }
  dialog?.replaceChildren()
  from?.focus()
}

document.addEventListener('click', (e) => {
  if (e.ctrlKey || e.metaKey || e.shiftKey || e.button !== 0) return
  const a = (e.target as Element).closest<HTMLAnchorElement>('a[href^="/play/"]')
  if (a) {
    e.preventDefault()
    void open(a)
  } else if (dialog?.open && (e.target === dialog || (e.target as Element).closest('.close'))) {
    e.preventDefault()
    dialog.close()
  }
})
dialog?.addEventListener('close', close)
addEventListener('popstate', () => { if (dialog?.open) dialog.close() })

const best = document.querySelector<KibitzBoard>('.best kibitz-board')
if (best) {
  // After what can be pressed: the page plays without it.
  const { defineBoard, followMany } = await import('../board.ts')
  defineBoard(boardWords())
  followMany(new Map([[best.dataset['game'] ?? '', { show: (s) => best.show(s), advance: (d) => best.advance(d), ask: () => {}, over: () => {}, lost: () => {} }]]))
}

/** How long a position of a game that is played back is shown, in milliseconds. */
const shown = 1500

/** Plays a game that is over back, from its beginning and once, with a button to stop it; a
 * picture of its end stands there until then. */
async function playBack(section: HTMLElement, at: string): Promise<void> {
  const picture = section.querySelector('img')
  const button = section.querySelector<HTMLButtonElement>('.best-play')
  if (!picture || !button || matchMedia('(prefers-reduced-motion: reduce)').matches || (navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  const { defineBoard } = await import('../board.ts')
  const r = await fetch(`${at}/replay`)
  if (!r.ok) return
  const replay = (await r.json()) as Replay
  defineBoard(boardWords())
  const board = document.createElement('kibitz-board') as KibitzBoard
  for (const name of ['mini', 'plain']) board.toggleAttribute(name, true)
  for (const name of ['board', 'pieces']) {
    const style = picture.dataset[name]
    if (style) board.setAttribute(name, style)
  }
  const ends = [0, ...replay.steps.flatMap((s, i) => (s.ended || i === replay.steps.length - 1 ? [i + 1] : []))]
  let turn = 0
  const show = () => {
    const n = ends[turn] ?? 0
    const view = replay.views[n]
    board.show({ game: at, attempt: 1, seq: n + 1, for: 'public', spec: replay.spec, names: replay.names, controls: replay.controls, history: replay.steps.slice(0, n), at: 0, ...(view && { view }) })
  }
  show()
  picture.replaceWith(board)
  let stopped = false
  const step = () => {
    if (document.hidden) return
    if (++turn < ends.length) show()
    if (turn >= ends.length - 1) button.click()
  }
  let clock = setInterval(step, shown)
  button.hidden = false
  button.addEventListener('click', () => {
    stopped = !stopped
    button.textContent = button.dataset[stopped ? 'play' : 'stop'] ?? ''
    clearInterval(clock)
    if (stopped) return
    if (turn >= ends.length - 1) turn = -1
    step()
    clock = setInterval(step, shown)
  })
}

const over = document.querySelector<HTMLElement>('.best[data-over]')
if (over) void playBack(over, over.dataset['over'] ?? '')
