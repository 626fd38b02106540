// The tabs of a stage, the slider for the size of its board, and the switch for the times of moves.

import { byId } from './dom.ts'

const tabs = (): HTMLButtonElement[] => [...document.querySelectorAll<HTMLButtonElement>('.tab-row [role=tab]')]

/** Shows a tab. */
export function openTab(name: string): void {
  const stage = byId('stage')
  for (const t of tabs()) {
    const on = t.id === `tab-${name}`
    t.ariaSelected = String(on)
    t.tabIndex = on ? 0 : -1
    byId(t.getAttribute('aria-controls') ?? '')?.toggleAttribute('data-shown', on)
    if (on) stage?.toggleAttribute('data-left', t.matches('.in-left'))
  }
  if (stage) stage.dataset['tab'] = name
}

/** The name of the tab that is shown. */
export const openedTab = (): string => (tabs().find((t) => t.getAttribute('aria-selected') === 'true')?.id ?? '').slice('tab-'.length)

/** Arrow keys go from tab to tab. */
function walk(e: KeyboardEvent): void {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
  const list = tabs().filter((t) => t.offsetParent)
  const at = list.indexOf(e.target as HTMLButtonElement)
  if (way === undefined || at < 0) return
  e.preventDefault()
  e.stopPropagation()
  const next = list[(at + way + list.length) % list.length]
  next?.focus()
  next?.click()
}

/** Keeps a setting of how pages look with the others. */
export const keepLook = (name: string, value: string): void => void fetch('/look', { method: 'POST', body: new URLSearchParams({ [name]: value, to: '/settings' }), redirect: 'manual' }).catch(() => undefined)

/** Keeps the size of boards with the other settings. */
function size(slider: HTMLInputElement): void {
  const frame = document.querySelector<HTMLElement>('.stage-frame')
  slider.addEventListener('input', () => {
    if (frame) frame.dataset['size'] = slider.value
    window.dispatchEvent(new Event('resize')) // the board may lie the other way now
  })
  slider.addEventListener('change', () => keepLook('size', slider.value))
}

/** Shows the times that moves took, or hides them, and keeps that with the other settings. */
function times(button: HTMLElement): void {
  button.addEventListener('click', () => {
    const hidden = document.querySelector('.stage-frame')?.toggleAttribute('data-notimes') === true
    button.ariaPressed = String(!hidden)
    keepLook('notimes', hidden ? '1' : '0')
  })
}

/** Lets tabs, slider and switch of the page be pressed. */
export function startTabs(): void {
  openTab(openedTab())
  const row = document.querySelector<HTMLElement>('.tab-row')
  row?.addEventListener('click', (e) => {
    const t = (e.target as Element).closest('[role=tab]')
    if (t) openTab(t.id.slice('tab-'.length))
  })
  row?.addEventListener('keydown', walk)
  const slider = byId<HTMLInputElement>('board-size')
  if (slider) size(slider)
  const button = byId('times')
  if (button) times(button)
}

/** Marks which of some links is the one that is shown. */
export function markCurrent(links: Iterable<Element>, at: Element): void {
  for (const a of links) a.ariaCurrent = a === at ? 'true' : null
}
