// The first page: the options of a game open over it, and the best game is a live board.

import type { KibitzBoard } from '../element.ts'
import { byId, fetchPart } from './dom.ts'
import { boardWords } from './words.ts'

const dialog = byId<HTMLDialogElement>('sheet')
let from: HTMLElement | undefined

/** Opens the options of a game; without an answer the browser goes to their page. */
async function open(link: HTMLAnchorElement): Promise<void> {
  const url = new URL(link.href)
  const [sheet, part] = await Promise.all([
    import('./sheet.ts').catch(() => undefined), // asked for now: not everybody opens options
    fetchPart(`${url.pathname}/sheet${url.search}`),
  ])
  const form = part?.querySelector<HTMLFormElement>('form')
  if (!dialog || !sheet || !part || !form) {
    location.href = link.href
    return
  }
  from = link
  dialog.replaceChildren(...part.childNodes)
  dialog.showModal()
  history.pushState({ sheet: true }, '')
  sheet.startSheet(form)
}

/** Closed by Escape, the cross, a press outside and the browser's way back. */
function close(): void {
  if (history.state?.sheet) history.back()
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
  const { followMany } = await import('../live.ts')
  const { defineBoard } = await import('../define.ts')
  defineBoard(boardWords())
  followMany(new Map([[best.dataset['game'] ?? '', { show: (s) => best.show(s), advance: (d) => best.advance(d), ask: () => {}, over: () => {}, lost: () => {} }]]))
}
