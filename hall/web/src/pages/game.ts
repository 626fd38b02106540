// The page of a game, and the analysis board: steps by buttons, keys, the list of moves
// and the curves; what engines said follows the position. Other moves may be played on
// the board, which make variations; what may be played the hall says.

import { defineBoard } from '../board.ts'
import type { KibitzBoard } from '../element.ts'
import { get } from '../net.ts'
import { textName } from '../names.ts'
import { turnsOf } from '../turns.ts'
import type { LineView, Replay, State } from '../wire.ts'
import type { Analysis } from './analysis.ts'
import { Bars } from './clock.ts'
import { byId, setText, startAloud, whileBusy } from './dom.ts'
import { shareOf, showGauge } from './gauge.ts'
import type { Curves } from './chart.ts'
import { drawTree, drawTreeStrip, nodeOf } from './movelist.ts'
import type { Editor } from './editor.ts'
import type { Explorer } from './explorer.ts'
import type { Panes } from './pane.ts'
import { kept } from './kept.ts'
import { kit } from './kit.ts'
import { post } from './post.ts'
import type { Study } from './study.ts'
import { drawSaid } from './said.ts'
import { holdSteps, paceOfKeys, playsBy } from './steps.ts'
import { endOf, home, mainLine, mostNodes, movesTo, next, path, remember, saidUntil, Tree, usedUntil, walk, walkTurn, walkTurns, type Node } from './tree.ts'
import { markCurrent, openedTab, openTab, startTabs } from './tabs.ts'
import { boardWords, say, sayAnalysis } from './words.ts'

defineBoard(boardWords())

const page = document.querySelector<HTMLElement>('.viewer')
const board = byId<KibitzBoard>('board')
const game = page?.dataset['game'] ?? ''
/** Variations and analyses; a board within another page has none. */
const plays = byId('analysis') !== null
let replay: Replay | undefined
let tree: Tree
let at: Node
let analysis: Analysis | undefined
let panes: Panes | undefined
let study: Study | undefined
let editor: Editor | undefined
let explorer: Explorer | undefined
/** The position that is to be shown when its board has come. */
let wanted: Node | undefined
let drawn: Curves | undefined
let asking = 0
let naming = 0
const [top_, bottom] = [byId('bar-top'), byId('bar-bottom')]
const bars = top_ && bottom ? new Bars(top_, bottom) : undefined

function stateOf(r: Replay, n: Node): State {
  const history = path(n).slice(1).flatMap((x) => x.step ?? [])
  return { game, attempt: 1, seq: n.ply + 1, for: 'public', spec: r.spec, names: r.names, controls: r.controls, history, at: 0, ...(n.view && { view: n.view }), ...(n.result && { result: n.result }) }
}

let opening: Promise<void> | undefined

/** Has the page keep what is made of its game. That of a game which nobody has touched is not loaded. */
const openStudy = (): Promise<void> => (opening ??= (async () => {
  const r = replay
  if (!plays || !r) return
  const { Study } = await import('./study.ts')
  study = await Study.open({ game, spec: r.spec, position: r.position ?? '', names: r.names, tree, kit, at: () => at, go, redraw: again, offer: offerButton }, new URLSearchParams(location.search).get('kept'))
  if (tree.root.children[0] && !tree.root.children[0].view) await fill(tree.root)
  again()
  study.show(at)
})())

/** Has engines of the hall asked; what does that is loaded when it is first wanted. */
async function openAnalysis(): Promise<Analysis | undefined> {
  const { Analysis } = await import('./analysis.ts')
  const r = replay
  if (!r || !board) return undefined
  return (analysis ??= new Analysis({
    game, board, kit, spec: r.spec, position: r.position ?? '', names: r.names, mine: Number(page?.dataset['mine'] ?? -1), reviewed: page?.dataset['reviewed'] !== undefined, at: () => at, go, redraw: again,
    advise: (list, played, near) => board.advise(list, near, played),
    play: (from, moves, stay) => void play(from, moves, stay),
  }))
}

