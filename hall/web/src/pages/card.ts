// The card at the end of a game: the result, and what one may do next. It stands beside the
// board, or below it, and never over it.

import { resultText } from '../say.ts'
import type { State } from '../wire.ts'
import { byId, setText } from './dom.ts'
import { boardWords } from './words.ts'

/** The game whose card was opened. */
let game = ''

const card = (): HTMLElement | null => byId('card')
const acts = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-part=acts]')

/** Opens the card of a game that has just ended; the reader's place on the page goes there if he was in the stage. */
export function openCard(s: State): void {
  const e = card()
  if (!e || !s.result || game === s.game) return
  game = s.game
  const at = document.activeElement
  const inStage = at?.closest('.stage') && !at.closest('.tab-panel, .tab-row')
  fillCard(s)
  e.hidden = false
  acts()?.toggleAttribute('inert', true)
  if (inStage) e.focus({ preventScroll: true })
}

/** Says the result where the hall has not yet: the card may be made anew meanwhile. */
export function fillCard(s: State | undefined): void {
  const said = byId('card-said')
  if (said && s?.result && said.textContent === '') setText(said, resultText(boardWords(), s))
}

/** Puts the card away; whoever was in it is with the acts then. */
export function closeCard(): void {
  const e = card()
  if (!e || e.hidden) return
  const inside = e.contains(document.activeElement)
  e.hidden = true
  acts()?.toggleAttribute('inert', false)
  if (inside) acts()?.querySelector<HTMLElement>('button:not([hidden]), a')?.focus()
}

/** Lets the card be closed by its button and by Escape. */
export function startCard(): void {
  byId('card-close')?.addEventListener('click', closeCard)
  document.addEventListener('keydown', (e) => {
    if (e.key === 'Escape' && !document.querySelector('[popover]:popover-open')) closeCard()
  })
}
