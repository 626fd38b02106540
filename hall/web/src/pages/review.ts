// A review on the page of its game: turns are shown on the board, and better ones looked for than were
// played.

import { html, textName, type KibitzBoard } from '../board.ts'
import type { Review, ReviewedTurn } from '../wire.ts'
import type { Desk } from './analysis.ts'
import { reviewed, seatsFor } from './reviewed.ts'
import type { Node } from './tree.ts'
import { moveName, moveNames, sayAnalysis } from './words.ts'

/** How often a better move may be tried. */
const tries = 3

/** How much of the chance a try may lose, in percent, and count as good as the best. */
const asGood = 1.75

/** Whoever evaluates positions of the game that is reviewed. */
interface Judge {
  /** The value of a position for the seat on turn. */
  value(n: Node): Promise<number | undefined>
  /** The chance of a seat after moves from a position, in percent. */
  chance(n: Node, moves: readonly string[], seat: number): Promise<number | undefined>
  /** Says no more of the position that is shown. */
  stop(): void
}

function button(text: string, press: () => void): HTMLButtonElement {
  const b = html('button', '', text)
  b.type = 'button'
  b.addEventListener('click', press)
  return b
}

/** Keys on the board that are those of a game, where the page has no others: what may be played, where pieces are,
    what was played last, and a move that is typed. */
function key(e: KeyboardEvent): void {
  const board = e.currentTarget as KibitzBoard
  if (board.hasAttribute('no-keys') || e.altKey || e.ctrlKey || e.metaKey || !/^[mpz/]$/.test(e.key)) return
  e.preventDefault()
  if (e.key !== '/') return void import('./keys.ts').then(({ told }) => board.voice.say(told(e.key, board)), () => undefined)
  const tab = document.querySelector<HTMLElement>('.tab-row [aria-selected=true]')
  document.getElementById('tab-moves')?.click()
  document.querySelector<HTMLElement>('.kb-field-text')?.focus()
  document.addEventListener('kibitz-answer', () => { // before it is said what was tried: what is hidden is not heard
    tab?.click()
    enter(board)
  }, { capture: true, once: true })
}

/** Takes the keyboard to where it was on the board. */
function enter(board: HTMLElement): void {
  board.querySelector<SVGElement>('.kb-spot[tabindex="0"]')?.focus({ preventScroll: true })
}

export class ReviewPanel {
  private readonly told = html('p', '')
  private readonly acts = html('p', 'row')
  /** The turns to learn from that are left, the first of which is asked about. */
  private wait: readonly ReviewedTurn[] = []
  private all = 0
  private left = tries
  /** How many decisions of the best turn were found. */
  private found = 0

  private readonly desk: Desk
  private readonly nodes: readonly Node[]
  private readonly judge: Judge
  /** The try that is weighed. */
  private weighed: readonly string[] | undefined

  constructor(box: HTMLElement, r: Review, desk: Desk, nodes: readonly Node[], judge: Judge) {
    this.desk = desk
    this.nodes = nodes
    this.judge = judge
    desk.kit.aloud(this.told)
    desk.board.onkeydown = key
    box.replaceChildren(
      ...reviewed(r, desk.names, { played: (t) => this.played(t), best: (t) => this.moves(t, t.best) }, (t) => [html('p', 'row',
        ...this.before(t), button(sayAnalysis('review.show'), () => this.show(t)), ...(t.best.length > 0 ? [button(sayAnalysis('review.try'), () => this.learn([t]))] : []),
      )], desk.mine),
      html('p', 'row', ...seatsFor(desk.mine).flatMap((s) => {
        const list = r.turns.filter((t) => t.mark && t.seat === s && t.best.length > 0)
        return list.length === 0 ? [] : [button(s === desk.mine ? sayAnalysis('review.learn.own') : sayAnalysis('review.learn', { name: desk.names[s] }), () => this.learn(list))]
      })),
      this.told, this.acts,
    )
    box.hidden = false
  }

  /** A picture of the board before a turn, of a game that the hall keeps. */
  private before(t: ReviewedTurn): HTMLElement[] {
    if (!this.desk.game) return []
    const picture = html('img', '')
    Object.assign(picture, { src: `/games/${this.desk.game}/picture.svg?ply=${t.ply}`, alt: '', width: 96, loading: 'lazy' })
    return [picture]
  }

  private moves(t: ReviewedTurn, moves: readonly string[]): string {
    const view = this.nodes[t.ply]?.view
    return view ? moveNames(moves, (m) => textName(view, m)) : ''
  }

  /** The positions after each part of a turn. */
  private parts(t: ReviewedTurn): Node[] {
    const turn = this.nodes[t.ply + 1]?.turn
    return this.nodes.slice(t.ply + 1).filter((n) => n.turn === turn)
  }

  /** What was played in a turn. */
  private played(t: ReviewedTurn): string {
    return this.parts(t).map((n) => moveName(n.step?.name ?? '')).join(' ')
  }

