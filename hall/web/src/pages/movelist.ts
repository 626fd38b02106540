// The list of moves of a page with variations: the main line as a grid with an entry
// for each turn, each variation below the turn in which it begins.

import { mainLine, signOf, turnBegins, variations, type Node, type Run, type Tree } from './tree.ts'
import { forced, gained, widen } from './moves.ts'
import type { View } from '../wire.ts'
import { number, say, sayAnalysis } from './words.ts'

const deepest = 4

/** A decision as a link; the first of a turn, or of a line, has the turn's number. */
function link(n: Node, numbered: boolean): HTMLAnchorElement {
  const a = document.createElement('a')
  a.href = `?ply=${n.ply}`
  a.dataset['node'] = String(n.id)
  if (n.recorded) a.dataset['ply'] = String(n.ply)
  const no = document.createElement('span')
  no.className = 'no'
  no.textContent = String(n.turn)
  a.append(...(numbered ? [no, ' '] : []), nameOf(n))
  if (n.comment) a.title = n.comment
  return a
}

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

function mainItem(turn: readonly Node[]): HTMLElement {
  const li = document.createElement('li')
  const by = turn.find((n) => n.step?.by === 'first' || n.step?.by === 'second')?.step?.by
  li.className = `by-${by === 'first' ? 0 : by === 'second' ? 1 : -1}${turn[0]?.step?.opening || forced(turn.map((n) => n.step)) ? ' quiet' : ''}`
  turn.forEach((n, i) => li.append(...(i > 0 && !nameOf(n).startsWith('/') ? [' '] : []), link(n, i === 0)))
  li.append(gained(turn.reduce((sum, n) => sum + boxes(n.view) - boxes(n.parent?.view), 0)))
  const used = turn.reduce((sum, n) => sum + (n.step?.used ?? 0), 0) / 1000
  if (used >= 0.05) {
    const span = document.createElement('span')
    span.className = 'used'
    span.textContent = number(used, 1)
    li.append(' ', span)
  }
  return li
}

function sideItem(r: Run): HTMLElement {
  const li = document.createElement('li')
  li.className = `side side-${Math.min(r.depth, deepest)}`
  const label = document.createElement('span')
  label.className = 'hidden'
  label.textContent = sayAnalysis('variation')
  li.append(label)
  r.nodes.forEach((n, i) => li.append(' ', link(n, i === 0 || begins(n))))
  return li
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

/** Draws the strip anew: the main line, with an entry for each turn. */
export function drawTreeStrip(strip: HTMLElement, t: Tree): void {
  strip.replaceChildren(...inTurns(mainLine(t)).map(mainItem))
}

/** Draws the list anew, and returns the nodes by what their links name. */
export function drawTree(list: HTMLElement, t: Tree): Map<string, Node> {
  const items: HTMLElement[] = []
  const nodes = new Map<string, Node>([[String(t.root.id), t.root]])
  const line = mainLine(t)
  for (const turn of inTurns(line)) {
    items.push(mainItem(turn))
    for (const n of turn) {
      nodes.set(String(n.id), n)
      for (const r of variations(n.parent ?? t.root)) {
        items.push(sideItem(r))
        for (const x of r.nodes) nodes.set(String(x.id), x)
      }
    }
  }
  for (const r of variations(line.at(-1) ?? t.root)) items.push(sideItem(r))
  widen(list, line.map(nameOf))
  list.replaceChildren(...items)
  return nodes
}
