// The list of moves of a page with variations: the main line as a grid with an entry
// for each turn, each variation below the turn in which it begins. Of what was drawn before
// only what has changed is drawn again.

import { mainLine, signOf, turnBegins, variations, type Node, type Run, type Tree } from './tree.ts'
import { html } from '../panel.ts'
import { forced, gained } from './moves.ts'
import type { View } from '../wire.ts'
import { moveName, number, say, sayAnalysis } from './words.ts'

const deepest = 4

/** A piece of an entry: the link of a decision, or a text behind its class, such as 'used 1.2'. */
type Piece = HTMLAnchorElement | `${string} ${string}`

interface Entry {
  /** Its decisions, of which it is known by the first. */
  readonly nodes: readonly Node[]
  readonly as: string
  readonly pieces: readonly Piece[]
}

/** What was drawn of a list, by nodes: links with what was said of them, and entries. */
interface Drawn {
  readonly links: WeakMap<Node, { readonly a: HTMLAnchorElement; numbered?: boolean; comment?: string | undefined; mark?: string | undefined }>
  readonly entries: WeakMap<Node, { readonly li: HTMLElement; pieces: readonly Piece[] }>
}

const drawn = new WeakMap<HTMLElement, Drawn>()
const shown = new WeakMap<HTMLElement, Node>()

/** The node that a link of a list shows. */
export const nodeOf = (link: HTMLElement): Node | undefined => shown.get(link)

const nameOf = (n: Node): string => {
  const name = n.step?.name ?? ''
  return (n.step?.steps?.[0] === '-' ? say('pass') : moveName(name)) + (n.step?.refused ? '?' : '') + noteOf(n)
}

/** The sign of a move, that of a review where nobody has given it one, and whether more is said of it. */
const noteOf = (n: Node): string => {
  const [sign, rest] = signOf(n.comment)
  return (sign || n.mark ? ` ${sign || n.mark}` : '') + (rest ? ' ✎' : '')
}

const begins = (n: Node): boolean => n.parent === undefined || turnBegins(n.parent)

/** How many boxes are closed on a board of dots. */
const boxes = (v: View | undefined): number => (v?.shape === 'dots' ? (v.score?.[0] ?? 0) + (v.score?.[1] ?? 0) : 0)

function mainEntry(d: Drawn, nodes: readonly Node[]): Entry {
  const by = nodes.find((n) => n.step?.by === 'first' || n.step?.by === 'second')?.step?.by
  const pieces: Piece[] = []
  nodes.forEach((n, i) => {
    if (i > 0 && !nameOf(n).startsWith('/')) pieces.push('  ')
    pieces.push(link(d, n, i === 0))
  })
  const more = gained(nodes.reduce((sum, n) => sum + boxes(n.view) - boxes(n.parent?.view), 0))
  if (more) pieces.push(` ${more}`)
  const used = nodes.reduce((sum, n) => sum + (n.step?.used ?? 0), 0) / 1000
  if (used >= 0.05) pieces.push('  ', `used ${number(used, 1)}`)
  const quiet = nodes[0]?.step?.opening || forced(nodes.map((n) => n.step)) ? ' quiet' : ''
  return { nodes, as: `by-${by === 'first' ? 0 : by === 'second' ? 1 : -1}${quiet}`, pieces }
}

function sideEntry(d: Drawn, { nodes, depth }: Run): Entry {
  const pieces: Piece[] = [`hidden ${sayAnalysis('variation')}`]
  nodes.forEach((n, i) => pieces.push('  ', link(d, n, i === 0 || begins(n))))
  return { nodes, as: `side side-${Math.min(depth, deepest)}`, pieces }
}

/** The turns of a line, each with its decisions. */
function inTurns(line: readonly Node[]): Node[][] {
  const out: Node[][] = []
  for (const n of line) {
    const turn = out.at(-1)
    if (turn?.[0]?.turn === n.turn) turn.push(n)
    else out.push([n])
  }
  return out
}

function linkTo(n: Node): HTMLAnchorElement {
  const a = document.createElement('a')
  a.href = `?ply=${n.ply}`
  a.dataset['node'] = String(n.id)
  if (n.recorded) a.dataset['ply'] = String(n.ply)
  return a
}

/** A decision as a link; the first of a turn, or of a line, has the turn's number. */
function link(d: Drawn, n: Node, numbered: boolean): HTMLAnchorElement {
  let x = d.links.get(n)
  if (!x) {
    d.links.set(n, x = { a: linkTo(n) })
    shown.set(x.a, n)
  }
  if (x.numbered === numbered && x.comment === n.comment && x.mark === n.mark) return x.a
  Object.assign(x, { numbered, comment: n.comment, mark: n.mark })
  x.a.replaceChildren(...(numbered ? [html('span', 'no', String(n.turn)), ' '] : []), nameOf(n))
  if (x.a.title !== (n.comment ?? '')) x.a.title = n.comment ?? ''
  return x.a
}

function made(p: Piece): HTMLElement | string {
  if (typeof p !== 'string') return p
  const at = p.indexOf(' ')
  return at > 0 ? html('span', p.slice(0, at), p.slice(at + 1)) : p.slice(1)
}

/** Draws an entry: behind what has stayed the same, all that follows. */
function drawEntry(d: Drawn, e: Entry): HTMLElement {
  const first = e.nodes[0]!
  let x = d.entries.get(first)
  if (!x) d.entries.set(first, x = { li: document.createElement('li'), pieces: [] })
  const { li, pieces } = x
  let same = 0
  while (same < e.pieces.length && e.pieces[same] === pieces[same]) same++
  if (same < e.pieces.length || same < pieces.length) {
    while (li.childNodes.length > same) li.lastChild?.remove()
    li.append(...e.pieces.slice(same).map(made))
    x.pieces = e.pieces
  }
  if (li.className !== e.as) li.className = e.as
  return li
}

/** What was drawn of a list before. */
function drawnOf(list: HTMLElement): Drawn {
  let d = drawn.get(list)
  if (!d) drawn.set(list, d = { links: new WeakMap(), entries: new WeakMap() })
  return d
}

/** Makes a list of entries. */
function draw(list: HTMLElement, d: Drawn, entries: readonly Entry[]): void {
  const items = entries.map((e) => drawEntry(d, e))
  const stay = new Set<Element>(items)
  for (const li of [...list.children]) if (!stay.has(li)) li.remove()
  let at = list.firstElementChild
  for (const li of items) {
    if (li === at) at = at.nextElementSibling
    else list.insertBefore(li, at)
  }
}

/** Draws the strip: the main line, with an entry for each turn. */
export function drawTreeStrip(strip: HTMLElement, t: Tree): void {
  const d = drawnOf(strip)
  draw(strip, d, inTurns(mainLine(t)).map((turn) => mainEntry(d, turn)))
}

/** Draws the list. */
export function drawTree(list: HTMLElement, t: Tree): void {
  const d = drawnOf(list)
  const line = mainLine(t)
  draw(list, d, inTurns(line).flatMap((turn) => [
    mainEntry(d, turn),
    ...turn.flatMap((n) => variations(n.parent ?? t.root)).map((r) => sideEntry(d, r)),
  ]))
}
