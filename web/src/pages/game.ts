// The page of a game: steps by buttons, keys, the list of moves and the curves; what
// engines said follows the ply.

import type { KibitzBoard } from '../element.ts'
import '../board.ts'
import type { Entry, Pair, Result, Said, State, View } from '../wire.ts'
import { byId, setText } from './dom.ts'
import { drawSaid, scoreOf } from './said.ts'
import { boardWords } from './words.ts'

interface Step extends Entry {
  readonly name: string
  readonly said?: Said
  readonly comment?: string
}

interface Replay {
  readonly spec: string
  readonly names: Pair<string>
  readonly controls: Pair<string>
  readonly views: readonly View[]
  readonly steps: readonly Step[]
  readonly result?: Result
}

const page = document.querySelector<HTMLElement>('.viewer')
const board = byId<KibitzBoard>('board')
const game = page?.dataset['game'] ?? ''
let ply = Number(page?.dataset['ply'] ?? 0)
let replay: Replay | undefined
let playing = 0

function stateAt(r: Replay, n: number): State {
  const end = n === r.steps.length && r.result ? { result: r.result } : {}
  return { game, attempt: 1, seq: n + 1, for: 'public', spec: r.spec, names: r.names, controls: r.controls, history: r.steps.slice(0, n), at: 0, ...(r.views[n] && { view: r.views[n] }), ...end }
}

/** The latest report of each seat up to a ply. */
function saidUntil(r: Replay, n: number): (Said | undefined)[] {
  const of = (by: string) => r.steps.slice(0, n).findLast((s) => s.by === by && s.said)?.said
  return [of('first'), of('second')]
}

/** Goes to a ply; the step before it is shown as it was made. */
function go(to: number): void {
  const r = replay
  if (!r || !board) return
  const n = Math.min(Math.max(to, 0), r.steps.length)
  const from = ply
  ply = n
  const step = r.steps[n - 1]
  const view = r.views[n]
  if (n === from + 1 && step && view && board.state?.seq === n) {
    board.advance({ prev: n, seq: n + 1, at: 0, entries: [step], view, ...(n === r.steps.length && r.result ? { result: r.result } : {}) })
  } else {
    board.show(stateAt(r, n))
  }
  mark(r, n)
}

function mark(r: Replay, n: number): void {
  setText(byId('ply'), `${n} / ${r.steps.length}`)
  for (const a of document.querySelectorAll<HTMLAnchorElement>('#moves a[data-ply]')) {
    const here = Number(a.dataset['ply']) === n
    if (here) {
      a.setAttribute('aria-current', 'true')
      const list = a.closest<HTMLElement>('.moves')
      if (list) list.scrollTop = a.offsetTop - list.clientHeight / 2
    } else a.removeAttribute('aria-current')
  }
  const box = byId('said')
  const lines = byId('lines')
  if (box && lines) lines.hidden = !drawSaid(box, r.names, saidUntil(r, n), r.views[n])
  for (const a of document.querySelectorAll<HTMLAnchorElement>('a[data-picture], #share')) a.href = a.href.replace(/ply=\d+/, `ply=${n}`)
  for (const i of document.querySelectorAll<HTMLInputElement>('.keep [name=ply]')) i.value = String(n)
  const embed = byId<HTMLInputElement>('embed')
  if (embed) embed.value = embed.value.replace(/ply=\d+/, `ply=${n}`)
  history.replaceState(null, '', `?ply=${n}`)
}

const steps: Readonly<Record<string, (n: number, all: number) => number>> = {
  first: () => 0,
  back: (n) => n - 1,
  on: (n) => n + 1,
  last: (_, all) => all,
  fast: (n) => n + 10,
  slow: (n) => n - 10,
}

const keys: Readonly<Record<string, string>> = {
  ArrowLeft: 'back', a: 'back', ArrowRight: 'on', d: 'on', ArrowUp: 'slow', w: 'slow', ArrowDown: 'fast', s: 'fast', Home: 'first', End: 'last',
}

function key(e: KeyboardEvent): void {
  if (e.altKey || e.ctrlKey || e.metaKey || (e.target as Element).closest('input, select, textarea')) return
  const way = steps[keys[e.key] ?? '']
  if (!way || !replay) return
  e.preventDefault()
  go(way(ply, replay.steps.length))
}

function play(button: HTMLButtonElement): void {
  const swap = button.textContent ?? ''
  button.textContent = button.dataset['on'] ?? ''
  button.dataset['on'] = swap
  if (playing) {
    clearInterval(playing)
    playing = 0
    return
  }
  if (replay && ply >= replay.steps.length) go(0)
  playing = window.setInterval(() => {
    if (replay && ply < replay.steps.length) go(ply + 1)
    else play(button)
  }, 700)
}

async function curves(r: Replay): Promise<void> {
  const panel = byId('curves')
  const [a, b] = [byId('curve-score'), byId('curve-time')]
  if (!panel || !a || !b) return
  const list = r.steps.map((s) => ({ seat: s.by === 'first' ? 0 : s.by === 'second' ? 1 : -1, score: scoreOf(s.said), used: s.used === undefined ? undefined : s.used / 1000 }))
  const scored = list.some((x) => x.score !== undefined)
  const timed = list.some((x) => (x.used ?? 0) > 0)
  if (!scored && !timed) return
  const { Curves } = await import('./chart.ts')
  panel.hidden = false
  new Curves(a, b, r.names, go).draw(list)
  a.hidden = !scored
  b.hidden = !timed
}

async function start(): Promise<void> {
  const r = await fetch(`/games/${encodeURIComponent(game)}/replay`)
  if (!r.ok) return
  replay = (await r.json()) as Replay
  go(ply)
  void curves(replay)
  for (const id of ['play', 'turn']) byId(id)?.removeAttribute('hidden')
}

if (page && board) {
  board.words = boardWords()
  if (page.dataset['running'] !== undefined) {
    board.addEventListener('kibitz-over', () => location.reload())
  } else {
    document.addEventListener('keydown', key)
    page.addEventListener('click', (e) => {
      const a = (e.target as Element).closest<HTMLElement>('[data-go], [data-ply]')
      if (!a || a === page || !replay) return
      e.preventDefault()
      const way = steps[a.dataset['go'] ?? '']
      go(way ? way(ply, replay.steps.length) : Number(a.dataset['ply']))
    })
    byId<HTMLButtonElement>('play')?.addEventListener('click', (e) => play(e.currentTarget as HTMLButtonElement))
    byId('turn')?.addEventListener('click', () => board.setAttribute('turned', String((Number(board.getAttribute('turned') ?? 0) + 2) & 3)))
    void start()
  }
}
