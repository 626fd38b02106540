// A room: its parts follow the hall, the board follows its game, and what belongs to the
// game (clocks, moves, engines, curves) follows the board.

import { defineBoard } from '../board.ts'
import type { KibitzBoard } from '../element.ts'
import { send } from '../live.ts'
import { pointName, textName } from '../names.ts'
import { oneAtATime, pause, refused } from '../net.ts'
import { nameOf } from '../say.ts'
import { parseStep } from '../step.ts'
import { turnsOf } from '../turns.ts'
import type { Ask, Entry, HallNews, Hint, Presence, Seat, State } from '../wire.ts'
import { known, text } from '../words.ts'
import { askText, mention, showAsks, withdrawn } from './asks.ts'
import type { Curves, Sample } from './chart.ts'
import { closeCard, fillCard, openCard, startCard } from './card.ts'
import { Bars, learnRating, timed } from './clock.ts'
import { Connection } from './connection.ts'
import { byId, fetchPart, replacePart, setText, startAloud, whileBusy } from './dom.ts'
import { shareOf, showGauge } from './gauge.ts'
import { closeMore, local, showSwitches, startTyping } from './more.ts'
import { drawMoves } from './moves.ts'
import type { Card } from './said.ts'
import type { Panes } from './pane.ts'
import type { Sound } from './sounds.ts'
import { markCurrent, openedTab, openTab, startTabs } from './tabs.ts'
import { scrollTalk, showNews, startTalk } from './talk.ts'
import { openStream, type Stream } from '../stream.ts'
import { setTitle, titleOf } from './title.ts'
import { boardWords, language, say, scoreOf } from './words.ts'

defineBoard(boardWords())

const page = document.querySelector<HTMLElement>('.room')
const room = page?.dataset['room'] ?? ''
const board = byId<KibitzBoard>('board')
const top_ = byId('bar-top')
const bottom = byId('bar-bottom')
let bars = top_ && bottom ? new Bars(top_, bottom, ran) : undefined
let curves: Curves | undefined
let withThird = false
let state: State | undefined
const scores = new Map<number, number>()
/** What the kibitzer said, by the number of steps before the position. */
const thirds = new Map<number, number>()

/** What the latest part of the room says. */
const told = (name: string): string => document.querySelector<HTMLElement>('.acts')?.dataset[name] ?? ''

/** How long a game may take to come, or to ask, until it is said for what it waits, in milliseconds. */
const late = 1500

/** When that time is over, by the clock of the page. */
let due = 0

/** Begins to wait. */
function expect(): void {
  due = performance.now() + late
  window.setTimeout(showLate, late + 10)
}

/** Says for what the game waits, if it is time: again with whatever comes, since hints have the same place. */
function showLate(): void {
  if (performance.now() < due || !told('game') || state?.result) return
  if (!state?.view) setText(byId('no-game'), told('late'))
  else if (state.view.seat === state.for && !asked?.prompt) setText(byId('hint'), told('late'))
}

function setGame(game: string): void {
  const none = byId('no-game')
  if (!board || game === '') return
  if (board.getAttribute('game') === game) return showLate()
  expect()
  setText(none, '')
  if (none) none.hidden = false // until the game shows
  if (!board.getAttribute('game')) sound('offer', say('came'))
  state = undefined
  before = [0, 0]
  asked = undefined
  arm(undefined)
  closeCard()
  closeMore()
  hint(undefined)
  for (const id of ['act-fault', 'answer', 'queue']) setText(byId(id), '')
  scores.clear()
  thirds.clear()
  byId('moves')?.replaceChildren()
  byId('strip')?.replaceChildren()
  if (top_ && bottom) bars = new Bars(top_, bottom, ran)
  connection.again()
  if (openedTab() === 'info') openTab('moves')
  board.setAttribute('game', game)
}

/** Shows a hint, or takes the latest one away; its words are fetched with the first one. */
function hint(h: Hint | undefined): void {
  if (h) return void import('./hints.ts').then((m) => board && asked?.hint === h && m.showHint(board, h, state?.view, { textName, pointName, parseStep }), () => undefined)
  board?.advise([], [])
  const line = byId('hint')
  if (line) line.textContent = line.title = line.dataset['level'] = ''
}