/** The first press on what asks engines is done again once that is loaded. */
function firstPress(e: MouseEvent): void {
  const b = (e.target as Element).closest('button')
  if (analysis || !b) return
  e.preventDefault()
  e.stopPropagation()
  void whileBusy(b, openAnalysis()).then((a) => { if (a) b.click() }, () => setText(byId('analysis-state'), sayAnalysis('fault.failed')))
}

/** Lets a position be set up on the board. */
async function setUp(): Promise<void> {
  const r = replay
  const panel = byId('setup-panel')
  if (!r || !panel || !board || !at.view) return
  if (!editor) {
    const { Editor } = await import('./editor.ts')
    const first = r.position ? (await post('/api/v1/boards/line', { spec: r.spec }).then((a) => a.json()) as LineView).views[0] : tree.root.view
    editor ??= new Editor({ kit, spec: r.spec, board, state: (view) => ({ ...stateOf(r, tree.root), view }), view: () => at.view, start: () => first }, panel, at.view)
  }
  if (openedTab() !== 'setup') return // another one was chosen meanwhile
  clearTimeout(asking)
  editor.open()
}

/** Shows what was played here in the hall. */
async function explore(box: HTMLDetailsElement): Promise<void> {
  const r = replay
  if (!r) return
  const { Explorer } = await import('./explorer.ts')
  explorer ??= new Explorer(box, { kit, spec: r.spec, position: r.position ?? '', names: r.names, at: () => at, play: (step) => void play(at, [step]) })
  explorer.moved()
}

/** Goes to a position; the decision before it is shown as it was made. */
function go(n: Node): void {
  const r = replay
  if (!r || !board) return
  wanted = n
  editor?.close()
  if (!n.view) return void fill(n).then((done) => { if (done && wanted === n) go(n) })
  const from = at
  at = n
  remember(n)
  if (plays) board.ask({ game, attempt: 1, seat: 0, seq: 0, over: true }) // nothing may be chosen until it is known what
  const state = stateOf(r, n)
  const on = path(n).slice(from.ply + 1)
  if (on[0]?.parent === from && on.at(-1)?.turn === on[0].turn && n.view && board.state?.seq === from.ply + 1) {
    board.advance({ prev: from.ply + 1, seq: n.ply + 1, at: 0, entries: on.flatMap((x) => x.step ?? []), view: n.view, ...(n.result ? { result: n.result } : {}) })
  } else {
    board.show(state)
  }
  bars?.show(state, game === '' ? undefined : usedUntil(n))
  const heard = path(n).findLast((x) => x.step?.said)?.step
  showGauge(shareOf(heard?.said, heard?.by))
  mark(r, n)
  if (!plays) return
  study?.show(n)
  explorer?.moved()
  analysis?.moved()
  offer(n)
}

/** Lets moves be played in a position, once the hall has said which. */
function offer(n: Node): void {
  clearTimeout(asking)
  drawDeals(n)
  if (n.legal) {
    board?.ask({ game, attempt: 1, seat: 0, seq: 0, prompt: n.id, legal: n.legal })
    return
  }
  asking = window.setTimeout(() => {
    void line(movesTo(n), n.ply).then((l) => {
      if (l) know(n, l)
      if (l && at === n && !editor?.on) offer(n)
    })
  }, 120)
}

/** Has the hall show the boards of the line through a position that are not known yet. */
async function fill(n: Node): Promise<boolean> {
  const all = path(endOf(n))
  const k = all.findIndex((x) => !x.view)
  if (k < 0) return true
  const end = all[Math.min(all.length - 1, Math.max(n.ply, k + 400))]!
  const l = await line(movesTo(end), k)
  l?.views.forEach((v, i) => { all[k + i]!.view ??= v })
  if (l) know(end, l)
  return n.view !== undefined
}

