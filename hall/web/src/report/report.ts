// The page of a report, one file that needs nothing beside itself: its curves, the table of its games, and
// games move by move. Curves, marks and what a review says are those of the hall's pages.

import { analysis, script } from '../../words/lang/en.json'
import { html } from '../panel.ts'
import { Chart, Curves, type Line, type Sample } from '../pages/chart.ts'
import { byId } from '../pages/dom.ts'
import { reviewed } from '../pages/reviewed.ts'
import { carry } from '../pages/words.ts'
import type { Review } from '../wire.ts'

/** What package report writes into the page. */
interface Data {
  readonly engines: readonly string[]
  readonly texts: readonly string[]
  readonly games: readonly Row[]
  readonly charts: readonly Drawn[] | null
  readonly kinds: readonly string[]
  readonly viewers: readonly Shown[]
}

/** Identifier, round, engines, way, reason, detail, plies, microseconds of both, of lateness and of transmission
    error, opening, record, log, number of the viewer, closed. */
type Row = readonly [string, number, number, number, number, number, string, number, number, number, number, number, number, number, number, number, number]

interface Drawn {
  readonly id: string
  readonly across: string
  readonly up: string
  readonly x: readonly number[]
  readonly curves: readonly { readonly name: string; readonly y: readonly (number | null)[]; readonly colour: number; readonly thin?: boolean }[]
  readonly band?: readonly [number, number]
}

/** A game move by move, as viewer.go says. */
interface Shown {
  readonly id: string
  readonly names: readonly [string, string]
  readonly result: string
  readonly ground: number
  readonly m: readonly string[]
  readonly b: string
  readonly t: readonly (number | null)[]
  readonly e: readonly (number | null)[]
  readonly s: readonly string[]
  readonly d: readonly (number | null)[]
  readonly x: readonly (readonly number[])[]
  readonly p: readonly (readonly number[])[]
  readonly n: readonly string[]
  /** Its turns are those of the game. */
  readonly r?: Review
}

carry({ analysis, script })
const data = JSON.parse(byId('data')!.textContent!) as Data
const $ = <T extends HTMLElement = HTMLElement>(id: string): T => byId<T>(id)!

function span(us: number): string {
  const d = (x: number) => (x < 10 ? x.toFixed(2) : x < 100 ? x.toFixed(1) : x.toFixed(0))
  if (us <= 0) return '0'
  if (us < 1e3) return `${d(us)} µs`
  if (us < 1e6) return `${d(us / 1e3)} ms`
  if (us < 6e7) return `${d(us / 1e6)} s`
  const s = Math.round(us / 1e6)
  const h = Math.floor(s / 3600)
  return `${h ? `${h} h ` : ''}${Math.floor(s / 60) % 60} min ${s % 60} s`
}

for (const box of document.querySelectorAll<HTMLElement>('[data-chart]')) {
  const c = data.charts?.find((x) => x.id === box.dataset['chart'])
  if (!c) continue
  const lines = c.curves.map((k): Line => ({ kind: `c${k.colour % 8}`, name: k.name, ...(k.thin && { dashed: true }) }))
  const chart = new Chart(box, `${c.up} · ${c.across}`, lines, () => undefined)
  chart.band = c.band
  chart.draw(c.x, c.curves.map((k) => k.y))
}

// The table of games.
const listed = 100
const ways = ['1–0', '0–1', '½–½', '–']
const shown = { engine: '', other: '', way: '', reason: '', text: '' }
type Choice = keyof typeof shown
let [sort, down, first] = [0, false, 0]
let rows: readonly Row[] = []
const opening = (g: Row): string => data.texts[g[12]] ?? ''
const reason = (g: Row): string => data.texts[g[5]] ?? ''
const sorts: readonly ((g: Row) => string | number)[] = [
  (g) => g[0], (g) => g[1], (g) => data.engines[g[2]] ?? '', (g) => data.engines[g[3]] ?? '', (g) => g[4], reason, (g) => g[7], (g) => g[8], (g) => g[9], (g) => g[10], (g) => g[11], opening, (g) => data.texts[g[13]] ?? '',
]

