// A game with variations: positions as nodes, each with the decision that led to it. It
// knows no rules and no page; boards and legal steps come from the hall.

import type { Deal, ReplayStep, Result, Said, TreeStepView, View } from '../wire.ts'

export interface Node {
  readonly id: number
  readonly parent: Node | undefined
  /** How many decisions led here, and how many turns, the one that goes on included. */
  readonly ply: number
  readonly turn: number
  readonly step: ReplayStep | undefined
  /** Its board, once the hall has shown it. */
  view: View | undefined
  /** It belongs to the record, and cannot be removed. */
  readonly recorded: boolean
  /** The first child is how the line goes on. */
  readonly children: Node[]
  /** The child that was looked at last. */
  latest?: Node | undefined
  /** What may be decided here, once the hall has said so. */
  legal?: readonly string[] | undefined
  deals?: readonly Deal[] | undefined
  result?: Result | undefined
  /** How a review judges the turn that ends here. */
  mark?: string | undefined
  /** What was written of it: a sign such as !? first, if it has one. */
  comment?: string | undefined
}

/** A run of the list of moves: decisions in a row, and how deep the line is nested. */
export interface Run {
  readonly depth: number
  readonly nodes: readonly Node[]
}

/** Whether what is decided in a position begins a turn. */
export const turnBegins = (n: Node): boolean => n.step?.ended ?? n.step === undefined

const textOf = (s: ReplayStep | undefined): string => s?.steps?.[0] ?? ''

/** How many positions a tree has at most. */
export const mostNodes = 5000

export class Tree {
  readonly root: Node
  private made = 0

  /** The line of a record: its boards and the decisions between them. */
  constructor(views: readonly View[], steps: readonly ReplayStep[], result?: Result) {
    this.root = this.node(undefined, undefined, views[0], true)
    let at = this.root
    steps.forEach((s, i) => { at = this.put(at, this.node(at, s, views[i + 1], true)) })
    if (result) at.result = result
  }

  private node(parent: Node | undefined, step: ReplayStep | undefined, view: View | undefined, recorded: boolean): Node {
    const turn = parent ? parent.turn + (turnBegins(parent) ? 1 : 0) : 0
    return { id: ++this.made, parent, ply: parent ? parent.ply + 1 : 0, turn, step, view, recorded, children: [], comment: step?.comment }
  }

  private put(at: Node, child: Node): Node {
    at.children.push(child)
    return child
  }

  /** The continuation of a position by a decision, if there is one. */
  find(at: Node, text: string): Node | undefined {
    return at.children.find((c) => textOf(c.step) === text)
  }

  /** Adds a continuation, or returns the one that is there. */
  add(at: Node, step: ReplayStep, view: View): Node {
    return this.find(at, textOf(step)) ?? this.put(at, this.node(at, step, view, false))
  }

  /** Adds a line with its variations, without boards. */
  grow(from: Node, steps: readonly TreeStepView[]): void {
    let at = from
    for (const { variations: beside, ...step } of steps) {
      const n = this.find(at, textOf(step)) ?? this.put(at, this.node(at, step, undefined, false))
      if (step.comment) n.comment = step.comment
      for (const v of beside ?? []) this.grow(at, v)
      at = n
    }
  }

  /** How many positions there are. */
  get size(): number { return formerly(this.root).length }

  /** Removes a line from this node on, unless it is the record's; returns where it began. */
  remove(n: Node): Node {
    if (n.recorded || !n.parent) return n
    const list = n.parent.children
    list.splice(list.indexOf(n), 1)
    if (n.parent.latest === n) n.parent.latest = undefined
    return n.parent
  }

  /** The first node of the variation that a node stands in, undefined in the main line. */
  begins(n: Node): Node | undefined {
    for (let at: Node = n; at.parent; at = at.parent) if (at.parent.children[0] !== at) return at
    return undefined
  }

  /** Puts a variation before the one above it, but never before what was recorded. */
  promote(n: Node): boolean {
    const first = this.begins(n)
    const list = first?.parent?.children
    if (!first || !list) return false
    const i = list.indexOf(first)
    if (i < 1 || list[i - 1]?.recorded) return false
    list.splice(i - 1, 2, first, list[i - 1]!)
    return true
  }

  /** Whether promote would do something. */
  promotable(n: Node): boolean {
    const first = this.begins(n)
    const list = first?.parent?.children ?? []
    const i = first ? list.indexOf(first) : 0
    return i > 0 && !list[i - 1]?.recorded
  }
}

/** The nodes from the beginning to a node, both included. */
export function path(n: Node): Node[] {
  const out: Node[] = []
  for (let at: Node | undefined = n; at; at = at.parent) out.push(at)
  return out.reverse()
}