  /** Shows the position before a turn, with what was best and what was played. */
  private show(t: ReviewedTurn, text = ''): void {
    this.told.textContent = text
    const n = this.nodes[t.ply]
    if (n) this.desk.go(n)
    const parts = this.parts(t)
    this.desk.advise(t.best, parts.flatMap((x) => x.step?.steps ?? []))
    if (parts.length === 2) void this.blame(t, parts as [Node, Node])
  }

  /** Says of a turn of two parts which of them was at fault: the second one if the first was the best, or
      if it lost more against the best after the first one than that against the best turn. */
  private async blame(t: ReviewedTurn, [first, second]: readonly [Node, Node]): Promise<void> {
    let at: Node | undefined = second
    if (t.best[0] !== first.step?.steps?.[0]) {
      const [best, between] = [await this.judge.value(first.parent!), await this.judge.value(first)]
      const after = second.view?.seat === 'first' || second.view?.seat === 'second' ? await this.judge.value(second) : undefined
      if (best === undefined || between === undefined || after === undefined) at = undefined
      else if (best - between >= between + after) at = first
    }
    if (at && this.desk.at() === first.parent) this.told.append(` ${sayAnalysis('review.fault', { part: moveName(at.step?.name ?? '') })}`)
  }

  private learn(list: readonly ReviewedTurn[]): void {
    this.judge.stop() // an engine that goes on would tell what is sought
    this.wait = list
    this.all = list.length
    this.ask()
  }

  private ask(): void {
    const t = this.wait[0]
    this.left = tries
    this.found = 0
    this.weighed = undefined
    this.acts.replaceChildren()
    if (!t) {
      this.told.textContent = sayAnalysis('review.learned')
      return
    }
    const n = this.nodes[t.ply]
    if (n) this.desk.go(n)
    enter(this.desk.board)
    this.told.textContent = sayAnalysis('review.find', { n: this.all - this.wait.length + 1, all: this.all, move: this.played(t) })
    this.acts.append(button(sayAnalysis('review.hint'), () => this.hint(t)), button(sayAnalysis('review.solve'), () => this.solve(t)), button(sayAnalysis('review.skip'), () => {
      this.wait = this.wait.slice(1)
      this.ask()
    }))
  }

  /** Marks the moves of which one is sought: those of its piece, or those around it. */
  private hint(t: ReviewedTurn): void {
    const { parseStep } = this.desk.kit
    const best = parseStep(t.best[0] ?? '')
    const near = (this.nodes[t.ply]?.legal ?? []).filter((m) => {
      const s = parseStep(m)
      if (best?.from) return s?.from?.join() === best.from.join()
      return s?.to && best?.to && [0, 1].every((i) => Math.abs(s.to![i as 0 | 1] - best.to![i as 0 | 1]) <= 1)
    })
    this.desk.advise([], [], near)
  }

  private solve(t: ReviewedTurn): void {
    this.left = 0
    this.weighed = undefined
    this.show(t, sayAnalysis('review.solution', { best: this.moves(t, t.best) }))
  }

  /** A move was tried in a position. Whether it is taken back, because a better one is sought. */
  tried(at: Node, moves: readonly string[]): boolean {
    const t = this.wait[0]
    if (!t || this.left === 0 || (this.found === 0 ? at !== this.nodes[t.ply] : at.ply !== t.ply + this.found)) return false
    const first = moves[0] ?? ''
    const other = this.found === 0 && t.good.includes(first) && !t.best.includes(first)
    if (other || moves.every((m) => t.best.includes(m))) {
      this.found += moves.length
      if (other || this.found >= t.best.length) {
        this.left = 0
        this.told.textContent = sayAnalysis('review.right')
      }
      return false
    }
    if (this.weighed) return true
    this.desk.go(at)
    void this.weigh(t, at, moves)
    return true
  }

  /** Weighs a try of which the review has no line, and that is not what was played. */
  private async weigh(t: ReviewedTurn, at: Node, moves: readonly string[]): Promise<void> {
    this.weighed = moves
    this.told.textContent = sayAnalysis('thinks')
    const played = moves.join() === this.parts(t).flatMap((n) => n.step?.steps ?? []).slice(this.found, this.found + moves.length).join()
    const [before, after] = played ? [] : [await this.judge.chance(this.nodes[t.ply]!, [], t.seat), await this.judge.chance(at, moves, t.seat)]
    if (this.weighed !== moves) return
    this.weighed = undefined
    if (!played && (before === undefined || after === undefined)) {
      this.told.textContent = sayAnalysis('fault.failed') // and the try does not count
    } else if (before !== undefined && after !== undefined && before - after <= asGood) {
      this.left = 0
      this.told.textContent = sayAnalysis('review.right')
      this.desk.advise(moves)
    } else if (--this.left > 0) {
      this.told.textContent = sayAnalysis('review.wrong', { n: this.left })
    } else {
      this.solve(t)
    }
  }
}
