// What can be done in a room that changes nothing in its game: turning the board, numbers,
// sound, sharing, typing a move.

import type { KibitzBoard } from '../element.ts'
import { byId } from './dom.ts'
import { keepLook } from './tabs.ts'

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
      press(button, on)
      keepLook('nosounds', on ? '0' : '1')
      return true
    }
    case 'share': {
      const url = (button as HTMLAnchorElement).href
      void import('./share.ts').then(({ share }) => share(url), () => { location.href = url })
      closeMore()
      return true
    }
    default:
      return false
  }
}

/** The switches that were pressed on this page: parts that the hall made before it was told show
 * them as they were. */
const switches = new Map<string, boolean>()

function press(button: HTMLElement, on: boolean): boolean {
  switches.set(button.dataset['act']!, on)
  showSwitches()
  return on
}

/** Shows switches as they were pressed. */
export function showSwitches(): void {
  for (const [act, on] of switches) for (const b of document.querySelectorAll(`[data-act=${act}]`)) b.ariaPressed = String(on)
}

/** A letter that is pressed on the board, or a slash, begins a typed move. */
export function startTyping(board: KibitzBoard): void {
  board.addEventListener('keydown', (e) => {
    if (board.hasAttribute('no-keys') || e.defaultPrevented || e.altKey || e.ctrlKey || e.metaKey || !/^[a-z0-9/]$/i.test(e.key)) return
    const field = menu()?.querySelector<HTMLInputElement>('form:not([hidden]) input')
    if (!field) return
    if (e.key === '/') e.preventDefault() // a shot begins with it, a move does not
    menu()?.showPopover()
    field.focus() // which takes the letter
  })
  board.addEventListener('kibitz-answer', closeMore)
}