function know(n: Node, l: LineView): void {
  n.legal = l.legal
  n.deals = l.deals
  n.result ??= l.result
}

/** Asks the hall about a line; what is wrong with it is told on the page. */
async function line(moves: readonly string[], from: number): Promise<LineView | undefined> {
  const r = replay
  if (!r) return undefined
  try {
    const a = await post('/api/v1/boards/line', { spec: r.spec, position: r.position ?? '', moves, from })
    fault(a.ok ? '' : a.status === 422 ? sayAnalysis('illegal') : sayAnalysis('cannot'))
    return a.ok ? ((await a.json()) as LineView) : undefined
  } catch {
    fault(sayAnalysis('cannot'))
    return undefined
  }
}

const fault = (text: string): void => setText(byId('variation-fault'), text)

/** Plays decisions on from a position and goes to the end, or stays where the board is. */
async function play(from: Node, moves: readonly string[], stay = false): Promise<void> {
  let n = from
  let k = 0
  for (let on = tree.find(n, moves[0] ?? ''); on && k < moves.length; on = tree.find(n, moves[k] ?? '')) {
    n = on
    k++
  }
  if (k < moves.length) {
    if (tree.size + moves.length - k > mostNodes) {
      board?.unanswered()
      return fault(sayAnalysis('full', { n: mostNodes }))
    }
    const [l] = await Promise.all([line([...movesTo(n), ...moves.slice(k)], n.ply), openStudy()])
    if (!l) {
      board?.unanswered()
      return
    }
    study?.before()
    l.steps.forEach((s, i) => {
      const v = l.views[i + 1]
      if (v) n = tree.add(n, s, v)
    })
    know(n, l)
    study?.changed()
    redraw()
  }
  if (stay) return again()
  go(n)
  if (n.legal?.length === 1 && n.legal[0] === '-') await play(n, ['-']) // a forced pass, as a referee plays it
}

function redraw(): void {
  const list = byId('moves')
  if (list) drawTree(list, tree)
  redrawStrip()
}

/** Draws the moves anew, and marks the one that is shown. */
function again(): void {
  redraw()
  if (replay) mark(replay, at)
}

function redrawStrip(): void {
  const strip = byId('strip')
  if (strip) drawTreeStrip(strip, tree)
}

/** Shows a button where it does something; the focus does not go with it. */
function offerButton(id: string, on: boolean): void {
  const b = byId(id)
  if (!b) return
  if (!on && document.activeElement === b) byId('moves')?.focus()
  b.hidden = !on
}

function mark(r: Replay, n: Node): void {
  const base = home(n)
  setText(byId('ply'), base === n || game === '' ? `${n.turn} / ${game === '' ? endOf(n).turn : turnsOf(r.steps).length}` : `${base.turn} + ${n.turn - base.turn}`)
  const here = `[data-node="${n.id}"]${n.recorded ? `, [data-ply="${n.ply}"]:not([data-node])` : ''}`
  for (const a of document.querySelectorAll('#moves [aria-current], #strip [aria-current]')) if (!a.matches(here)) a.removeAttribute('aria-current')
  const current = document.querySelectorAll<HTMLAnchorElement>(`:is(#moves, #strip) a:is(${here})`)
  for (const a of current) if (!a.hasAttribute('aria-current')) a.setAttribute('aria-current', 'true')
  const box = byId('said')
  const lines = byId('lines')
  const said = saidUntil(n)
  if (box && lines) lines.hidden = !drawSaid(box, ([0, 1] as const).map((i) => ({ seat: i, name: r.names[i], own: r.engines[i], said: said[i], ...(said[i] && n.step?.by === (i === 0 ? 'first' : 'second') && { state: say('moved') }) })), n.view, textName)
  panes?.goTo(...turnOf(base))
  drawn?.mark(base.turn)
  for (const a of document.querySelectorAll<HTMLAnchorElement>('a[data-picture]')) a.href = a.href.replace(/ply=\d+/, `ply=${base.ply}`)
  for (const i of document.querySelectorAll<HTMLInputElement>('.keep [name=ply]')) i.value = String(base.ply)
  const embed = byId<HTMLInputElement>('embed')
  if (embed) embed.value = embed.value.replace(/ply=\d+/, `ply=${base.ply}`)
  const where = address(r, n, base)
  const share = byId<HTMLAnchorElement>('share')
  if (share) share.href = where
  clearTimeout(naming)
  naming = window.setTimeout(() => history.replaceState(null, '', where), 100)
  offerButton('home', base !== n && game !== '')
  offerButton('promote', tree.promotable(n))
  offerButton('remove', !n.recorded)
  for (const scroll of [...current].map(toMiddle)) scroll()
}