function choose(): void {
  const { engine, other, way } = shown
  const find = shown.text.toLowerCase()
  const plays = (g: Row, e: string) => e === '' || g[2] === Number(e) || g[3] === Number(e)
  rows = data.games.filter((g) => plays(g, engine) && plays(g, other) && (engine === '' || engine !== other) && (way === '' || g[4] === Number(way)) &&
    (shown.reason === '' || g[5] === Number(shown.reason)) && `${g[0]} ${opening(g)} ${g[6]} ${reason(g)}`.toLowerCase().includes(find))
  const key = sorts[sort]!
  const sign = down ? -1 : 1
  if (sort || down) rows = rows.toSorted((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0))
  first = 0
  list()
}

function link(text: string, href: string): HTMLAnchorElement {
  const a = html('a', '', text)
  a.href = href
  return a
}

function row(g: Row): HTMLElement {
  const td = (kind: string, ...children: readonly (Node | string)[]) => html('td', kind, ...children)
  const small = (text: string) => (text ? [html('small', '', text)] : [])
  return html('tr', '',
    td('id', g[15] ? link(g[0], `#view-${g[15]}`) : g[0]), td('n', String(g[1])), td('', data.engines[g[2]] ?? ''), td('', data.engines[g[3]] ?? ''), td('n score', ways[g[4]] ?? ''),
    td('', reason(g), ...small(g[6]), ...small(g[16] ? 'shown when its shuffle is published' : '')), td('n', String(g[7])),
    ...[g[8], g[9], g[10], g[11]].map((us) => td('n', span(us))), td('', opening(g)),
    td('files', ...(g[13] ? [link('record', data.texts[g[13]]!), ' '] : []), ...(g[14] ? [link('log', data.texts[g[14]]!)] : [])))
}

function list(): void {
  const none = html('td', '', 'No game fits.')
  none.colSpan = 13
  $<HTMLTableElement>('list').tBodies[0]!.replaceChildren(...(rows.length > 0 ? rows.slice(first, first + listed).map(row) : [html('tr', '', none)]))
  $('p-where').textContent = rows.length ? `${first + 1}–${Math.min(first + listed, rows.length)} of ${rows.length}` : 'none'
  const off = (id: string, on: boolean) => { $<HTMLButtonElement>(id).disabled = on }
  for (const id of ['p-first', 'p-prev']) off(id, first === 0)
  for (const id of ['p-last', 'p-next']) off(id, first + listed >= rows.length)
}

/** Shows the games that fit, and what was chosen. */
function chosen(choice: Partial<typeof shown>): void {
  Object.assign(shown, { engine: '', other: '', way: '', reason: '', text: '' }, choice)
  for (const k of Object.keys(shown) as Choice[]) $<HTMLInputElement>(`f-${k}`).value = shown[k]
  choose()
}

function startList(): void {
  const option = (select: string, value: number, text: string) => $(select).append(Object.assign(html('option', '', text), { value: String(value) }))
  data.engines.forEach((n, i) => { option('f-engine', i, n); option('f-other', i, n) })
  for (const r of [...new Set(data.games.map((g) => g[5]))].sort((a, b) => (data.texts[a]! < data.texts[b]! ? -1 : 1))) option('f-reason', r, data.texts[r] || '–')
  for (const k of Object.keys(shown) as Choice[]) $(`f-${k}`).addEventListener('input', (e) => { shown[k] = (e.target as HTMLInputElement).value; choose() })
  $('f-clear').addEventListener('click', () => chosen({}))
  const pages: Readonly<Record<string, () => number>> = { first: () => 0, prev: () => first - listed, next: () => first + listed, last: () => Math.floor((rows.length - 1) / listed) * listed }
  for (const [id, to] of Object.entries(pages)) $(`p-${id}`).addEventListener('click', () => { first = Math.max(0, to()); list() })
  for (const th of document.querySelectorAll<HTMLElement>('#list th')) {
    const b = button(th.textContent ?? '', () => {
      const n = Number(th.dataset['sort'])
      down = sort === n && !down
      sort = n
      for (const o of document.querySelectorAll('#list th')) o.removeAttribute('aria-sort')
      th.setAttribute('aria-sort', down ? 'descending' : 'ascending')
      choose()
    })
    th.replaceChildren(b)
  }
  $('filter').hidden = $('pager').hidden = false
  choose()
}