/** Has one's turns judged where the reader learns. */
function learn(s = state): void {
  if (s && document.querySelector('[data-act=learning][aria-pressed=true]')) {
    void import('./hints.ts').then((m) => {
      if (m.learn(s, turnsOf(s.history ?? []), asked, takesBack())) void send(s.game, 'acts', { act: 'judge', id: actID() })
    }, () => undefined)
  }
}

/** The seats by their numbers. */
const seats: readonly Seat[] = ['first', 'second']

/** The consoles of engines: one of them is shown, the first unless another was chosen. */
let consoles: Panes | undefined
let chosen = '0'

async function showConsole(): Promise<void> {
  const box = byId('console')
  const links = [...document.querySelectorAll<HTMLAnchorElement>('#room-consoles .switch a')]
  const link = links.find((a) => a.dataset['seat'] === chosen) ?? links[0]
  if (!box) return
  box.hidden = !link
  if (!link) return consoles?.close()
  if (!consoles) {
    const { Panes } = await import('./pane.ts')
    consoles ??= new Panes(box)
  }
  markCurrent(links, link)
  byId<HTMLAnchorElement>('console-pop')?.setAttribute('href', link.getAttribute('href') ?? '')
  consoles.open(link.dataset['game'] ?? '', link.dataset['seat'] ?? '', link.dataset['state'] ?? '')
}

/** The link of a switch that was pressed, which changes the page and leads nowhere. */
function switched(e: MouseEvent, at: string): HTMLAnchorElement | null {
  const a = e.ctrlKey || e.metaKey || e.shiftKey ? null : (e.target as Element).closest<HTMLAnchorElement>(`${at} .switch a`)
  if (a) e.preventDefault()
  return a
}

function switchConsole(e: MouseEvent): void {
  const a = switched(e, '#room-consoles')
  if (!a) return
  chosen = a.dataset['seat'] ?? '0'
  void showConsole()
}

/** The game that was over when the page came: one that is over after it is shown, however short it was. */
const passed = told('last')

/** Who wishes for a rematch, as the page says it. */
const wish = (): string => document.querySelector('#room-news .again')?.textContent ?? ''

/** Takes the parts of the room anew. */
const renew = oneAtATime(async () => {
  const fresh = await fetchPart(`/rooms/${encodeURIComponent(room)}/live?stats=${byId('room-stats')?.dataset['show'] ?? 'count'}`)
  const wished = wish()
  for (const part of fresh?.querySelectorAll<HTMLElement>('[data-part]') ?? []) {
    const old = byId(part.dataset['part'] ?? '')
    if (old?.classList.contains('bar')) learnRating(part)
    if (old?.classList.contains('bar') && (state ?? old.querySelector('.bar-clock')?.textContent)) continue // the game says more
    if (old?.querySelector('#console')) continue // it holds what engines have said
    const talk = old?.querySelector('.talk')
    const atEnd = !talk || talk.scrollTop + talk.clientHeight >= talk.scrollHeight - 30
    if (old && replacePart(old, part)) {
      if (atEnd) scrollTalk()
      if (old.id === 'room-chat') showNews()
    }
  }
  if (wish() && wish() !== wished) board?.voice.say(wish(), true)
  showSwitches()
  showArmed()
  showAsks(state, asked, () => state)
  showAble()
  if (state?.result && told('phase') === 'done') openCard(state) // of a series the end of the last game, to who looks on
  fillCard(state)
  if (state) showMoves(state)
  learn()
  void showConsole()
  setGame(told('game') || (told('last') === passed ? '' : told('last')))
  showTitle()
})

/** Says in the title of the tab how the game stands, or how the latest one ended. */
function showTitle(): void {
  const over = told('title')
  if (state) setTitle(titleOf(state, page?.dataset['kind'] ?? '', boardWords()))
  else if (over) setTitle(over)
}

/** Whether one sits in a game in which moves can be taken back. */
const takesBack = (): boolean => document.querySelector('.acts button[data-act=undo]') !== null

const showMoves = (s: State): void => drawMoves(byId('moves'), byId('strip'), s, takesBack())

function samples(s: State): Sample[] {
  return turnsOf(s.history ?? []).map((t) => ({
    third: thirds.get(t.after), seat: seats.indexOf(t.by), used: t.used / 1000,
    score: t.entries.map((_, i) => scores.get(t.before + i)).findLast((x) => x !== undefined),
  }))
}

