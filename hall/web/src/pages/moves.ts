// The list of moves beside a board: one entry for each turn.

import { textName } from '../names.ts'
import { turnsOf } from '../turns.ts'
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

/** Draws the list of a running game, and keeps its end in sight. Where moves can be taken
    back a past entry has a button that asks for it. */
export function drawMoves(list: HTMLElement, s: State, takesBack: boolean): void {
  const v = s.view
  if (!v) return
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 30
  const turns = turnsOf(s.history ?? [])
  while (list.childElementCount > turns.length) list.lastElementChild?.remove()
  turns.forEach((t, i) => {
    const name = t.entries.map((e) => entryName(v, e)).filter((x) => x !== '').join(' ')
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
  if (atEnd) list.scrollTop = list.scrollHeight
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