/** The decisions that lead to a node. */
export const movesTo = (n: Node): string[] => path(n).slice(1).map((x) => textOf(x.step))

/** The latest report of each seat up to a node. */
export function saidUntil(n: Node): (Said | undefined)[] {
  const steps = path(n).map((x) => x.step)
  const of = (by: string) => steps.findLast((s) => s?.by === by && s.said)?.said
  return [of('first'), of('second')]
}

/** What both seats have taken up to a node, in milliseconds. */
export function usedUntil(n: Node): [number, number] {
  const of = (by: string) => path(n).reduce((sum, x) => sum + (x.step?.by === by ? x.step.used ?? 0 : 0), 0)
  return [of('first'), of('second')]
}

/** How the line goes on: as it was looked at last, else as it stands first. */
export const next = (n: Node): Node | undefined => n.latest ?? n.children[0]

/** The end of the line through a node. */
export function endOf(n: Node): Node {
  let at = n
  for (let on = next(at); on; on = next(at)) at = on
  return at
}

/** The latest node before this one, or itself, that was recorded. */
export function home(n: Node): Node {
  let at = n
  while (!at.recorded && at.parent) at = at.parent
  return at
}

/** Remembers the way to a node, so that going back and on stays in its line. */
export function remember(n: Node): void {
  for (let at = n; at.parent; at = at.parent) at.parent.latest = at
}

/** The node so many decisions on, or back. */
export function walk(n: Node, by: number): Node {
  let at = n
  for (let k = by; k < 0 && at.parent; k++) at = at.parent
  for (let k = by; k > 0; k--) at = next(at) ?? at
  return at
}

/** The end of the turn that goes on or comes next, or the beginning of the one that went on or came last. */
export function walkTurn(n: Node, forward: boolean): Node {
  let at = n
  for (;;) {
    const to = forward ? next(at) : at.parent
    if (!to) return at
    at = to
    if (turnBegins(at)) return at
  }
}

/** So many turns on, or back. */
export function walkTurns(n: Node, by: number): Node {
  let at = n
  for (let k = Math.abs(by); k > 0; k--) at = walkTurn(at, by > 0)
  return at
}

/** The variations that begin instead of a node of the line above them, each followed by
    those within it. */
export function variations(at: Node, depth = 1): Run[] {
  const out: Run[] = []
  for (const first of at.children.slice(1)) {
    const nodes = [first]
    for (let n = first.children[0]; n; n = n.children[0]) nodes.push(n)
    out.push({ depth, nodes })
    for (const n of nodes) out.push(...variations(n, depth + 1))
  }
  return out
}

/** The line that stands first, without the beginning. */
export function mainLine(t: Tree): Node[] {
  const out: Node[] = []
  for (let n = t.root.children[0]; n; n = n.children[0]) out.push(n)
  return out
}

const written = (n: Node): TreeStepView => {
  const { comment: _, ...step } = n.step!
  return { ...step, ...(n.comment && { comment: n.comment }) }
}

/** The line after a position as it stands first, with its variations. */
export function lineOf(from: Node): TreeStepView[] {
  const out: TreeStepView[] = []
  for (let n = from; n.children[0]; n = n.children[0]) {
    const beside = n.children.slice(1).map((o) => [written(o), ...lineOf(o)])
    out.push({ ...written(n.children[0]), ...(beside.length > 0 && { variations: beside }) })
  }
  return out
}

/** A tree as it was: what may be undone leads back to it. */
export type Former = readonly { readonly node: Node; readonly children: readonly Node[]; readonly comment: string | undefined }[]

export function formerly(root: Node): Former {
  const out: { node: Node; children: readonly Node[]; comment: string | undefined }[] = []
  const left = [root]
  for (let n = left.pop(); n; n = left.pop()) {
    out.push({ node: n, children: [...n.children], comment: n.comment })
    left.push(...n.children)
  }
  return out
}

/** Makes a tree what it was, and returns the node nearest to one that is shown. */
export function restore(was: Former, at: Node): Node {
  for (const { node, children, comment } of was) {
    node.children.splice(0, Infinity, ...children)
    node.comment = comment
    if (node.latest && !children.includes(node.latest)) node.latest = undefined
  }
  const there = new Set(was.map((x) => x.node))
  return path(at).findLast((n) => there.has(n)) ?? path(at)[0]!
}

/** The sign that a comment begins with, and the rest of it. */
export function signOf(comment: string | undefined): [sign: string, rest: string] {
  const m = /^(!!|\?\?|!\?|\?!|!|\?)(?:\s+|$)([^]*)/.exec(comment ?? '')
  return m ? [m[1]!, m[2]!] : ['', comment ?? '']
}
