// A picture of a board: layers in one SVG element, of which only what has changed is
// touched.

import type { Look } from '../games/look.ts'
import { pieceOf } from '../games/looks.ts'
import { middle, type Layout } from '../layout.ts'
import { spotOf, type Spot } from '../step.ts'
import type { Board } from '../state.ts'
import type { Entry, Point, View } from '../wire.ts'
import { chainItems } from './chains.ts'
import { drawn } from './figures.ts'
import { dotsAbove, ground } from './ground.ts'
import { wayOf } from './loops.ts'
import { advice, nearby, arrows, decided, ghosts, hints, lines, numbers, over, under, ways } from './marks.ts'
import { fade, land, run, source, timeOf, turn, walks, type Liveliness } from './motion.ts'
import { defs } from './pieces.ts'
import { el, Layer, n, type Tools } from './svg.ts'

/** Games that are looked at are not animated where the next move comes so soon, in milliseconds. */
const hasty = 250

interface Piece {
  readonly group: SVGElement
  readonly body: SVGElement
}

/** How a board is drawn, beside what is on it. */
export interface Manner {
  /** The set of pieces. */
  readonly style: string
  readonly numbered: boolean
  readonly aid: boolean
  readonly moves: Liveliness
}

export class Picture {
  readonly root: SVGElement
  readonly tools: Tools
  readonly #base = el('g', { class: 'kb-ground' })
  readonly #dots = el('g', { class: 'kb-dots' })
  readonly #leaving = el('g', { class: 'kb-leaving' })
  readonly #stand = el('g', { class: 'kb-pieces' })
  readonly #layers = {
    aid: new Layer('aid'), under: new Layer('under'), ways: new Layer('ways'), lines: new Layer('lines'), over: new Layer('over'), decided: new Layer('decided'), numbers: new Layer('numbers'),
    hints: new Layer('hints'), ghosts: new Layer('ghosts'), arrows: new Layer('arrows'),
  }

  readonly #cross = el('path', { class: 'kb-cross-hair' })
  #pieces = new Map<number, Piece>()
  /** One body of each piece that has been drawn, to be copied. */
  readonly #bodies = new Map<string, SVGElement>()
  #ground = ''
  #style = ''
  #drawn: View | undefined
  #carried: Piece | undefined
  /** What moves, until the next move ends it, and when the latest one came. */
  readonly #moving: Animation[] = []
  #moved = -Infinity

  constructor(id: string) {
    this.tools = { id: (name) => `${id}-${name}`, url: (name) => `url(#${id}-${name})` }
    const y = this.#layers
    const drawing = el('g', { 'aria-hidden': 'true', 'id': this.tools.id('drawing') },
      this.#base, y.aid.group, y.under.group, y.ways.group, y.lines.group, this.#leaving, this.#stand, this.#dots,
      y.decided.group, y.over.group, y.numbers.group, y.hints.group, y.ghosts.group, y.arrows.group, this.#cross)
    this.root = el('svg', { class: 'kb-picture', xmlns: 'http://www.w3.org/2000/svg' }, defs(this.tools), drawing)
  }

  /** Draws a board. entries are what has been told since the last time, to be animated. */
  draw(b: Board, l: Layout, v: View, look: Look, how: Manner, entries: readonly Entry[]): void {
    const key = JSON.stringify([l, v.columns, v.rows, v.ground, v.loops])
    if (key !== this.#ground || how.style !== this.#style) {
      this.#ground = key
      this.#style = how.style
      this.#reset(l, v)
    }
    const y = this.#layers
    y.under.set(under(b, l, v, look))
    if (v !== this.#drawn) {
      const hurry = b.state?.for === 'public' && performance.now() - this.#moved < hasty
      if (entries.length > 0) this.#moved = performance.now()
      for (const a of this.#moving.splice(0)) a.finish()
      this.#putPieces(l, v, look, entries, hurry ? 'none' : how.moves)
      if (v.shape === 'dots') y.lines.set(lines(l, v))
      this.#drawn = v
    }
    y.over.set(over(l, v, look, how.numbered))
    y.aid.set(how.aid && look.aid === 'chains' ? chainItems(l, v) : [])
    y.decided.set(decided(l, v))
    y.numbers.set(how.numbered && look.number !== 'none' && b.state ? numbers(b.state, l, v, look.number) : [])
    y.hints.set(hints(b, l, v, look))
    y.ghosts.set(ghosts(b, l))
    y.arrows.set([...nearby(b, l), ...advice(b, l), ...arrows(b, l)])
    y.ways.set(ways(l, v, look))
  }

  #reset(l: Layout, v: View): void {
    this.root.setAttribute('viewBox', `0 0 ${n(l.w)} ${n(l.h)}`)
    this.#base.replaceChildren(...ground(this.tools, l, v))
    this.#dots.replaceChildren(...(v.shape === 'dots' ? dotsAbove(l, v) : []))
    for (const layer of Object.values(this.#layers)) layer.clear()
    this.#stand.replaceChildren()
    this.#leaving.replaceChildren()
    this.#pieces = new Map()
    this.#bodies.clear()
    this.#drawn = undefined
  }

  /** Sets the pieces that differ from those that stand. */
  #putPieces(l: Layout, v: View, look: Look, entries: readonly Entry[], moves: Liveliness): void {
    const moving = this.#drawn !== undefined && entries.length > 0 && moves !== 'none'
    const all = moving && moves === 'all'
    const from = moving ? walks(entries) : new Map<Spot, Point>()
    const centre = moving ? source(entries) : undefined
    const left = new Set([...from.values()].map(spotOf))
    for (let i = 0; i < v.pieces.length; i++) {
      const letter = v.pieces[i] ?? '.'
      const owner = v.owners[i] ?? '-'
      if (letter === (this.#drawn?.pieces[i] ?? '.') && owner === (this.#drawn?.owners[i] ?? '-')) continue
      const old = this.#pieces.get(i)
      const at: Point = [i % v.width, Math.floor(i / v.width)]
      const spot = spotOf(at)
      const start = from.get(spot)
      if (letter === '.') {
        this.#pieces.delete(i)
        if (old) this.#remove(old, all && !left.has(spot), 0)
        continue
      }
      const piece = this.#make(l, v, look, at, letter, owner)
      this.#pieces.set(i, piece)
      if (!moving || !all && !start) {
        old?.group.remove()
      } else if (start) {
        const way = (v.path && wayOf(l, v.path)) ?? [middle(l, start[0], start[1]), middle(l, at[0], at[1])]
        this.#stand.append(piece.group)
        const ms = timeOf(v.path)
        this.#moving.push(run(piece.body, way, ms))
        if (old) this.#remove(old, true, ms * 0.8)
      } else if (old) {
        this.#leaving.append(old.group)
        const far = centre ? Math.max(Math.abs(centre[0] - at[0]), Math.abs(centre[1] - at[1])) : 0
        const both = turn(old.body, piece.body, far)
        this.#moving.push(...both)
        this.#gone(old, both[1])
      } else {
        this.#moving.push(land(piece.body))
      }
    }
  }

  #remove(old: Piece, slowly: boolean, wait: number): void {
    if (!slowly) {
      old.group.remove()
      return
    }
    this.#leaving.append(old.group)
    const a = fade(old.body, wait)
    this.#moving.push(a)
    this.#gone(old, a)
  }

  /** Takes a piece away at the end of what moves. */
  #gone(old: Piece, a: Animation): void {
    const end = () => old.group.remove()
    a.finished.then(end, end)
  }

  #make(l: Layout, v: View, look: Look, at: Point, letter: string, owner: string): Piece {
    const [x, y] = v.shape === 'dots' ? middle(l, at[0] + 0.5, at[1] + 0.5) : middle(l, at[0], at[1])
    const sign = letter + owner
    const one = this.#bodies.get(sign) ?? el('g', { class: 'kb-body' }, ...drawn(this.tools, pieceOf(look, letter), letter, owner, this.#style))
    this.#bodies.set(sign, one)
    const body = one.cloneNode(true) as SVGElement
    const group = el('g', { class: 'kb-piece', transform: `translate(${n(x)} ${n(y)})` }, body)
    this.#stand.append(group)
    return { group, body }
  }

  /** Lets the piece on a point follow a place of the picture; without one it goes back. */
  carry(l: Layout, v: View, p: Point | undefined, to: Point | undefined): void {
    const piece = p && this.#pieces.get(p[1] * v.width + p[0])
    if (this.#carried && this.#carried !== piece) this.#carried.body.removeAttribute('transform')
    this.#carried = piece
    if (!piece || !p || !to) return
    const [x, y] = middle(l, p[0], p[1])
    piece.body.setAttribute('transform', `translate(${n(to[0] - x)} ${n(to[1] - y)})`)
    if (this.#stand.lastChild !== piece.group) this.#stand.append(piece.group)
  }

  /** Shows the row and the column of a point, or takes them away. */
  point(l: Layout, p: Point | undefined): void {
    const at = p && middle(l, p[0], p[1])
    this.#cross.setAttribute('d', at ? `M0 ${n(at[1])}H${n(l.w)}M${n(at[0])} 0V${n(l.h)}` : '')
  }

  /** The place of the screen over a place of the picture, and how many pixels a unit has. */
  onScreen(p: Point): { readonly at: Point; readonly scale: number } | undefined {
    const m = (this.root as SVGSVGElement).getScreenCTM()
    if (!m) return undefined
    const q = new DOMPoint(p[0], p[1]).matrixTransform(m)
    return { at: [q.x, q.y], scale: m.a }
  }

  /** The place of the picture under a place of the screen. */
  locate(clientX: number, clientY: number): Point | undefined {
    const m = (this.root as SVGSVGElement).getScreenCTM()
    if (!m) return undefined
    const p = new DOMPoint(clientX, clientY).matrixTransform(m.inverse())
    return [p.x, p.y]
  }
}
