// The list of moves of a page with variations: the main line as a grid, each variation
// below the move that it stands instead of.

import { mainLine, variations, type Node, type Run, type Tree } from './tree.ts'
import { number, say, sayAnalysis } from './words.ts'

const deepest = 4

function link(n: Node, text: string): HTMLAnchorElement {
  const a = document.createElement('a')
  a.href = `?ply=${n.ply}`
  a.dataset['node'] = String(n.id)
  const no = document.createElement('span')
  no.className = 'no'
  no.textContent = String(n.ply)
  a.append(no, ` ${text}`)
  return a
}

const nameOf = (n: Node): string => {
  const name = n.step?.name ?? ''
  return (n.step?.steps?.[0] === '-' ? say('pass') : name) + (n.step?.refused ? '?' : '')
}

function mainItem(n: Node): HTMLElement {
  const li = document.createElement('li')
  li.className = `by-${n.step?.by === 'first' ? 0 : n.step?.by === 'second' ? 1 : -1}${n.step?.opening ? ' quiet' : ''}`
  li.append(link(n, nameOf(n)))
  const used = (n.step?.used ?? 0) / 1000
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
  label.textContent = sayAnalysis('variation') ?? ''
  li.append(label)
  for (const n of r.nodes) li.append(' ', link(n, nameOf(n)))
  return li
}

/** Draws the list anew, and returns the nodes by what their links name. */
export function drawTree(list: HTMLElement, t: Tree): Map<string, Node> {
  const items: HTMLElement[] = []
  const nodes = new Map<string, Node>([[String(t.root.id), t.root]])
  let before = t.root
  for (const n of mainLine(t)) {
    items.push(mainItem(n))
    nodes.set(String(n.id), n)
    for (const r of variations(before)) {
      items.push(sideItem(r))
      for (const x of r.nodes) nodes.set(String(x.id), x)
    }
    before = n
  }
  for (const r of variations(before)) items.push(sideItem(r))
  list.replaceChildren(...items)
  return nodes
}