/** Shows the cards of engines; what draws them is fetched when there are any. */
function showCards(s: State): void {
  const [box, lines, cards] = [byId('said'), byId('lines'), cardsOf(s)]
  if (!box || !lines || (lines.hidden && cards.every((c) => !c.said && !c.state))) return
  void import('./said.ts').then(({ drawSaid }) => { lines.hidden = !drawSaid(box, cards, s.view, textName) }, () => undefined)
}

/** The cards of the engines of a game. */
function cardsOf(s: State): Card[] {
  const doing = (seat: Seat) => (s.result ? '' : s.view?.seat !== seat || s.wait?.for === 'pause' ? say('card.waits') : s.wait?.for === 'processor' ? say('card.queued') : say('card.thinks'))
  return [
    ...seats.map((seat, i) => ({
      seat: i, name: s.names[i]!, said: s.said?.[i],
      ...((s.said?.[i] || document.querySelector(`#room-consoles a[data-seat="${i}"]`)) && { state: doing(seat) }),
    })),
    { seat: 2, name: say('kibitzer'), said: s.kibitz },
  ]
}

/** For what a game waits. */
function waitText({ wait, result }: State): string {
  if (!wait || result) return ''
  if (wait.for === 'pause') return say('paused', { name: wait.by ?? '' })
  if (wait.for === 'answer') return say('pausing')
  return wait.about ? say('wait.about', { n: wait.before, s: wait.about }) : say('wait', { n: wait.before })
}

/** Shows whether the game is paused, or will be, and says aloud when that changes. */
function showPause(before: State | undefined, s: State): void {
  const [was, is] = [before, s].map((x) => (x?.wait?.for === 'processor' || x?.result ? '' : x?.wait?.for ?? ''))
  page?.toggleAttribute('data-paused', is !== '')
  if (before && was !== is && !s.result) board?.voice.say(waitText(s) || say('goeson'), true)
}

/** Says aloud to which game one has come, with which colour, whose turn it is, and that keys tell more. */
function greet(s: State): void {
  const { view: v } = s
  const own = seats.indexOf(s.for as Seat)
  if (!v || !board || own < 0 || s.result) return
  const words = boardWords()
  const you: string = `you.${v.colours[own]}`
  board.voice.say(page?.dataset['kind'])
  if (known(words, you)) board.voice.say(text(words, you))
  board.voice.say(v.seat === s.for ? text(words, 'turn.yours') : text(words, 'turn.theirs', { name: nameOf(s, v.seat) }))
  if (!board.hasAttribute('no-keys')) board.voice.say(say('keys.how'))
}

/** Shows all that goes with a state of the game. */
function show(s: State): void {
  const before = state
  state = s
  if (!before?.view) greet(s)
  if (s.view?.seat !== before?.view?.seat) expect()
  const none = byId('no-game')
  if (none) none.hidden = s.view !== undefined
  if (s.view) document.querySelector('link[href*=waiting]')?.remove() // from now on there is a board to look at
  bars?.show(s)
  setText(byId('queue'), waitText(s))
  showPause(before, s)
  showAsks(state, asked, () => state)
  showMoves(s)
  showCards(s)
  const third = scoreOf(s.kibitz)
  if (s.kibitz && third !== undefined) thirds.set(s.kibitz.ply, third)
  const n = (s.history?.length ?? 0) - 1
  const by = s.history?.[n]?.by
  const said = by && s.said?.[seats.indexOf(by)]
  const score = scoreOf(said)
  showGauge(shareOf(s.kibitz ?? said, s.kibitz ? 'first' : by))
  if (score !== undefined && (before?.history?.length ?? 0) <= n) scores.set(n, score)
  void chart(s)
  showAble()
  showTitle()
  if (before?.view?.seat === s.for && s.view?.seat !== s.for) left = performance.now()
  const waited = performance.now() - left
  if (before) sound((m) => m.soundOf(before, s, waited, document.hidden), (s.asks ?? []).filter((x) => s.for !== seats[x.by]).map((x) => askText(s, x, false)).join(' '))
  learn()
  if (!s.result) return
  hint(undefined)
  setText(byId('answer'), '')
  if (seats.includes(s.for as Seat)) openCard(s)
}

/** When one's own latest turn ended. */
let left = performance.now()