function button(text: string, press: () => void, kind = ''): HTMLButtonElement {
  const b = html('button', kind, text)
  b.type = 'button'
  b.addEventListener('click', press)
  return b
}

// A game move by move.
let game: Shown | undefined
let turn = -1
let timer = 0
let men: Element
let here = new Map<string, Element>()
let curves: Curves | undefined
const over = ['mark', 'ring', 'dot', 'try']

/** Changes what stands on the board as a turn did. */
function put(g: Shown, n: number): void {
  const each = (flat: readonly number[], act: (key: string, kind: string, x: number, y: number) => void) => {
    for (let i = 0; i < flat.length; i += 3) {
      const [k, x, y] = flat.slice(i) as [number, number, number]
      act(`${k} ${x} ${y}`, data.kinds[k]!, x, y)
    }
  }
  each(g.x[n]!, (key) => {
    here.get(key)?.remove()
    here.delete(key)
  })
  each(g.p[n]!, (key, kind, x, y) => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', 'use')
    for (const [name, value] of [['href', `#kb-${kind}`], ['x', String(x)], ['y', String(y)]] as const) e.setAttribute(name, value)
    if (over.includes(kind)) men.append(e)
    else men.prepend(e)
    here.set(key, e)
  })
}

/** Shows the position after so many turns. */
function go(wish: number): void {
  const g = game
  if (!g) return
  const last = g.x.length - 1
  const n = Math.max(0, Math.min(last, wish))
  if (n < turn) {
    men.replaceChildren()
    here = new Map()
    turn = -1
  }
  while (turn < n) put(g, ++turn)
  $('v-note').textContent = g.n.slice(0, n + 1).findLast((x) => x) ?? ''
  $<HTMLInputElement>('v-ply').value = String(n)
  const [said, used] = [g.s[n - 1], g.t[n - 1]]
  $('v-where').textContent = `${n} of ${last}${said ? `, says ${said}` : ''}${used ? `, ${span(used * 1e3)}` : ''}`
  const moves = $('v-moves')
  moves.querySelector('[aria-current]')?.removeAttribute('aria-current')
  const li = moves.children[n] as HTMLElement | undefined
  if (li) {
    li.firstElementChild?.setAttribute('aria-current', 'step')
    const top = li.offsetTop - moves.offsetTop
    if (top < moves.scrollTop || top > moves.scrollTop + moves.clientHeight - 30) moves.scrollTop = top - 60
  }
  curves?.mark(n)
  for (const id of ['v-start', 'v-back']) $<HTMLButtonElement>(id).disabled = n === 0
  for (const id of ['v-end', 'v-next']) $<HTMLButtonElement>(id).disabled = n === last
}

function stop(): void {
  clearInterval(timer)
  timer = 0
  $('v-play').textContent = 'Play'
}

function goes(n: number): void {
  stop()
  go(n)
}

/** What is known of each turn, as its engine sees it. */
const samples = (g: Shown): Sample[] => g.m.map((_, i) => {
  const seat = Number(g.b[i] === '-' ? -1 : g.b[i])
  const [e, t, d] = [g.e[i], g.t[i], g.d[i]]
  return { seat, score: e === null || e === undefined ? undefined : seat === 1 ? -e : e, used: t === null || t === undefined ? undefined : t / 1000, depth: d ?? undefined }
})

