// Analyses of positions and games by engines of the hall: what is asked for, the lines
// as they come, the evaluation along a game.

import type { Analysed, AnalysedLine, AnalysisEvents, GameReview, Review, SetupView } from '../wire.ts'
import { get, refusal } from '../net.ts'
import type { Beside } from './beside.ts'
import type { Course } from './chart.ts'
import { post, postAsGuest } from './post.ts'
import type { ReviewPanel } from './review.ts'
import { byId, released, setText, whileBusy } from './dom.ts'
import type { Kit } from './kit.ts'
import type { Overlay } from './overlay.ts'
import { endOf, movesTo, path, type Node } from './tree.ts'
import { moveName, moveNames, number, say, sayAnalysis, scoreOf } from './words.ts'

/** What an analysis asks of its page. */
export interface Desk {
  /** The game that is over, empty for an analysis board. */
  readonly game: string
  readonly board: HTMLElement
  readonly kit: Kit
  readonly spec: string
  readonly position: string
  readonly names: readonly [string, string]
  /** The seat in which the reader played, -1 without one. */
  readonly mine: number
  /** There was a review of the game when its page came. */
  readonly reviewed: boolean
  at(): Node
  /** Marks first moves on the board; in a review the best turn, and the one that was played instead, or of which moves one is the best. */
  advise(steps: readonly string[], played?: readonly string[], near?: readonly string[]): void
  /** Plays moves on from a position and goes there, or stays. */
  play(from: Node, moves: readonly string[], stay?: boolean): void
  go(n: Node): void
  /** Draws the moves anew. */
  redraw(): void
}

/** Whether values are those of the first seat, and not those of who is to move. */
const ofFirst = (): boolean => byId<HTMLSelectElement>('values-by')?.value === 'first'

/** A line as values are wanted, of who is to move in its position. */
function asWanted(x: AnalysedLine, by: string): AnalysedLine {
  if (by !== 'second' || !ofFirst()) return x
  const { lo, hi, ...rest } = x
  const other = (v: number) => (x.unit === chance ? 1 - v : -v)
  return { ...rest, ...(hi !== undefined && { lo: other(hi) }), ...(lo !== undefined && { hi: other(lo) }) }
}

/** An evaluation in words. */
function scoreText(x: AnalysedLine): string {
  const score = scoreOf(x)
  if (score === undefined) return '?'
  if (x.unit === mate) return score > 0 ? sayAnalysis('winin', { n: number(score) }) : sayAnalysis('lossin', { n: number(-score) })
  if (x.unit === chance) return `${number(100 * score, 1)} %`
  return (score > 0 ? '+' : '') + number(score, 2)
}

/** An evaluation as the first seat sees it; what decides the game stands at the edge of
    what others came to. */
function courseOf(list: ReadonlyMap<number, Analysed>): { ply: number; score: number }[] {
  const known = [...list.values()].flatMap((f) => {
    const x = f.lines[0]
    const score = x && scoreOf(x)
    if (score === undefined) return []
    const first = f.by === 'first'
    if (x?.unit === chance) return [{ ply: f.ply, score: first ? score : 1 - score, decided: 0 }]
    return [{ ply: f.ply, score: first ? score : -score, decided: x?.unit === mate ? Math.sign(first ? score : -score) : 0 }]
  })
  const edge = Math.max(1, ...known.filter((x) => x.decided === 0).map((x) => Math.abs(x.score)))
  return known.map((x) => ({ ply: x.ply, score: x.decided === 0 ? x.score : x.decided * edge })).sort((a, b) => a.ply - b.ply)
}

/** Units of evaluations, as kit.ts has them. */
const chance: Kit['chance'] = 3
const mate: Kit['mate'] = 4

type Event = { readonly [K in keyof AnalysisEvents]: { readonly event: K; readonly data: AnalysisEvents[K] } }[keyof AnalysisEvents]

/** Reads lines of JSON as they come. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    text += value
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Event
  }
}

const streamed = 'application/x-ndjson'

/** Where this browser keeps whose values are shown. */
const valuesBy = 'analysis-values'

