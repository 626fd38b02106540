// What engines say in a window of its own, loaded when somebody opens it.

import { say } from './words.ts'
import { byId } from './dom.ts'

export function popOut(): void {
  const w = window.open('', '_blank', 'width=520,height=420')
  const box = byId('said')
  if (!w || !box) return
  w.document.title = say('score')
  const pane = w.document.createElement('main')
  w.document.body.append(pane)
  const copy = () => pane.replaceChildren(w.document.importNode(box, true))
  copy()
  new MutationObserver(copy).observe(box, { childList: true, subtree: true })
}
