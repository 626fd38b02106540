// A lesson: boards on which one thing is to be done each. What is right and what is wrong
// stands in the page; the hall is asked nothing.

import { defineBoard } from '../board.ts'
import type { Missed, KibitzBoard } from '../element.ts'
import { parseStep, spotOf, target } from '../step.ts'
import type { View } from '../wire.ts'
import { byId, setText, startAloud } from './dom.ts'
import { boardWords } from './words.ts'

defineBoard(boardWords())

/** A board of a step, with the decision that led to it; without a view it is one that the rules do not allow. */
interface Node {
  readonly by?: 'first' | 'second' | 'dealer'
  readonly step?: string
  readonly ended?: boolean
  readonly refused?: boolean
  readonly view?: View
  readonly legal?: readonly string[]
  readonly next?: readonly Node[]
  /** A line ends here, with why it is wrong if it is. */
  readonly end?: boolean
  readonly why?: string
}

interface Step {
  readonly key: string
  readonly for: 'first' | 'second'
  readonly spec: string
  readonly names: readonly [string, string]
  readonly do: string
  readonly right: string
  readonly other: string
  readonly barred: string
  readonly start: Node
}

/** How long, in milliseconds, a decision of the other side waits, and a board on which a line has ended. */
const pause = { answer: 600, right: 1800, wrong: 2600 }

/** Whether a right line goes through a board. */
const leads = (n: Node): boolean => (n.end ? n.why === undefined : (n.next ?? []).some(leads))

class Lesson {
  private at = 0
  private node: Node
  /** Counts boards and questions. */
  private count = 0
  /** What happens when the pause is over, or when whoever learns does not want to wait for that. */
  private then: (() => void) | undefined
  private timer = 0
  private readonly done = new Set<number>()
  private readonly pips: readonly HTMLButtonElement[]
  private readonly task = byId('do')
  private readonly said = byId('said')
  private readonly board: KibitzBoard
  private readonly steps: readonly Step[]

  constructor(board: KibitzBoard, steps: readonly [Step, ...Step[]]) {
    this.board = board
    this.steps = steps
    this.node = steps[0].start
    this.pips = [...document.querySelectorAll<HTMLButtonElement>('#pips button')]
    this.pips.forEach((e, i) => e.addEventListener('click', () => {
      this.say('')
      this.begin(i)
    }))
    board.addEventListener('kibitz-answer', (e) => this.decided((e as CustomEvent<{ steps: readonly string[] }>).detail.steps[0] ?? ''))
    board.addEventListener('kibitz-missed', (e) => this.missed((e as CustomEvent<Missed>).detail))
    // A press on a board that waits does not wait.
    for (const kind of ['pointerdown', 'keydown'] as const) board.addEventListener(kind, (e) => this.hurry(e), { capture: true })
    this.act('on', () => this.now())
    this.act('show', () => this.show())
    this.act('skip', () => {
      this.say('')
      this.begin(this.at + 1)
    })
    this.act('again', () => {
      this.done.clear()
      this.say('')
      this.begin(0)
      byId('h-lesson')?.scrollIntoView({ block: 'nearest' })
    })
    this.begin(Math.max(0, steps.findIndex((s) => location.hash === `#step-${s.key}`)))
  }

  private act(name: string, fn: () => void): void {
    document.querySelector(`.lesson [data-act=${name}]`)?.addEventListener('click', fn)
  }

  private get step(): Step {
    return this.steps[this.at]!
  }

  /** Goes to a step; behind the last one the lesson is over. */
  private begin(i: number): void {
    const over = i >= this.steps.length
    const here = byId('lesson')?.contains(document.activeElement) ?? false
    const onBoard = this.board.contains(document.activeElement)
    this.at = over ? this.at : i
    this.pips.forEach((e, n) => {
      e.classList.toggle('done', this.done.has(n))
      if (!over && n === i) e.setAttribute('aria-current', 'step')
      else e.removeAttribute('aria-current')
    })
    byId('lesson-acts')!.hidden = over
    byId('lesson-end')!.hidden = !over
    if (over) {
      this.rest()
      setText(this.task, '')
      this.board.setAttribute('still', '')
      if (here) byId('lesson-end')?.querySelector('button')?.focus()
      return
    }
    this.board.removeAttribute('still')
    setText(this.task, this.step.do)
    this.restart()
    if (onBoard) requestAnimationFrame(() => requestAnimationFrame(() => this.board.querySelector<SVGElement>('.kb-spot[tabindex="0"]')?.focus({ preventScroll: true })))
  }