/** How many lines are asked for where each move is to have its value. */
const mostLines = 60

/** How long an engine may think that is bounded by depth or nodes; the hall gives guests less. */
const mostSeconds = 60

/** The value of a line for the seat on turn; what is decided is above and below all others. */
function scoreFor(x: AnalysedLine): number {
  const score = scoreOf(x) ?? -Infinity
  return x.unit === mate ? Math.sign(score) * (1e9 - Math.abs(score)) : x.unit === chance ? 2 * score - 1 : score
}

/** The chance to win of the seat on turn, in percent, as a review counts it. */
function chanceOf(x: AnalysedLine | undefined, slope = 0): number | undefined {
  const score = scoreOf(x)
  if (score === undefined) return undefined
  if (x?.unit === mate) return score > 0 ? 100 : 0
  if (x?.unit === chance) return 100 * score
  return slope > 0 ? 100 / (1 + Math.exp(-slope * score)) : undefined
}

/** Compares lines by value for the seat on turn, the best first; what is not known comes last. */
const better = (a: AnalysedLine, b: AnalysedLine): number => scoreFor(b) - scoreFor(a) || 0

/** Keeps the line of an engine that is dragged. */
let dragged: (() => void) | undefined

/** What one engine says of the position that is shown. */
export class Card {
  private running: AbortController | undefined
  private shown: Analysed | undefined
  /** Draws when nothing is pressed any more. */
  private held: Promise<void> | undefined
  private base: Node | undefined

  private readonly list: HTMLElement | null
  private readonly desk: Desk
  private readonly replaced: () => void
  private readonly beside: number
  readonly state: (text: string) => void

  constructor(list: HTMLElement | null, state: HTMLElement | null, desk: Desk, replaced: () => void, beside: number) {
    this.list = list
    this.desk = desk
    this.replaced = replaced
    this.beside = beside
    this.state = (text) => setText(state, text)
    list?.addEventListener('click', (e) => this.pick((e.target as Element).closest('button')))
    list?.addEventListener('dragstart', (e) => { dragged = () => this.keep([...list.children].indexOf(e.target as Element)) })
    list?.addEventListener('dragend', () => { dragged = undefined })
  }

  /** Makes a variation of a line, and stays where the board is. */
  private keep(i: number): void {
    const line = this.shown?.lines[i]?.line
    if (line && this.base) this.desk.play(this.base, line, true)
  }

  abort(): void {
    this.running?.abort()
  }

  /** How many of the lines are listed. */
  listed = Infinity

  /** Has the position analysed that is shown; hear is told of the lines of that position. */
  async position(wish: Record<string, unknown>, hear: (f: Analysed) => void): Promise<void> {
    const n = this.desk.at()
    if (n.view?.seat !== 'first' && n.view?.seat !== 'second' || n.result) {
      this.state(sayAnalysis('over'))
      return
    }
    this.state(sayAnalysis('thinks'))
    const nodes = path(n)
    const ended = await this.ask({ ...wish, moves: movesTo(n) }, (f) => {
      this.shown = { ...f, lines: [...f.lines].sort(better) }
      this.base = nodes[f.ply]
      this.draw()
      if (f.ply === n.ply) hear(this.shown)
    })
    if (ended && this.desk.at() === n) this.state(sayAnalysis('done'))
  }

  /** Asks the hall, and tells whether the analysis came to its end. Who has no account
      becomes a guest. */
  async ask(wish: Record<string, unknown>, hear: (f: Analysed) => void, judge?: (r: Review) => void, url = '/api/v1/analyses'): Promise<boolean> {
    this.running?.abort()
    const control = new AbortController()
    this.running = control
    const body = url.endsWith('/review') ? {} : { spec: this.desk.spec, position: this.desk.position, beside: this.beside, ...wish }
    try {
      const r = await postAsGuest(url, body, { accept: streamed, signal: control.signal })
      if (!r.ok || !r.body) return this.fail(await refusal(r))
      for await (const { event, data } of events(r.body)) {
        if (event === 'lines') hear(data)
        else if (event === 'review') judge?.(data)
        else if (event === 'end') return data.fault ? this.fail(data.said, data.fault) : true
      }
      return this.fail()
    } catch {
      return control.signal.aborted ? false : this.fail()
    }
  }