/** What of a clock is said aloud when it comes to so many seconds, what was left to each seat when that was looked at
 * last, and the mark that was said last: not again before twice as much was left. */
const marks = [600, 60, 30, 10]
let before = [0, 0]
const marked = [Infinity, Infinity]

/** The second of one's clock that was heard last. */
let ticked = 0

/** A number of seconds in words. */
const span = (s: number): string => new Intl.NumberFormat(language(), { style: 'unit', unitDisplay: 'long', unit: s < 60 ? 'second' : 'minute' }).format(s < 60 ? s : s / 60)

/** Says when a clock comes to one of the marks. One's own last seconds but ten are heard, five of them. */
function ran(seat: 0 | 1, left: number): void {
  if (!state) return
  const mark = marks.findLast((s) => left <= s * 1000 && before[seat]! > s * 1000)
  before[seat] = left
  if (left > marked[seat]! * 2000) marked[seat] = Infinity
  if (mark && mark < marked[seat]!) {
    marked[seat] = mark
    board?.voice.say(say('clock', { name: state.names[seat], time: span(mark) }))
  }
  if (state.for !== seats[seat]) return
  const second = Math.ceil(left / 1000)
  if (second > 10 || second <= 5 || second === ticked) return
  ticked = second
  sound('tick')
}

/** Makes a sound, or the one that is found by what makes them, which is fetched for the first; in a tab
    that nobody looks at the browser may tell the same, and more. */
function sound(x: Sound | ((m: typeof import('./sounds.ts')) => Sound | undefined), more?: string): void {
  const silent = page?.dataset['sounds'] === undefined
  if (!page || (silent && !document.hidden)) return
  void import('./sounds.ts').then((m) => {
    const heard = typeof x === 'string' ? x : x(m)
    if (!heard) return
    m.call(heard, !!state && (timed(state, 0) || timed(state, 1)), more)
    if (!silent) m.play(heard, Number(page.dataset['volume'] ?? 50))
  }, () => undefined)
}

async function chart(s: State): Promise<void> {
  const panel = byId('curves')
  const [a, b] = [byId('curve-score'), byId('curve-time')]
  if (!panel || !a || !b || (s.history?.length ?? 0) < 2) return
  const drawing = await import('./chart.ts').catch(() => undefined) // what draws curves is fetched when there are any
  if (!drawing || state !== s) return // without a connection at the next state
  panel.hidden = false
  a.hidden = scores.size + thirds.size === 0
  if (curves && thirds.size > 0 && !withThird) { // it has begun to speak
    curves.close()
    curves = undefined
  }
  withThird ||= thirds.size > 0
  curves ??= new drawing.Curves({ score: a, time: b }, s.names, () => {}, withThird ? say('kibitzer') : undefined)
  curves.draw(samples(s))
}

/** The latest question to one's seat, with what both seats ask of each other. */
let asked: Ask | undefined

/** Says that the hall cannot take moves, or that it can again. */
function hallAway(news: HallNews): void {
  const e = byId('hall-away')
  const on = news.away !== ''
  if (!e || e.hidden === !on) return
  e.hidden = !on
  setText(e, on ? say('away') : '')
  board?.voice.say(say(on ? 'away' : 'away.over'), true)
  bars?.hold(on)
}

function questioned(a: Ask): void {
  const before = asked
  asked = a
  if (a.rejected && (before?.prompt !== a.prompt || before?.again !== a.again)) sound('refused')
  hint(a.prompt ? a.hint : undefined)
  showLate()
  showAsks(state, asked, () => state)
  showAble()
  learn()
}

/** Whether one decided a turn, or a part of one, oneself. */
const own = (e: Entry): boolean => e.by === state?.for && !e.opening && !e.forced && !e.refused

/** How many turns of one's own are between now and the next offer of a draw. */
function turnsToDraw(): number {
  const from = asked?.game === state?.game && asked?.drawFrom || 0
  return from && from - turnsOf(state?.history ?? []).filter((t) => t.entries.some(own)).length
}

/** What cannot be done at present: hints are for one's own turn, there must be something to take back, and
    a draw is offered now and then, in so many turns. */
const hindrances: Readonly<Record<string, () => boolean | number>> = {
  hint: () => asked?.prompt === undefined || asked.game !== state?.game,
  undo: () => !(state?.history ?? []).some(own),
  draw: () => Math.max(0, turnsToDraw()),
}

