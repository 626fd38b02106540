// Hints: what the hall advises about the question that waits.

import type { KibitzBoard } from '../element.ts'
import { pointName, textName } from '../names.ts'
import { parseStep } from '../step.ts'
import type { Hint, View } from '../wire.ts'
import { byId, setText } from './dom.ts'
import { scoreOf } from './said.ts'
import { number, say } from './words.ts'

/** What is said of a hint. */
export function hintText(h: Hint, v: View): string {
  if (h.failed) return say('hint.failed')
  const move = (h.steps ?? []).map((m) => textName(v, m)).join(' ')
  switch (h.level) {
    case 0:
      return say('hint.thinking')
    case 1: {
      const from = h.near?.map(parseStep).find((s) => s?.from)?.from
      return from ? say('hint.piece', { at: pointName(v, from) }) : say('hint.near')
    }
    case 2:
      return say('hint.move', { move })
    default: {
      const score = scoreOf(h.why)
      const value = score === undefined ? '?' : (score > 0 ? '+' : '') + number(score, 1)
      return say('hint.why', { move, value, line: (h.why?.line ?? []).slice(h.steps?.length ?? 0).map((m) => textName(v, m)).join(' ') || '–' })
    }
  }
}

/** Shows a hint on the board and in words, or takes the latest one away. */
export function showHint(board: KibitzBoard, h: Hint | undefined, v: View | undefined): void {
  board.advise(h?.steps ?? [], h?.near ?? [])
  const line = byId('hint')
  const words = h && v ? hintText(h, v) : ''
  if (line) line.dataset['level'] = h ? String(h.level) : ''
  if (!line || line.textContent === words) return
  setText(line, words)
  line.title = words
  if (words) setText(byId('voice'), words)
}