  private fail(said = sayAnalysis('fault.failed'), fault?: string): false {
    if (fault === 'replaced') this.replaced()
    this.state(said)
    return false
  }

  clear(): void {
    this.shown = undefined
    this.list?.replaceChildren()
  }

  /** Draws the lines; a button of a move that has the focus keeps it. */
  draw(): void {
    const f = this.shown
    const view = this.base?.view
    if (!f || !view || !this.list) return
    if (this.list.querySelector(':active')) { // a press on what is replaced would be lost
      this.held ??= released().then(() => {
        this.held = undefined
        this.draw()
      })
      return
    }
    const focus = this.list.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset['pv'] : undefined
    this.list.replaceChildren(...f.lines.slice(0, this.listed).map((x, i) => {
      const li = document.createElement('li')
      li.draggable = true
      const head = document.createElement('span')
      head.className = 'found-score'
      head.textContent = scoreText(asWanted(x, f.by))
      const more = document.createElement('span')
      more.className = 'quiet small'
      more.textContent = [
        x.exact ? sayAnalysis('exact') : '', x.depth ? say('depth', { n: x.depth }) : '', x.nodes ? say('nodes', { n: number(x.nodes) }) : '',
      ].filter((t) => t).join(' · ')
      const pv = document.createElement('span')
      pv.className = 'found-line'
      pv.append(...(x.line ?? []).slice(0, 24).map((m, j) => {
        const b = document.createElement('button')
        b.type = 'button'
        b.className = 'link'
        b.dataset['pv'] = `${i}:${j}`
        b.textContent = moveName(this.desk.kit.textName(view, m))
        return b
      }), x.text ?? '')
      if ((x.line?.length ?? 0) > 1) {
        const keep = document.createElement('button')
        keep.type = 'button'
        keep.className = 'link'
        keep.dataset['pv'] = `${i}:keep`
        keep.textContent = sayAnalysis('keep')
        pv.append(' · ', keep)
      }
      li.append(head, ' ', more, pv)
      return li
    }))
    if (focus) this.list.querySelector<HTMLElement>(`[data-pv="${focus}"]`)?.focus()
  }

  /** A move of a line was pressed: the moves up to it are played. */
  private pick(b: HTMLElement | null): void {
    const [i, j] = (b?.dataset['pv'] ?? '').split(':').map(Number)
    if (Number.isNaN(j)) return this.keep(i!)
    const line = this.shown?.lines[i ?? -1]?.line
    if (line && this.base && j !== undefined) this.desk.play(this.base, line.slice(0, j + 1))
  }
}

export class Analysis {
  /** The engine follows the position that is shown. */
  private on = false
  private timer = 0
  private readonly card: Card
  private beside: Beside | undefined
  private course: Course | undefined
  private review: ReviewPanel | undefined
  private overlay: Overlay | undefined
  private readonly form = byId<HTMLFormElement>('ask')
  private readonly button = byId<HTMLButtonElement>('analyse')

  private readonly desk: Desk

  constructor(desk: Desk) {
    this.desk = desk
    this.card = this.newCard(byId('found'), byId('analysis-state'), 0)
    this.form?.addEventListener('submit', (e) => {
      e.preventDefault()
      if (this.on) this.stop()
      else this.begin()
    })
    const values = byId<HTMLSelectElement>('values-by')
    if (values) values.value = localStorage.getItem(valuesBy) ?? 'turn'
    this.form?.addEventListener('change', (e) => {
      if (e.target !== values) {
        if (this.on) this.begin()
        return
      }
      localStorage.setItem(valuesBy, values?.value ?? '')
      this.card.draw()
      this.beside?.draw()
    })
    const moves = byId('moves-panel')
    moves?.addEventListener('dragover', (e) => { if (dragged) e.preventDefault() })
    moves?.addEventListener('drop', (e) => {
      if (dragged) e.preventDefault()
      dragged?.()
    })
    byId('whole')?.addEventListener('click', () => void this.whole())
    byId('threat')?.addEventListener('click', () => void this.threat())
    byId('another')?.addEventListener('click', () => void this.another())
    window.addEventListener('pagehide', () => this.abort())
  }

