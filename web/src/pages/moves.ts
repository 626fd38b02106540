// The list of moves beside a board.

import { textName } from '../names.ts'
import type { Entry, State, View } from '../wire.ts'
import { number, say } from './words.ts'

/** What an entry is called in the list; nothing for what is not shown. */
export function entryName(v: View, e: Entry): string {
  const names = (e.steps ?? []).map((x) => textName(v, x))
  for (const n of e.notices ?? []) {
    if (n.kind === 'played' && n.move) names.push(textName(v, n.move))
    else if (n.kind === 'refused' && n.move) names.push(`${textName(v, n.move)}?`)
    else if (n.kind === 'moved') names.push(say('moved'))
  }
  return names.map((n) => (n === 'pass' ? say('pass') : n)).join(' ')
}

/** Draws the list of a running game, and keeps its end in sight. */
export function drawMoves(list: HTMLElement, s: State): void {
  const v = s.view
  const entries = s.history ?? []
  if (!v) return
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 30
  const lines = entries.map((e) => ({ by: e.by, name: entryName(v, e), used: e.used ?? 0 })).filter((x) => x.name !== '')
  while (list.childElementCount > lines.length) list.lastElementChild?.remove()
  lines.forEach((x, i) => {
    const text = `${i + 1} ${x.name}`
    let li = list.children[i] as HTMLElement | undefined
    if (!li) {
      li = document.createElement('li')
      list.append(li)
    }
    if (li.dataset['text'] === text) return
    li.dataset['text'] = text
    li.className = `by-${x.by === 'first' ? 0 : x.by === 'second' ? 1 : -1}`
    const no = document.createElement('span')
    no.className = 'no'
    no.textContent = String(i + 1)
    const used = document.createElement('span')
    used.className = 'used'
    used.textContent = x.used > 0 ? number(x.used / 1000, 1) : ''
    li.replaceChildren(no, ` ${x.name} `, used)
  })
  if (atEnd) list.scrollTop = list.scrollHeight
}