/** Scrolls a list to a link of it. All are measured before any moves, so that the page is laid out once. */
function toMiddle(a: HTMLAnchorElement): () => void {
  const list = a.closest<HTMLElement>('.tab-panel, .strip')
  const [top, left] = [a.offsetTop - (list?.clientHeight ?? 0) / 2, a.offsetLeft - (list?.clientWidth ?? 0) / 2]
  return () => list?.scrollTo({ top, ...(list.classList.contains('strip') && { left }), behavior: 'instant' })
}

/** The address of a position: the ply of the record, and the moves of a variation. */
function address(r: Replay, n: Node, base: Node): string {
  const moves = movesTo(n)
  if (game === '') {
    const q = new URLSearchParams({ game: page?.dataset['spec'] ?? r.spec })
    if (r.position) q.set('position', r.position)
    if (study?.id) q.set('kept', study.id)
    if (moves.length > 0) q.set('moves', moves.join('_'))
    return `?${q.toString()}`
  }
  const q = new URLSearchParams({ ply: String(base.ply) })
  if (base !== n) q.set('line', moves.slice(base.ply).join('_'))
  return `?${q.toString()}`
}

/** What chance may decide, as buttons; what draws them is fetched when there are any. */
function drawDeals(n: Node): void {
  const [box, r, deals] = [byId('deals'), replay, n.deals ?? []]
  if (!box || !r) return
  box.hidden = deals.length === 0
  if (deals.length > 0) void import('./deals.ts').then((m) => { if (at === n) m.drawDeals(tree, stateOf(r, n), deals, (step) => void play(n, [step])) }, () => undefined)
}

const steps: Readonly<Record<string, (n: Node) => Node>> = {
  first: () => tree.root,
  back: (n) => walkTurns(n, -1),
  on: (n) => walkTurns(n, 1),
  partback: (n) => walk(n, -1),
  parton: (n) => walk(n, 1),
  last: (n) => endOf(n),
  fast: (n) => walkTurns(n, 10),
  slow: (n) => walkTurns(n, -10),
  home: (n) => {
    const base = home(n)
    base.latest = base.children.find((c) => c.recorded) // and on from there as it was played
    return base
  },
}

const keys: Readonly<Record<string, string>> = {
  ArrowLeft: 'back', a: 'back', ArrowRight: 'on', d: 'on', ArrowUp: 'slow', w: 'slow', ArrowDown: 'fast', s: 'fast', Home: 'first', End: 'last', g: 'home',
}

/** Keys of the engine. */
const engineKeys: Readonly<Record<string, (a: Analysis) => void>> = { 'l': (a) => a.toggle(), 'x': (a) => void a.threat(), ' ': (a) => a.best() }

/** Whether the record has come, and what was pressed before. */
let shown = false
const early: ((n: Node) => Node)[] = []
const inTime = paceOfKeys()

