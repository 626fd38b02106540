// What can be done in a room that changes nothing in its game: turning the board, numbers,
// sound, sharing, typing a move.

import type { KibitzBoard } from '../element.ts'
import { byId, setText } from './dom.ts'
import { keepLook } from './tabs.ts'
import { say } from './words.ts'

const menu = (): HTMLElement | null => byId('more')

export function closeMore(): void {
  if (menu()?.matches(':popover-open')) menu()?.hidePopover()
}

/** Does what is pressed; false if it is something else. */
export function local(button: HTMLElement, page: HTMLElement, board: KibitzBoard, turned: () => void): boolean {
  switch (button.dataset['act']) {
    case 'turn':
      board.setAttribute('turned', String((Number(board.getAttribute('turned') ?? 0) + 2) & 3))
      turned()
      closeMore()
      return true
    case 'numbers':
      keepLook('numbers', press(button, board.toggleAttribute('numbers')) ? '1' : '0')
      return true
    case 'learning':
      keepLook('learning', press(button, button.ariaPressed !== 'true') ? '1' : '0')
      return true
    case 'targets': {
      const on = !board.toggleAttribute('no-targets')
      press(button, on)
      keepLook('targets', on ? 'always' : 'never')
      return true
    }
    case 'sound': {
      const on = page.dataset['sounds'] === undefined
      page.toggleAttribute('data-sounds', on)
      for (const b of document.querySelectorAll<HTMLElement>('[data-act=sound]')) press(b, on)
      keepLook('nosounds', on ? '0' : '1')
      return true
    }
    case 'share':
      void share(new URL((button as HTMLAnchorElement).href).href)
      closeMore()
      return true
    default:
      return false
  }
}

function press(button: HTMLElement, on: boolean): boolean {
  button.setAttribute('aria-pressed', String(on))
  return on
}

/** Hands an address to what the device shares by, or to its clipboard. */
async function share(url: string): Promise<void> {
  try {
    if (navigator.share) await navigator.share({ url, title: document.title })
    else {
      await navigator.clipboard.writeText(url)
      setText(byId('hint'), say('shared'))
      setText(byId('voice'), say('shared'))
    }
  } catch (e) {
    if ((e as DOMException).code !== DOMException.ABORT_ERR) location.href = url // whoever cannot share sees it
  }
}

/** A letter that is pressed on the board, or a slash, begins a typed move. */
export function startTyping(board: KibitzBoard): void {
  board.addEventListener('keydown', (e) => {
    if (e.defaultPrevented || e.altKey || e.ctrlKey || e.metaKey || !/^[a-z0-9/]$/i.test(e.key)) return
    const field = menu()?.querySelector<HTMLInputElement>('form:not([hidden]) input')
    if (!field) return
    if (e.key === '/') e.preventDefault() // a shot begins with it, a move does not
    menu()?.showPopover()
    field.focus() // which takes the letter
  })
  board.addEventListener('kibitz-answer', closeMore)
}
