// The chat of a room: its end is in sight, its tab tells that there is something new, and a press on a
// name opens what can be done about a line.

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

/** Fills the menu of a line before it opens. */
function about(e: Event): void {
  const b = (e.target as Element).closest<HTMLElement>('[data-line]')
  const menu = byId('about-line')
  const [user, line] = [menu?.querySelector<HTMLInputElement>('[name=user]'), menu?.querySelector<HTMLInputElement>('[name=line]')]
  const mute = menu?.querySelector<HTMLButtonElement>('[name=mute]')
  if (!b || !user || !line || !mute) return
  const on = b.dataset['muted'] === undefined
  user.value = b.dataset['user'] ?? ''
  line.value = b.dataset['line'] ?? ''
  mute.value = on ? '1' : ''
  setText(mute, mute.dataset[on ? 'yes' : 'off'] ?? '')
  setText(byId('about-name'), b.textContent ?? '')
}

export function startTalk(): void {
  byId('chat-panel')?.addEventListener('click', about, { capture: true })
  byId('about-line')?.addEventListener('submit', () => byId('about-line')?.hidePopover())
  byId('tab-chat')?.addEventListener('click', () => requestAnimationFrame(showNews))
}