function key(e: KeyboardEvent): void {
  if (board?.hasAttribute('no-keys') && /^\S$/.test(e.key)) return
  if (editor?.on || e.defaultPrevented || e.altKey || e.ctrlKey || e.metaKey || (e.target as Element).closest('input, select, textarea')) return
  const engine = engineKeys[e.key]
  if (engine && plays && shown && !(e.target as Element).closest('button, a, summary')) {
    e.preventDefault()
    if (!e.repeat) void openAnalysis().then((a) => a && engine(a))
    return
  }
  const part = e.shiftKey && (e.key === 'ArrowLeft' || e.key === 'ArrowRight')
  const way = steps[(part ? 'part' : '') + (keys[e.key] ?? '')]
  if (!way) return
  e.preventDefault()
  if (!inTime(e)) return
  if (shown) go(way(at))
  else early.push(way)
}

/** Draws the curves once they are in sight. */
function curves(r: Replay): void {
  const panel = byId('engine-panel')
  if (!panel) return
  const seen = new IntersectionObserver(([e]) => {
    if (!e?.isIntersecting) return
    seen.disconnect()
    void import('./curves.ts').then(({ curvesOf }) => {
      drawn = curvesOf(r, turnsOf(r.steps), (ply) => go(recorded(ply)))
      drawn?.mark(home(at).turn)
    }, () => undefined)
  })
  seen.observe(panel)
}

/** The position of the record after so many decisions, the last one if it has fewer. */
const recorded = (ply: number): Node => [tree.root, ...mainLine(tree).filter((n) => n.recorded).slice(0, Math.max(0, ply))].at(-1) ?? tree.root

/** The decisions before the turn that led to a position of the record, and after it: at the end all that came. */
const turnOf = (n: Node): [number, number] => [walkTurn(n, false).ply, n.children.some((c) => c.recorded) ? n.ply : Infinity]

/** Shows what the engine of a seat printed, in step with the board. */
async function showConsole(a: HTMLAnchorElement): Promise<void> {
  const box = byId('console')
  if (!box) return
  const [{ Panes }] = await Promise.all([import('./pane.ts'), import('./log.ts')])
  panes ??= new Panes(box, true)
  markCurrent(document.querySelectorAll('#console-panel .switch a'), a)
  box.querySelector('[data-tool=log]')?.setAttribute('href', a.href)
  panes.goTo(...turnOf(home(at)))
  void panes.read(game, a.dataset['seat'] ?? '')
}

/** The record of the page; of an analysis board the line of its address. */
async function load(): Promise<Replay | undefined> {
  if (game !== '') {
    const r = await get(`/games/${encodeURIComponent(game)}/replay`)
    return r.ok ? ((await r.json()) as Replay) : undefined
  }
  const d = page?.dataset ?? {}
  replay = { spec: d['spec'] ?? '', position: d['position'] ?? '', names: [say('first'), say('second')], engines: ['', ''], controls: ['', ''], views: [], steps: [] }
  const l = await line([], 0)
  return l && { ...replay, spec: l.spec, views: l.views }
}

