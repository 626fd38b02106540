// What the hall advises: hints about the question that waits, and for who learns a doubt about a turn that lost much.

import type { KibitzBoard } from '../element.ts'
import type { pointName, textName } from '../names.ts'
import type { parseStep } from '../step.ts'
import type { Turn } from '../turns.ts'
import type { Ask, Hint, HintReason, State, View } from '../wire.ts'
import { byId, setText } from './dom.ts'
import { moveNames, number, say, valueText } from './words.ts'

/** How moves are read and called. They are given, not imported: what only some scripts share is a
    file of its own, and a request of every page with a board. */
interface Names {
  readonly textName: typeof textName
  readonly pointName: typeof pointName
  readonly parseStep: typeof parseStep
}

/** What a decision is worth. */
const worth = (why: HintReason | undefined): string => valueText(why, 1) || '?'

/** What is said of a hint. */
function hintText(h: Hint, v: View, { textName, pointName, parseStep }: Names): string {
  if (h.failed) return say('hint.failed')
  const called = (moves: readonly string[] | undefined) => moveNames(moves, (m) => textName(v, m))
  const move = called(h.steps)
  switch (h.level) {
    case 0:
      return say('hint.thinking')
    case 1: {
      const from = h.near?.map(parseStep).find((s) => s?.from)?.from
      return from ? say('hint.piece', { at: pointName(v, from) }) : say('hint.near')
    }
    case 2:
      return h.from ? say('hint.suggests', { name: h.from, move }) : say('hint.move', { move })
    default: {
      const list = h.lines?.map((l) => `${called(l.line?.slice(0, h.steps?.length))} ${worth(l)}`)
      const line = called(h.why?.line?.slice(h.steps?.length ?? 0))
      return list?.join(' · ') ?? (line ? say('hint.why', { move, value: worth(h.why), line }) : `${move}: ${worth(h.why)}`)
    }
  }
}

/** Shows a hint on the board and in words. */
export function showHint(board: KibitzBoard, h: Hint, v: View | undefined, names: Names): void {
  board.advise(h.lines?.flatMap((l) => l.line?.slice(0, 1) ?? []) ?? h.steps ?? [], h.near ?? [])
  const line = byId('hint')
  const words = v ? hintText(h, v, names) : ''
  if (line) line.dataset['level'] = String(h.level)
  if (!line || line.textContent === words) return
  setText(line, words)
  line.title = words
  board.voice.say(words)
}

/** The game, and the number of one's own latest turn in it. */
let game = ''
let latest = 0

/** The doubt that was answered by going on. */
let kept = ''

/** Asks about a turn that was judged, with a way to take it back if there is one; true if one of the turns has just
    ended, and is to be judged. */
export function learn(s: State, turns: readonly Turn[], asked: Ask | undefined, back: boolean): boolean {
  const t = turns.findLast((x) => x.by === s.for && !x.opening && x.entries.some((e) => !e.forced))
  const n = t?.entries.at(-1)?.ended ? t.number : t ? t.number - 1 : 0
  const ended = game === s.game && n > latest && !s.result
  game = s.game
  latest = n
  const sure = asked?.game === game && !s.result ? asked.sure : undefined
  const key = sure ? `${sure.ply} ${sure.lost}` : ''
  if (!sure) kept = ''
  const box = byId('sure') ?? begin()
  if (!box) return ended
  box.hidden = key === kept
  const [text, undo] = [box.querySelector('span'), box.querySelector<HTMLElement>('[data-act=undo]')]
  if (!sure || !text || !undo || box.dataset['key'] === key) return ended
  box.dataset['key'] = key
  undo.hidden = !back
  undo.dataset['ply'] = String(sure.ply)
  setText(text, say('sure', { n: number(sure.lost) }))
  byId<KibitzBoard>('board')?.voice.say(text.textContent ?? '', true)
  return ended
}

/** Puts the question into the place of the acts. */
function begin(): HTMLElement | undefined {
  const acts = document.querySelector('.acts')
  if (!acts) return undefined
  const box = document.createElement('span')
  box.className = 'offer'
  box.id = 'sure'
  const button = (label: string) => Object.assign(document.createElement('button'), { type: 'button', textContent: label })
  const [back, keep] = [button(say('sure.back')), button(say('sure.keep'))]
  back.dataset['act'] = 'undo'
  back.className = 'primary'
  keep.addEventListener('click', () => {
    kept = box.dataset['key'] ?? ''
    box.hidden = true
  })
  box.append(document.createElement('span'), ' ', back, ' ', keep)
  acts.append(box)
  return box
}