  private newCard(list: HTMLElement | null, state: HTMLElement | null, beside: number): Card {
    return new Card(list, state, this.desk, () => this.press(false), beside)
  }

  /** Shows a further engine beside those that are there. */
  private async another(): Promise<void> {
    const { Beside } = await whileBusy(byId('another'), import('./beside.ts'))
    this.beside ??= new Beside((list, state, beside) => {
      this.desk.kit.aloud(state)
      return this.newCard(list, state, beside)
    }, () => this.on, () => this.wish(), (lines) => void this.over('second', lines))
    this.beside.add()
  }

  private abort(): void {
    this.card.abort()
    this.beside?.abort()
  }

  /** The board shows another position. */
  moved(): void {
    this.desk.advise([])
    this.overlay?.clear()
    this.card.clear()
    this.beside?.clear()
    this.course?.mark(this.desk.at().ply)
    if (this.on) this.soon()
  }

  /** Has the engine begin, or stop. */
  toggle(): void {
    this.form?.requestSubmit()
  }

  /** Plays the best move; where none is known the engine begins. */
  best(): void {
    const b = byId('found')?.querySelector('button')
    if (b) b.click()
    else if (!this.on) this.begin()
  }

  private begin(): void {
    this.press(true)
    this.soon(0)
  }

  stop(): void {
    this.press(false)
    this.abort()
    clearTimeout(this.timer)
    this.card.state('')
  }

  private press(on: boolean): void {
    this.on = on
    setText(this.button, on ? sayAnalysis('stop') : sayAnalysis('start'))
  }

  private soon(after = 250): void {
    this.abort()
    clearTimeout(this.timer)
    this.card.state(sayAnalysis('thinks'))
    this.timer = window.setTimeout(() => void this.position(), after)
  }

  private wish(): Record<string, unknown> {
    const f = new FormData(this.form ?? undefined)
    this.card.listed = Number(f.get('lines'))
    const [kind, n] = String(f.get('seconds')).split(' ')
    return { engine: f.get('engine'), lines: f.has('values') ? mostLines : this.card.listed, ...(n ? { [kind!]: Number(n), seconds: mostSeconds } : { seconds: Number(kind) }) }
  }

  /** Draws lines over the board. */
  private async over(name: 'values' | 'second' | 'threat', lines: readonly AnalysedLine[]): Promise<void> {
    const n = this.desk.at()
    const { Overlay } = await import('./overlay.ts')
    this.overlay ??= new Overlay(this.desk.board, this.desk.kit)
    if (this.desk.at() === n) this.overlay.set(name, lines)
  }

  /** Asks what the other side would play if it were its turn. */
  async threat(): Promise<void> {
    const n = this.desk.at()
    const { view } = n
    if (!view || (view.seat !== 'first' && view.seat !== 'second') || n.result) return this.card.state(sayAnalysis('over'))
    this.stop()
    this.card.state(sayAnalysis('thinks'))
    const other = view.seat === 'first' ? 'second' : 'first'
    const taken = (view.trays ?? []).filter((t) => t.name === 'taken').map((t) => [...t.pieces ?? ''].map((p, i) => p.repeat(t.counts?.[i] ?? 0)).join('')).join('')
    const r = await post('/api/v1/boards/setup', { spec: this.desk.spec, pieces: view.pieces, lines: view.lines ?? [], seat: other, colours: view.colours, taken }).catch(() => undefined)
    if (!r?.ok || (view.step ?? 0) > 0) return this.card.state(sayAnalysis('nothreat'))
    const { position } = (await r.json()) as SetupView
    const name = this.desk.names[other === 'first' ? 0 : 1]
    await this.card.ask({ ...this.wish(), lines: 3, position }, (f) => {
      const best = f.lines[0]
      if (this.desk.at() !== n || !best) return
      this.card.state(sayAnalysis('threatens', { name, move: moveNames(best.line?.slice(0, 1), (m) => this.desk.kit.textName(view, m)), value: scoreText(asWanted(best, f.by)) }))
      void this.over('threat', f.lines)
    })
  }

