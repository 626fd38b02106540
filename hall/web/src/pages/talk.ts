// The chat of a room: its end is in sight, its tab tells that there is something new, and a press on a
// name opens what can be done about a line (line.ts).

import { byId, setText } from './dom.ts'

export function scrollTalk(): void {
  const talk = document.querySelector('.talk')
  if (talk) talk.scrollTop = talk.scrollHeight
}

/** What others have written: how much, and last. */
function latest(): string {
  const list = document.querySelectorAll('.talk li:not(.mine) .text')
  return list.length > 0 ? `${list.length} ${list[list.length - 1]?.textContent}` : ''
}

/** That when the chat was looked at. */
let seen = latest()

/** Marks the tab while there are lines that nobody has looked at. */
export function showNews(): void {
  const open = byId('chat-panel')?.checkVisibility() === true
  if (open) seen = latest()
  const news = byId('chat-news')
  setText(news, latest() === seen ? '' : ' ●')
  if (news) news.title = latest() === seen ? '' : news.dataset['news'] ?? ''
}

export function startTalk(): void {
  byId('chat-panel')?.addEventListener('click', (e) => {
    const name = (e.target as Element).closest<HTMLElement>('[data-line]')
    if (!name) return
    e.preventDefault() // the menu opens once it is filled
    void import('./line.ts').then(({ openMenu }) => openMenu(name), () => undefined)
  }, { capture: true })
  byId('tab-chat')?.addEventListener('click', () => requestAnimationFrame(showNews))
}