/** What cannot be done at present says so, and why, as the hall has it said. */
function showAble(): void {
  for (const b of document.querySelectorAll<HTMLButtonElement>('.acts > button[data-act]')) {
    const no = state && hindrances[b.dataset['act'] ?? '']?.()
    b.ariaDisabled = no ? 'true' : null
    b.dataset['can'] ??= b.title
    b.title = (no ? b.dataset['not']?.replace('{n}', String(no)) : b.dataset['can']) ?? ''
  }
}

/** What is to be pressed once more; parts of the page may be made anew meanwhile. */
let armed: string | undefined
let disarm = 0

function arm(what: string | undefined): void {
  armed = what
  window.clearTimeout(disarm)
  if (what !== undefined) disarm = window.setTimeout(() => arm(undefined), 3000)
  showArmed()
}

function showArmed(): void {
  for (const b of document.querySelectorAll<HTMLButtonElement>('button[data-sure]')) {
    const label = b.querySelector('.label') ?? b
    b.dataset['name'] ??= label.textContent ?? ''
    const on = b.dataset['act'] === armed
    b.toggleAttribute('data-armed', on)
    setText(label, (on ? b.dataset['sure'] : b.dataset['name']) ?? '')
  }
}

/** Says what was wrong with a press, for as long as it is news: until the next one, or 20 s. */
function fault(words: string): void {
  window.clearTimeout(stale)
  setText(byId('act-fault'), words)
  if (words) stale = window.setTimeout(() => fault(''), 20_000)
}
let stale = 0

async function act(button: HTMLButtonElement): Promise<void> {
  if (button.ariaDisabled === 'true') return fault(button.title)
  const { act = 'undo', sure, ply, limit } = button.dataset // to where the list of moves says
  if (sure && armed !== act) return arm(act)
  arm(undefined)
  closeMore()
  const game = board?.getAttribute('game')
  if (!game) return
  if (act === 'withdraw') withdrawn()
  if (act === 'hint' && !byId('hint')?.textContent) setText(byId('hint'), say('hint.thinking'))
  // An answer names what it answers, and every act itself: sent again it is done once.
  const ask = button.closest<HTMLElement>('#offer')?.dataset['ask']
  fault('')
  const no = await whileBusy(button, send(game, 'acts', { act, id: actID(), ask: ask ? +ask : undefined, ply: ply && +ply, limit: limit && +limit }, () => connection.waits(true)))
  connection.waits(false)
  if (!no || game !== board?.getAttribute('game')) return
  fault(no)
  hint(asked?.hint)
}

/** A name that no other act of the reader has. */
const actID = (): string => `${Math.random()}`

