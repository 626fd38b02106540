// The list of moves of a page with variations: the main line as a grid with an entry
// for each turn, each variation below the turn in which it begins. Of what was drawn before
// only what has changed is drawn again.

import { mainLine, signOf, turnBegins, variations, type Node, type Run, type Tree } from './tree.ts'
import { html } from '../panel.ts'
import { forced, gained, widen } from './moves.ts'
import type { View } from '../wire.ts'
import { number, say, sayAnalysis } from './words.ts'

const deepest = 4

/** A piece of an entry: a decision, or a text. */
type Piece = { readonly n: Node; readonly numbered: boolean } | { readonly text: string; readonly as?: string }

interface Entry {
  /** What it was known by when it was drawn last. */
  readonly key: string
  readonly as: string
  readonly pieces: readonly Piece[]
}

/** What was drawn of a list: links by their nodes, entries by their keys. */
interface Drawn {
  readonly links: Map<number, { readonly a: HTMLAnchorElement; said: string }>
  readonly entries: Map<string, { readonly li: HTMLElement; pieces: readonly (string | number)[] }>
}

const drawn = new WeakMap<HTMLElement, Drawn>()

const nameOf = (n: Node): string => {
  const name = n.step?.name ?? ''
  return (n.step?.steps?.[0] === '-' ? say('pass') : name) + (n.step?.refused ? '?' : '') + noteOf(n)
}

/** The sign of a move, that of a review where nobody has given it one, and whether more is said of it. */
const noteOf = (n: Node): string => {
  const [sign, rest] = signOf(n.comment)
  return (sign || n.mark ? ` ${sign || n.mark}` : '') + (rest ? ' ✎' : '')
}

const begins = (n: Node): boolean => n.parent === undefined || turnBegins(n.parent)

/** How many boxes are closed on a board of dots. */
const boxes = (v: View | undefined): number => (v?.shape === 'dots' ? (v.score?.[0] ?? 0) + (v.score?.[1] ?? 0) : 0)

function mainEntry(turn: readonly Node[]): Entry {
  const by = turn.find((n) => n.step?.by === 'first' || n.step?.by === 'second')?.step?.by
  const pieces: Piece[] = []
  turn.forEach((n, i) => {
    if (i > 0 && !nameOf(n).startsWith('/')) pieces.push({ text: ' ' })
    pieces.push({ n, numbered: i === 0 })
  })
  const more = gained(turn.reduce((sum, n) => sum + boxes(n.view) - boxes(n.parent?.view), 0))
  if (more) pieces.push({ text: more })
  const used = turn.reduce((sum, n) => sum + (n.step?.used ?? 0), 0) / 1000
  if (used >= 0.05) pieces.push({ text: ' ' }, { text: number(used, 1), as: 'used' })
  const quiet = turn[0]?.step?.opening || forced(turn.map((n) => n.step)) ? ' quiet' : ''
  return { key: `main ${turn[0]?.id}`, as: `by-${by === 'first' ? 0 : by === 'second' ? 1 : -1}${quiet}`, pieces }
}

function sideEntry(r: Run): Entry {
  const pieces: Piece[] = [{ text: sayAnalysis('variation'), as: 'hidden' }]
  r.nodes.forEach((n, i) => pieces.push({ text: ' ' }, { n, numbered: i === 0 || begins(n) }))
  return { key: `side ${r.nodes[0]?.id}`, as: `side side-${Math.min(r.depth, deepest)}`, pieces }
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
function link(was: Drawn, now: Drawn, n: Node, numbered: boolean): HTMLAnchorElement {
  const name = nameOf(n)
  const said = `${numbered} ${name} ${n.comment ?? ''}`
  const x = was.links.get(n.id) ?? { a: linkTo(n), said: '' }
  now.links.set(n.id, x)
  const { a } = x
  if (x.said === said) return a
  x.said = said
  a.replaceChildren(...(numbered ? [html('span', 'no', String(n.turn)), ' '] : []), name)
  if (a.title !== (n.comment ?? '')) a.title = n.comment ?? ''
  return a
}

const nameOfPiece = (p: Piece): string | number => ('n' in p ? p.n.id : `${p.as ?? ''} ${p.text}`)

/** Draws an entry: behind what has stayed the same, all that follows. */
function drawEntry(was: Drawn, now: Drawn, e: Entry): HTMLElement {
  const x = was.entries.get(e.key) ?? { li: document.createElement('li'), pieces: [] }
  now.entries.set(e.key, x)
  const pieces = e.pieces.map(nameOfPiece)
  const made = e.pieces.map((p) => ('n' in p ? link(was, now, p.n, p.numbered) : p))
  let same = 0
  while (same < pieces.length && pieces[same] === x.pieces[same]) same++
  while (x.li.childNodes.length > same) x.li.lastChild?.remove()
  x.li.append(...made.slice(same).map((p) => (p instanceof HTMLElement ? p : p.as ? html('span', p.as, p.text) : p.text)))
  x.pieces = pieces
  if (x.li.className !== e.as) x.li.className = e.as
  return x.li
}

/** Makes a list of entries. */
function draw(list: HTMLElement, entries: readonly Entry[]): void {
  const was = drawn.get(list) ?? { links: new Map(), entries: new Map() }
  const now: Drawn = { links: new Map(), entries: new Map() }
  const items = entries.map((e) => drawEntry(was, now, e))
  drawn.set(list, now)
  const stay = new Set<Element>(items)
  for (const li of [...list.children]) if (!stay.has(li)) li.remove()
  let at = list.firstElementChild
  for (const li of items) {
    if (li === at) at = at.nextElementSibling
    else list.insertBefore(li, at)
  }
}

/** Draws the strip: the main line, with an entry for each turn. */
export const drawTreeStrip = (strip: HTMLElement, t: Tree): void => draw(strip, inTurns(mainLine(t)).map(mainEntry))

/** Draws the list, and returns the nodes by what their links name. */
export function drawTree(list: HTMLElement, t: Tree): Map<string, Node> {
  const entries: Entry[] = []
  const nodes = new Map<string, Node>([[String(t.root.id), t.root]])
  const line = mainLine(t)
  for (const turn of inTurns(line)) {
    entries.push(mainEntry(turn))
    for (const n of turn) {
      nodes.set(String(n.id), n)
      for (const r of variations(n.parent ?? t.root)) {
        entries.push(sideEntry(r))
        for (const x of r.nodes) nodes.set(String(x.id), x)
      }
    }
  }
  widen(list, line.map(nameOf))
  draw(list, entries)
  return nodes
}