function open(n: number): void {
  const g = data.viewers[n - 1]
  if (!g) return
  stop()
  game = g
  $('viewer').hidden = false
  $('v-title').textContent = `${g.id}: ${g.names[0]} – ${g.names[1]}`
  $('v-result').textContent = g.result
  ;[...$('grounds').children].forEach((e, i) => { (e as HTMLElement).hidden = i !== g.ground })
  men = $('grounds').children[g.ground]!.querySelector('.men')!
  men.replaceChildren()
  here = new Map()
  turn = -1
  $<HTMLInputElement>('v-ply').max = String(g.x.length - 1)
  const marks = new Map(g.r?.turns.map((t) => [t.ply, t.mark]))
  $('v-moves').replaceChildren(html('li', '', button('start', () => goes(0))), ...g.m.map((m, i) => html('li', '', button(`${i + 1} ${m}${marks.get(i) ? ` ${marks.get(i)}` : ''}`, () => goes(i + 1), `by${g.b[i]}`))))
  $('v-review').hidden = !g.r
  $('v-review').replaceChildren(...(g.r ? reviewed(g.r, g.names, { played: (t) => g.m[t.ply] ?? '', best: (t) => t.best.join(' ') }, (t) => [button(analysis['review.show'], () => goes(t.ply + 1))]) : []))
  curves?.close()
  const list = samples(g)
  const have = { score: list.some((x) => x.score !== undefined), time: list.some((x) => x.used), depth: list.some((x) => x.depth) }
  for (const [kind, on] of Object.entries(have)) $(`v-${kind}`).hidden = !on
  curves = new Curves(Object.fromEntries(Object.entries(have).flatMap(([kind, on]) => (on ? [[kind, $(`v-${kind}`)]] : []))), g.names, goes)
  curves.draw(list)
  go(Infinity)
  $('viewer').scrollIntoView()
  $('viewer').focus({ preventScroll: true })
}

function startViewer(viewer: HTMLElement): void {
  const acts: Readonly<Record<string, () => void>> = { start: () => goes(0), back: () => goes(turn - 1), next: () => goes(turn + 1), end: () => goes(Infinity) }
  for (const [id, act] of Object.entries(acts)) $(`v-${id}`).addEventListener('click', act)
  $('v-ply').addEventListener('input', (e) => goes(Number((e.target as HTMLInputElement).value)))
  $('v-play').addEventListener('click', () => {
    if (timer) return stop()
    const last = () => turn === (game?.x.length ?? 1) - 1
    if (last()) go(0)
    $('v-play').textContent = 'Pause'
    timer = window.setInterval(() => {
      go(turn + 1)
      if (last()) stop()
    }, 500)
  })
  viewer.addEventListener('keydown', (e) => {
    const act = acts[{ ArrowLeft: 'back', ArrowRight: 'next', Home: 'start', End: 'end' }[e.key] ?? '']
    if (!act || (e.target as Element).tagName === 'INPUT' || e.altKey || e.ctrlKey || e.metaKey) return
    e.preventDefault()
    act()
  })
}

// Links within the page: to a game, to the games of a pair.
function follow(): void {
  const view = /^#view-(\d+)$/.exec(location.hash)
  const pair = /^#pair-(\d+)-(\d+)$/.exec(location.hash)
  if (view) open(Number(view[1]))
  if (!pair || data.games.length === 0) return
  chosen({ engine: pair[1]!, other: pair[2]! })
  $('games').scrollIntoView()
}

if (data.games.length > 0) startList()
const viewer = byId('viewer')
if (viewer) startViewer(viewer)
addEventListener('hashchange', follow)
document.addEventListener('click', (e) => { // a second click on the same link
  if ((e.target as Element).closest("a[href^='#']")?.getAttribute('href') === location.hash) follow()
})
follow()
