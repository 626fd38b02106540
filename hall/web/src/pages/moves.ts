// The list of moves beside a board: one entry for each turn.

import { textName } from '../names.ts'
import { turnsOf, type Turn } from '../turns.ts'
import type { Entry, State, View } from '../wire.ts'
import { number, say } from './words.ts'

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
  return names.map((n) => (n === 'pass' ? say('pass') : n)).join(' ')
}

/** What a turn is called: its parts together. */
const nameOfTurn = (v: View, t: Turn): string => t.entries.map((e) => entryName(v, e)).filter((x) => x !== '').join(' ').replaceAll(' /', '/').replace(/\b(\w+)-\1 \1\(/g, '$1(')

/** Makes the columns of a list as wide as its longest entry; what is longer than a column can be is wrapped. */
export function widen(list: HTMLElement, names: readonly string[]): void {
  const longest = Math.min(14, Math.max(3, ...names.map((n) => n.length)))
  if (list.style.getPropertyValue('--ch') !== String(longest)) list.style.setProperty('--ch', String(longest))
}

/** Draws the strip of a running game: its turns in a line, the latest in sight. */
export function drawStrip(strip: HTMLElement | null, s: State): void {
  const v = s.view
  if (!strip || !v) return
  const names = turnsOf(s.history ?? []).map((t) => `${t.number} ${nameOfTurn(v, t)}`)
  while (strip.childElementCount > names.length) strip.lastElementChild?.remove()
  names.forEach((text, i) => {
    const li = strip.children[i] ?? strip.appendChild(document.createElement('li'))
    if (li.textContent !== text) li.textContent = text
  })
  strip.scrollLeft = strip.scrollWidth
}

/** Draws the list of a running game, and keeps its end in sight. Where moves can be taken
    back a past entry has a button that asks for it. */
export function drawMoves(list: HTMLElement, s: State, takesBack: boolean): void {
  const v = s.view
  if (!v) return
  const box = list.closest('.tab-panel') ?? list
  const atEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 40
  const turns = turnsOf(s.history ?? [])
  widen(list, turns.map((t) => nameOfTurn(v, t)))
  while (list.childElementCount > turns.length) list.lastElementChild?.remove()
  turns.forEach((t, i) => {
    const name = nameOfTurn(v, t)
    const next = turns[i + 1]
    const back = takesBack && !s.result && next !== undefined && !next.opening
    const text = `${t.number} ${name} ${t.used} ${back ? t.after : ''}`
    let li = list.children[i] as HTMLElement | undefined
    if (!li) {
      li = document.createElement('li')
      list.append(li)
    }
    if (li.dataset['text'] === text) return
    li.dataset['text'] = text
    li.className = `by-${t.by === 'first' ? 0 : t.by === 'second' ? 1 : -1}${t.opening ? ' quiet' : ''}`
    const no = document.createElement('span')
    no.className = 'no'
    no.textContent = String(t.number)
    const used = document.createElement('span')
    used.className = 'used'
    used.textContent = t.used > 0 ? number(t.used / 1000, 1) : ''
    li.replaceChildren(no, ` ${name} `, used, ...(back ? [backButton(t.number, t.after)] : []))
  })
  if (atEnd) box.scrollTop = box.scrollHeight
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