async function start(): Promise<void> {
  replay = await load()
  if (!replay || !board) return document.removeEventListener('keydown', key)
  tree = new Tree(replay.views, replay.steps, replay.result)
  at = tree.root
  const q = new URLSearchParams(location.search)
  const more = (game === '' ? page?.dataset['moves'] ?? '' : q.get('line') ?? '').split(/[_\s]+/).filter((m) => m !== '')
  if (plays) {
    if (board.getAttribute('moves') === 'confirm') board.removeAttribute('moves')
    byId('analysis')?.addEventListener('click', firstPress, { capture: true })
    byId('analysis')?.removeAttribute('hidden')
    byId('variations')?.removeAttribute('hidden')
  }
  if (plays && game === '') await openStudy()
  else redrawStrip()
  go(recorded(game === '' ? 0 : Number(page?.dataset['ply'] ?? 0)))
  shown = true
  for (const way of early) go(way(at))
  if (plays && more.length > 0) await play(at, more)
  else if (study && game === '' && study.last.length > 0) await play(at, study.last)
  if (q.has('review') && plays) {
    openTab('engine')
    void openAnalysis().then((a) => a?.whole())
  }
  if (plays && game !== '') void kept(`game-${game}`).then((k) => k && openStudy())
  for (const e of ['pointermove', 'pointerdown', 'keydown', 'focusin']) document.addEventListener(e, () => void openStudy(), { once: true })
  curves(replay)
  const base = byId<HTMLDetailsElement>('base')
  base?.addEventListener('toggle', () => void explore(base))
  if (base?.open) void explore(base)
  byId('tab-console')?.addEventListener('click', openConsole)
  if (openedTab() === 'console') openConsole() // chosen before the record was there
  if (openedTab() === 'setup') void setUp()
  const console = document.querySelector<HTMLAnchorElement>(`#console-panel .switch a[data-seat="${Number(q.get('console') ?? -1)}"]`)
  if (console) {
    openTab('console')
    if (document.querySelector<HTMLElement>('.tabs-button')?.offsetParent) byId('tabs')?.showPopover()
    void showConsole(console)
  }
  for (const id of ['play', 'turn', 'speed-field']) byId(id)?.removeAttribute('hidden')
}

/** Shows the console whose link is marked, once. */
function openConsole(): void {
  const a = document.querySelector<HTMLAnchorElement>('#console-panel .switch a[aria-current]')
  if (!panes && a) void showConsole(a)
}

/** Buttons and links of the page. */
function click(e: Event): void {
  const engine = (e.target as Element).closest<HTMLAnchorElement>('#console-panel .switch a')
  if (engine && replay) {
    e.preventDefault()
    return void showConsole(engine)
  }
  const tab = (e.target as Element).closest('[role=tab]')?.id
  if (tab === 'tab-setup') void setUp()
  else if (tab && editor?.on) go(at)
  const a = (e.target as Element).closest<HTMLElement>('[data-go], [data-ply], [data-node]')
  if (!a || a === page || !replay) return
  e.preventDefault()
  const way = steps[a.dataset['go'] ?? '']
  go(way ? way(at) : nodeOf(a) ?? recorded(Number(a.dataset['ply'])))
}

function edit(id: string, change: () => Node): void {
  byId(id)?.addEventListener('click', () => {
    study?.before()
    const n = change()
    study?.changed()
    redraw()
    go(n)
  })
}

if (page && board) {
  startTabs()
  startAloud()
  if (page.dataset['running'] !== undefined) {
    board.addEventListener('kibitz-over', () => location.reload())
    board.addEventListener('kibitz-state', (e) => bars?.show((e as CustomEvent<State>).detail))
  } else {
    document.addEventListener('keydown', key)
    page.addEventListener('click', click)
    holdSteps(page, (way) => { if (shown) go(steps[way]!(at)) })
    const playButton = byId<HTMLButtonElement>('play')
    if (playButton) playsBy(playButton, byId<HTMLSelectElement>('speed'), () => { if (!next(at)) go(tree.root) }, () => {
      go(walkTurns(at, 1))
      return next(at) !== undefined
    })
    board.addEventListener('kibitz-swipe', (e) => { if (shown) go(walkTurns(at, (e as CustomEvent<number>).detail)) })
    byId('turn')?.addEventListener('click', () => {
      board.setAttribute('turned', String((Number(board.getAttribute('turned') ?? 0) + 2) & 3))
      bars?.flip()
    })
    board.addEventListener('kibitz-answer', (e) => {
      const { prompt, steps: moves } = (e as CustomEvent<{ prompt: number; steps: readonly string[] }>).detail
      if (prompt === at.id && !analysis?.tried(at, moves)) void play(at, moves)
    })
    edit('promote', () => {
      tree.promote(at)
      return at
    })
    edit('remove', () => tree.remove(at))
    void start()
  }
}

