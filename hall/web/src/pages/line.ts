// What can be done about a line of the chat: its writer is muted, or it is reported.

import { byId, setText } from './dom.ts'

/** Fills the menu for the line of a name, and opens it. */
export function openMenu(b: HTMLElement): void {
  const menu = byId('about-line')
  const [user, line] = [menu?.querySelector<HTMLInputElement>('[name=user]'), menu?.querySelector<HTMLInputElement>('[name=line]')]
  const mute = menu?.querySelector<HTMLButtonElement>('[name=mute]')
  if (!menu || !user || !line || !mute) return
  const on = b.dataset['muted'] === undefined
  user.value = b.dataset['user'] ?? ''
  line.value = b.dataset['line'] ?? ''
  mute.value = on ? '1' : ''
  setText(mute, mute.dataset[on ? 'yes' : 'off'] ?? '')
  setText(byId('about-name'), b.textContent ?? '')
  menu.addEventListener('submit', () => menu.hidePopover(), { once: true })
  if (!menu.matches(':popover-open')) menu.showPopover()
}