  /** Has the position analysed that is shown. */
  private async position(): Promise<void> {
    this.beside?.ask()
    await this.card.position(this.wish(), (f) => {
      this.desk.kit.showGauge(this.desk.kit.shareOf(f.lines[0], f.by))
      this.desk.advise(f.lines.slice(0, this.card.listed).flatMap((x) => x.line?.slice(0, 1) ?? []))
      if (this.form?.elements.namedItem('values') && new FormData(this.form).has('values')) void this.over('values', f.lines.map((x) => asWanted(x, f.by)))
    })
  }

  /** Has every position of the line analysed, and draws the course of the evaluation. */
  async whole(): Promise<void> {
    this.stop()
    const box = byId('course')
    if (!box) return
    this.card.state(sayAnalysis('thinks'))
    const nodes = path(endOf(this.desk.at()))
    const { Course } = await import('./chart.ts')
    box.hidden = false
    box.replaceChildren()
    const chart = new Course(box, sayAnalysis('course', { name: this.desk.names[0] }), (ply) => {
      const n = nodes[ply]
      if (n) this.desk.go(n)
    })
    this.course = chart
    chart.mark(this.desk.at().ply)
    const found = new Map<number, Analysed>()
    const draw = (list: readonly Analysed[]) => {
      for (const f of list) found.set(f.ply, f)
      chart.draw(courseOf(found))
      box.dataset['points'] = String(found.size)
    }
    const kept = this.desk.game && nodes.every((n) => n.recorded) ? `/api/v1/games/${encodeURIComponent(this.desk.game)}/review` : undefined
    const r = kept && this.desk.reviewed ? await get(kept).catch(() => undefined) : undefined
    if (r?.ok) {
      const review = (await r.json()) as GameReview
      draw(review.course)
      await this.judged(review, nodes, found)
      return this.card.state(sayAnalysis('done'))
    }
    const ended = await this.card.ask({ ...this.wish(), whole: true, moves: movesTo(nodes.at(-1) ?? this.desk.at()) }, (f) => {
      if (!f.final) return
      draw([f])
      this.card.state(sayAnalysis('progress', { n: f.done ?? 0, all: f.all ?? 0 }))
    }, (r) => {
      if ('course' in r) draw((r as GameReview).course) // somebody else had it reviewed meanwhile
      void this.judged(r, nodes, found)
    }, kept)
    if (ended) this.card.state(sayAnalysis('done'))
  }

  /** Shows what the review of a line says. */
  private async judged(r: Review, nodes: readonly Node[], found: ReadonlyMap<number, Analysed>): Promise<void> {
    const box = byId('review')
    if (!box) return
    const { ReviewPanel } = await import('./review.ts')
    const said = async (n: Node, more: readonly string[] = []) => {
      let last = more.length === 0 ? found.get(n.ply) : undefined
      if (!last) await this.card.ask({ ...this.wish(), lines: 1, moves: [...movesTo(n), ...more] }, (f) => { if (f.ply === n.ply + more.length) last = f })
      return last
    }
    this.review = new ReviewPanel(box, r, this.desk, nodes, {
      value: async (n) => {
        const line = (await said(n))?.lines[0]
        return line && scoreFor(line)
      },
      chance: async (n, more, seat) => {
        const f = await said(n, more)
        const own = chanceOf(f?.lines[0], r.slope)
        return own === undefined || f?.by === (seat === 0 ? 'first' : 'second') ? own : 100 - own
      },
      stop: () => this.stop(),
    })
    for (const t of r.turns) {
      const last = nodes.findLast((n) => n.turn === nodes[t.ply + 1]?.turn)
      if (last) last.mark = t.mark
    }
    this.desk.redraw()
  }

  /** Whether a move that was tried is taken back, because a better one is sought. */
  tried(at: Node, moves: readonly string[]): boolean {
    return this.review?.tried(at, moves) === true
  }
}