/** Shows counts or shares without leaving the page; the address says which. */
function switchStats(e: MouseEvent): void {
  const [a, box] = [switched(e, '#room-stats'), byId('room-stats')]
  if (!a || !box) return
  box.dataset['show'] = a.dataset['show'] ?? 'count'
  markCurrent(box.querySelectorAll('.switch a'), a)
  history.replaceState(null, '', a.href.replace(/#.*/, ''))
}

/** Keys on the board that tell something; what they tell is fetched with the first of them. */
function tellKeys(e: KeyboardEvent): void {
  if (!board || board.hasAttribute('no-keys') || e.defaultPrevented || e.altKey || e.ctrlKey || e.metaKey || !/^[lcspmtoz?]$/.test(e.key) || !(e.target as Element).matches('.kb-spot')) return
  e.preventDefault()
  void import('./keys.ts').then(({ told }) => board.voice.say(told(e.key, board) || say('keys.none')), () => undefined)
}

/** How often the hall is to give a sign of life, in seconds. */
const beat = 2

/** How long the hall may be silent before there is no connection, in milliseconds. */
const silence = 12_000

let events: Stream | undefined
const connection = new Connection(page, board, () => bars, () => events?.again())

/** Sends a form without leaving the page. */
async function submit(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  const data = new URLSearchParams()
  for (const [k, v] of new FormData(form, button)) if (typeof v === 'string') data.append(k, v)
  const post = () => fetch(form.action, { method: 'POST', body: data, headers: { Accept: 'application/json' }, redirect: 'manual' }).catch(() => undefined)
  button?.toggleAttribute('data-busy', true)
  let r = await post()
  // Who asks for a rematch may have seen the end of the game before the hall has written it down.
  for (let n = 0; n < 100 && r?.status === 409 && data.get('do') === 'rematch'; n++) {
    await pause(150)
    r = await post()
  }
  button?.removeAttribute('data-busy')
  if (!r) return fault(say('lost.watching')) // what was typed stays
  const done = r.ok || r.type === 'opaqueredirect'
  const no = done ? undefined : await refused(r)
  if (no && (await import('./fault.ts').catch(() => undefined))?.pointOut(form, no.field, no.said)) return // what was typed stays
  fault(no?.said ?? '')
  if (done && form.id === 'say') form.reset()
  if (done && form.closest('#more')) closeMore()
  if (done && form.dataset['said']) mention(form.dataset['said'])
  await renew()
}

/** Forms whose answer is another page, or that make the stream another one, are sent as
    always. */
const stays = (form: HTMLFormElement, button: HTMLElement | null): boolean =>
  form.action.includes('/rooms/') && !/^(enter|join|leave|close|code)$/.test(button?.getAttribute('value') ?? '')

/** What a line says, without the lesson that it offers. */
const saidIn = (line: HTMLElement): string => [...line.querySelectorAll<HTMLElement>(':scope > :not(#room-news), #room-news > :not(a)')].filter((e) => e.checkVisibility()).map((e) => e.innerText).join(' ')

/** Shows the line below the board in Info as well while it is cut. It is measured once a
    picture, when the page has its sizes anyway. */
function startWhole(): void {
  const [line, whole] = [document.querySelector<HTMLElement>('.say-line'), byId('whole')]
  if (!line || !whole) return
  let due = 0
  new MutationObserver(() => {
    due ||= requestAnimationFrame(() => {
      due = 0
      setText(whole, [...line.querySelectorAll('*')].some((e) => e.scrollWidth > e.clientWidth) ? saidIn(line) : '')
    })
  }).observe(line, { attributes: true, childList: true, subtree: true })
}

if (page && board) {
  board.addEventListener('kibitz-state', (e) => show((e as CustomEvent<State>).detail))
  board.addEventListener('kibitz-ask', (e) => questioned((e as CustomEvent<Ask>).detail))
  document.addEventListener('click', (e) => {
    const b = (e.target as Element).closest<HTMLButtonElement>('[data-act]:not([name]), button.take-back')
    if (armed !== undefined && (e.target as Element).closest<HTMLElement>('[data-act]')?.dataset['act'] !== armed) arm(undefined)
    if (!b || e.ctrlKey || e.metaKey) return
    if (local(b, page, board, () => bars?.flip())) {
      e.preventDefault()
      learn() // from now on, where that was switched on
    } else if (b.localName === 'button' && b.dataset['act'] !== 'more') void act(b)
  })
  board.addEventListener('pointerup', () => arm(undefined)) // a finger's press on the board is no click
  board.addEventListener('kibitz-presence', (e) => bars?.present((e as CustomEvent<Presence>).detail))
  board.addEventListener('kibitz-hall', (e) => hallAway((e as CustomEvent<HallNews>).detail))
  document.addEventListener('click', switchStats)
  document.addEventListener('click', switchConsole)
  document.addEventListener('submit', (e) => {
    const form = e.target as HTMLFormElement
    if (e.defaultPrevented || !stays(form, e.submitter)) return // a typed move is the board's
    e.preventDefault()
    const { act, sure } = e.submitter?.dataset ?? {}
    if (sure && armed !== act) return arm(act)
    arm(undefined)
    void submit(form, e.submitter)
  })
  byId('pop')?.addEventListener('click', () => void import('./popout.ts').then((m) => m.popOut()))
  startTabs()
  startTalk()
  startCard()
  startWhole()
  board.addEventListener('keydown', tellKeys)
  startTyping(board)
  scrollTalk()
  void showConsole()
  setGame(told('game'))
  showTitle()
  startAloud()
  events = openStream(() => `/api/v1/rooms/${encodeURIComponent(room)}/events?beat=${beat}`, {
    on: { change: () => void renew() }, lost: (on) => connection.lost(on), shaky: (on) => connection.shaky(on), silence,
  })
}