  /** Puts the board as the step begins. */
  private restart(): void {
    this.rest()
    const s = this.step
    this.node = s.start
    this.board.show({ game: s.key, attempt: ++this.count, seq: 0, for: s.for, spec: s.spec, names: s.names, controls: ['', ''], view: s.start.view!, at: 0 })
    this.ask()
  }

  private ask(rejected?: 'illegal' | 'refused'): void {
    const s = this.step
    this.board.ask({ game: s.key, attempt: this.board.state?.attempt ?? 0, seat: s.for === 'first' ? 0 : 1, seq: 0, prompt: ++this.count, legal: this.node.legal ?? [], ...(rejected && { rejected }) })
  }

  private say(text: string, kind: 'right' | 'wrong' | '' = ''): void {
    setText(this.said, text)
    if (this.said) this.said.dataset['kind'] = kind
  }

  /** Waits, and lets nobody wait who does not want to. */
  private wait(ms: number, then: () => void): void {
    this.rest()
    this.then = then
    this.timer = window.setTimeout(() => this.now(), ms)
    this.button(this.node.end ?? false)
  }

  private rest(): void {
    clearTimeout(this.timer)
    this.then = undefined
    this.button(false)
  }

  private button(there: boolean): void {
    const e = document.querySelector<HTMLButtonElement>('.lesson [data-act=on]')
    if (e) e.hidden = !there
  }

  private now(): void {
    const { then } = this
    this.rest()
    then?.()
  }

  private hurry(e: Event): void {
    if (!this.then || !this.node.end || (e instanceof KeyboardEvent && e.key !== 'Enter' && e.key !== ' ')) return
    if (this.node.why === undefined || e instanceof KeyboardEvent) { // what was pressed was the board before
      e.stopPropagation()
      e.preventDefault()
    }
    this.now()
  }

  /** Whoever learns has decided something that the rules allow. */
  private decided(text: string): void {
    const next = this.node.next?.find((n) => n.step === text)
    if (next?.view) return this.go(next)
    this.say(next?.why ?? this.step.other, 'wrong')
    this.board.unanswered()
    if (leads(this.node)) this.ask()
    else this.restart()
  }

  /** Something was pressed that is not legal: it is explained, or played where it ends the game (NoGo). */
  private missed({ from, spot }: Missed): void {
    if (this.then) return
    const meant = this.node.next?.find((n) => {
      const s = parseStep(n.step ?? '')
      if (!s || target(s) !== spot || (n.view && s.from)) return false
      return from === undefined || !s.from || spotOf(s.from) === from
    })
    if (meant?.view) this.decided(meant.step ?? '')
    else this.say(meant?.why ?? this.step.barred, 'wrong')
  }

  /** Makes a decision on the board and goes on from there. */
  private go(n: Node): void {
    this.node = n
    const seq = this.board.state?.seq ?? 0
    const steps = n.step ?? ''
    const told = n.refused ? { notices: [{ kind: 'refused' as const, by: n.by!, move: steps }], refused: true } : { steps: [steps] }
    this.board.advance({ prev: seq, seq: seq + 1, at: 0, view: n.view!, entries: [{ by: n.by!, ...told, ended: n.ended ?? false }] })
    const [only] = n.next ?? []
    if (n.end) this.end(n.why)
    else if (n.view!.seat === this.step.for) this.ask(n.refused ? 'refused' : undefined)
    else if (only) this.wait(pause.answer, () => this.go(only))
  }

  private end(why: string | undefined): void {
    if (why === undefined) {
      this.done.add(this.at)
      this.pips[this.at]?.classList.add('done')
      this.say(this.step.right, 'right')
      this.wait(pause.right, () => this.begin(this.at + 1))
    } else {
      this.say(why, 'wrong')
      this.wait(pause.wrong, () => this.restart())
    }
  }

  /** Shows how it is done. */
  private show(): void {
    this.restart()
    this.say('')
    const on = () => {
      const next = this.node.next?.find(leads)
      if (!next) return
      this.go(next)
      if (!next.end) this.wait(pause.answer, on)
    }
    on()
  }
}

const pictures = JSON.parse(byId('pictures')?.textContent ?? '{}') as Readonly<Record<string, View>>
const game = document.querySelector<HTMLElement>('.learn')?.dataset['game'] ?? ''
for (const e of document.querySelectorAll<KibitzBoard>('kibitz-board[data-picture]')) {
  const view = pictures[e.dataset['picture'] ?? '']
  if (view) e.show({ game, attempt: 0, seq: 0, for: 'public', spec: game, names: ['', ''], controls: ['', ''], view, at: 0 })
}

const board = document.querySelector<KibitzBoard>('.lesson kibitz-board')
const [first, ...more] = JSON.parse(byId('steps')?.textContent ?? '[]') as Step[]
startAloud()
if (board && first) new Lesson(board, [first, ...more])
