// The list of moves beside a board: one entry for each turn.

import { boxesClosed } from '../boxes.ts'
import { textName } from '../names.ts'
import { turnsOf, type Turn } from '../turns.ts'
import type { Entry, State, View } from '../wire.ts'
import { keepEnd } from './ends.ts'
import { moveName, number, say } from './words.ts'

/** What a decision is called in the list; nothing for what is not shown. */
export function entryName(v: View, e: Entry): string {
  const names = (e.steps ?? []).map((x) => textName(v, x) + (e.refused ? '?' : ''))
  const told = e.notices ?? []
  const own = told.some((n) => n.kind === 'played') // what others are told of the same step is not said again
  for (const n of told) {
    if (n.kind === 'played' && n.move) names.push(textName(v, n.move))
    else if (n.kind === 'refused' && n.move) names.push(`${textName(v, n.move)}?`)
    else if (n.kind === 'moved' && !own) names.push(say('moved'))
  }
  return names.map(moveName).join(' ')
}

/** What a turn is called: its parts together. */
const nameOfTurn = (v: View, t: Turn): string => t.entries.map((e) => entryName(v, e)).filter((x) => x !== '').join(' ').replaceAll(' /', '/').replace(/\b(\w+)-\1 \1\(/g, '$1(')

/** Whether the rules left nothing but what was done, as a pass in Othello. */
export const forced = (steps: readonly (Entry | undefined)[]): boolean => steps.length > 0 && steps.every((x) => x?.forced)

/** What a turn has closed, beside its name. */
export const gained = (boxes: number): string => (boxes > 0 ? ` +${boxes}` : '')

interface Named extends Turn {
  readonly name: string
}

/** Draws the turns of a running game. Where moves can be taken back a past entry of the
    list has a button that asks for it. */
export function drawMoves(list: HTMLElement | null, strip: HTMLElement | null, s: State, takesBack: boolean): void {
  const v = s.view
  if (!v) return
  const closed = boxesClosed(v, s.history ?? [])
  const on = v.phase === 'shoot' ? '/…' : ' …' // of a turn that goes on
  const turns = turnsOf(s.history ?? []).map((t) => ({ ...t, name: nameOfTurn(v, t) + gained(closed.slice(t.before, t.before + t.entries.length).reduce((a, b) => a + b, 0)) + (t.entries.at(-1)?.ended || s.result ? '' : on) }))
  if (list) drawList(list, turns, takesBack && !s.result)
  if (strip) drawStrip(strip, turns)
}

/** Draws turns in a line, the latest in sight. */
function drawStrip(strip: HTMLElement, turns: readonly Named[]): void {
  while (strip.childElementCount > turns.length) strip.lastElementChild?.remove()
  turns.forEach((t, i) => {
    const text = `${t.number} ${t.name}`
    const li = strip.children[i] ?? strip.appendChild(document.createElement('li'))
    if (li.textContent !== text) li.textContent = text
  })
  keepEnd(strip, 'across')
}

/** Draws turns as a list, and keeps its end in sight. */
function drawList(list: HTMLElement, turns: readonly Named[], takesBack: boolean): void {
  while (list.childElementCount > turns.length) list.lastElementChild?.remove()
  turns.forEach((t, i) => {
    const next = turns[i + 1]
    const back = takesBack && next !== undefined && !next.opening
    const text = `${t.number} ${t.name} ${t.used} ${back ? t.after : ''}`
    let li = list.children[i] as HTMLElement | undefined
    if (!li) {
      li = document.createElement('li')
      list.append(li)
    }
    if (li.dataset['text'] === text) return
    li.dataset['text'] = text
    li.className = `by-${t.by === 'first' ? 0 : t.by === 'second' ? 1 : -1}${t.opening || forced(t.entries) ? ' quiet' : ''}`
    const no = document.createElement('span')
    no.className = 'no'
    no.textContent = String(t.number)
    const used = document.createElement('span')
    used.className = 'used'
    used.textContent = t.used > 0 ? number(t.used / 1000, 1) : ''
    li.replaceChildren(no, ` ${t.name} `, used, ...(back ? [backButton(t.number, t.after)] : []))
  })
  keepEnd(list.closest<HTMLElement>('.tab-panel') ?? list)
}

/** Takes back to the end of a turn, after which there are so many decisions. */
function backButton(turn: number, decisions: number): HTMLElement {
  const b = document.createElement('button')
  b.type = 'button'
  b.className = 'link take-back'
  b.dataset['ply'] = String(decisions)
  b.textContent = '↶'
  b.title = say('backto', { n: turn })
  b.setAttribute('aria-label', b.title)
  return b
}
