// The script of the gallery: boards of all games, each with the frames of a game that a
// test can let go on. Query: only=NAME,NAME  copies=N  mini=1  and attributes of the board.

import { defineBoard, KibitzBoard } from '../src/board.ts'
import type { Ask, Delta, State } from '../src/wire.ts'
import { board as english } from '../words/lang/en.json'

interface Frame {
  readonly kind: 'view' | 'delta' | 'seat'
  readonly data: unknown
}

interface Shown {
  readonly name: string
  readonly frames: readonly Frame[]
}

/** A board of the gallery with what comes next. */
interface Exhibit {
  readonly board: KibitzBoard
  readonly frames: readonly Frame[]
  next: number
  readonly answers: unknown[]
}

declare global {
  interface Window {
    exhibits: Record<string, Exhibit>
    /** Gives a board its next frame; false after the last. */
    step(name: string): boolean
    /** Lets a game go on until its board is asked for a step, and returns that of the record;
     * nothing at the end. */
    untilAsked(name: string): string
    ready: boolean
  }
}

const query = new URLSearchParams(location.search)
window.exhibits = {}

defineBoard(english)

window.step = (name) => {
  const x = window.exhibits[name]
  const f = x?.frames[x.next]
  if (!x || !f) return false
  x.next++
  if (f.kind === 'view') x.board.show(f.data as State)
  else if (f.kind === 'delta') {
    if (!x.board.advance(f.data as Delta)) throw new Error(`${name}: a frame is missing`)
  } else x.board.ask(f.data as Ask)
  return true
}

window.untilAsked = (name) => {
  const x = window.exhibits[name]!
  const asked = () => {
    const f = x.frames[x.next - 1]!
    const latest = x.answers.at(-1) as { prompt: number } | undefined
    return f.kind === 'seat' && (f.data as { prompt: number }).prompt !== latest?.prompt
  }
  while (!asked()) if (!window.step(name)) return ''
  const e = (x.frames[x.next]?.data as { entries: { steps?: string[]; notices?: { move?: string }[] }[] }).entries[0]!
  return e.steps?.[0] ?? e.notices?.find((y) => y.move)?.move ?? ''
}

function add(main: Element, s: Shown): void {
  const board = new KibitzBoard()
  board.id = s.name
  for (const key of ['mini', 'still', 'pieces', 'board', 'numbers', 'chains', 'plain', 'turned', 'moves', 'no-premove']) {
    const value = query.get(key)
    if (value !== null) board.setAttribute(key, value)
  }
  const answers: unknown[] = []
  board.addEventListener('kibitz-answer', (e) => answers.push((e as CustomEvent<unknown>).detail))
  const section = document.createElement('section')
  const head = document.createElement('h2')
  head.textContent = s.name
  section.append(head, board)
  main.append(section)
  window.exhibits[s.name] = { board, frames: s.frames, next: 0, answers }
  window.step(s.name)
  if (s.frames[1]?.kind === 'seat') window.step(s.name)
}

const list = (await (await fetch('/gallery.json')).json()) as Shown[]
const only = query.get('only')?.split(',')
const main = document.querySelector('main')!
const chosen = list.filter((s) => !only || only.includes(s.name))
const copies = Number(query.get('copies') ?? chosen.length)
for (let i = 0; i < copies; i++) {
  const s = chosen[i % chosen.length]
  if (s) add(main, i < chosen.length ? s : { ...s, name: `${s.name}-${i}` })
}
requestAnimationFrame(() => requestAnimationFrame(() => { window.ready = true }))
