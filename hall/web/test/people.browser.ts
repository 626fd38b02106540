// Two people in a hall, each in a browser of their own: all that they can agree on, and a
// connection that breaks.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { says, until } from './browser.ts'
import { openLine } from './line.ts'
import { command, openGuest, together } from './rooms.ts'
import { openVenue } from './venue.ts'
import { ask, logIn, openPage, openRoom, resign, take, turn } from './visit.ts'

declare global {
  interface Window {
    /** Whether nobody looks at the tab, and what the browser was told to show, to close and to ask. */
    gone: boolean
    told: string[]
    /** Whether it was called that it is one's turn. */
    called: boolean
  }
}

const venue = openVenue()

interface Pair {
  readonly ann: BrowserContext
  readonly bob: BrowserContext
  readonly a: Page
  readonly b: Page
  /** The path of the room. */
  readonly room: string
}

/** Two people sit down in a room and begin. */
async function meet(game: string, { undo = false, clock = '300+3' } = {}, address = venue.hall.url): Promise<Pair> {
  const [ann, bob] = [await venue.visit(), await venue.visit({ baseURL: address })]
  const [a, b] = [await openGuest(ann), await openGuest(bob)]
  const { room } = await together(a, b, game, { undo, clocks: [clock, clock], lines: false })
  return { ann, bob, a, b, room: `/rooms/${room}` }
}

const close = (p: Pair) => Promise.all([p.ann.close(), p.bob.close()])

/** Makes the first legal step, and waits until both have seen it. */
async function move(p: Page, other: Page): Promise<void> {
  const t = await turn(p)
  await take(p, t, t.legal[0]!, 'click')
  for (const x of [p, other]) await moves(x, t.history + 1)
}

/** Waits until a page shows so many moves. */
const moves = (p: Page, n: number) => p.waitForFunction((k) => document.querySelectorAll('#moves li').length === k, n)

async function act(p: Page, what: string): Promise<void> {
  if (what === 'abort') await act(p, 'more')
  await p.locator(`button[data-act=${what}]`).click()
}

/** Waits until a page tells of an offer. */
async function offered(p: Page, want: RegExp): Promise<void> {
  await p.locator('#offer').waitFor()
  await says(p.locator('#offer-text'), want)
}

const gone = (p: Page) => p.locator('#offer').waitFor({ state: 'hidden' })

/** Gives a page a browser that shows what it is told to, and asks nobody. */
const bells = (p: Page) => p.evaluate(() => {
  window.gone = false
  window.told = []
  window.called = false
  document.addEventListener('kibitz-call', (e) => { window.called ||= (e as CustomEvent<{ timed?: boolean }>).detail.timed === true })
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => window.gone === true })
  window.Notification = class {
    static permission = 'default'
    static requestPermission = async () => {
      window.told.push('asked')
      return (this.permission = 'granted')
    }
    onclick = null
    constructor(title: string, options: { body: string }) { window.told.push([title, options.body].join(' | ')) }
    close() { window.told.push('closed') }
  } as unknown as typeof Notification
})

const told = (p: Page) => p.evaluate(() => window.told)

/** Somebody looks at another tab, or comes back. */
const look = (p: Page, here: boolean) => p.evaluate((on) => {
  window.gone = !on
  document.dispatchEvent(new Event('visibilitychange'))
}, here)

test('who looks elsewhere is offered once to be told, is asked by a press alone, and is told then', async () => {
  const p = await meet('gomoku')
  const { a, b } = p
  await bells(b)
  await look(b, false)
  await move(a, b)
  assert.match(await b.title(), /^● Your turn/)
  const dots = async () => (await b.locator('link[rel=icon]').getAttribute('href'))!.split('f0c25a').length - 1
  assert.equal(await dots(), 1, 'the icon has a dot')
  await b.waitForFunction(() => window.called) // what calls is fetched when there is something to be heard
  assert.deepEqual(await told(b), [], 'nobody has allowed it')
  await look(b, true)
  await b.locator('.own-ask button', { hasText: 'Tell me' }).click()
  assert.equal(await b.locator('#bell').getAttribute('aria-label'), 'Notifications: on')
  await move(b, a)
  assert.equal(await dots(), 0, 'and none while it is the turn of the other')
  await look(b, false)
  await move(a, b)
  await until(() => told(b), (list) => list.length === 2)
  await act(a, 'draw')
  await until(() => told(b), (list) => list.length === 3)
  await look(b, true)
  await act(b, 'decline')
  await gone(b)
  await look(b, false)
  await resign(a)
  await until(() => told(b), (list) => list.length === 5)
  const title = /^● Your turn – .+ · Five in a row/
  assert.deepEqual((await told(b)).map((x) => x.replace(title, 'turn').replace(/guest-\w+/, 'Ann')), ['asked', 'turn | ', 'turn | Ann offers a draw.', 'closed', 'Won · Five in a row | '])
  await look(b, true)
  // What was switched off is not offered again.
  await b.locator('#bell').click()
  assert.equal(await b.locator('#bell').innerText(), 'off')
  await b.locator('#card [data-act=rematch]').click()
  await a.locator('#card [data-act=rematch]').click()
  await b.waitForFunction(() => { // the game before has its result
    const s = document.querySelector<KibitzBoard>('kibitz-board')?.state
    return s && !s.result
  })
  await move(b, a)
  await look(b, false)
  await move(a, b)
  await look(b, true)
  assert.equal(await b.locator('.own-ask').count(), 0)
  await close(p)
  // Without a clock nothing is missed.
  const q = await meet('gomoku', { clock: 'inf' })
  await bells(q.b)
  await q.b.evaluate(() => document.addEventListener('kibitz-call', (e) => window.told.push(`called ${String((e as CustomEvent<{ timed?: boolean }>).detail.timed)}`)))
  await look(q.b, false)
  await move(q.a, q.b)
  assert.deepEqual(await until(() => told(q.b), (list) => list.length > 0), ['called false'])
  await look(q.b, true)
  assert.equal(await q.b.locator('.own-ask').count(), 0)
  await close(q)
})

test('blocked notifications are told to who presses the bell, and by no page', async () => {
  const c = await venue.visit()
  await c.addInitScript(() => {
    window.Notification = class {
      static permission = 'denied'
      static requestPermission = async () => 'denied'
    } as unknown as typeof Notification
  })
  const page = await openGuest(c)
  for (const path of ['/', '/watch', '/games', '/settings']) {
    await page.goto(path)
    await says(page.locator('#bell'), 'off')
    assert.equal(await page.locator('#bell').getAttribute('aria-label'), 'Notifications: off', path)
  }
  await page.locator('#bell').click()
  await says(page.locator('#bell'), 'blocked')
  await page.goto('/')
  await says(page.locator('#bell'), 'off')
  await c.close()
})

test('a draw is offered, declined, offered again and accepted; a rematch has the colours exchanged', async () => {
  const p = await meet('gomoku')
  const { a, b } = p
  await move(a, b)
  await act(a, 'draw')
  await offered(b, /offers a draw/)
  for (const x of [a, b]) assert.ok(await x.locator('.acts [data-act=resign]').isVisible(), 'resigning never waits')
  await act(b, 'decline')
  await gone(b)
  await a.locator('.acts [data-act=draw][aria-disabled=true]').waitFor()
  await a.locator('.acts [data-act=draw]').click({ force: true }) // for why
  await says(a.locator('#act-fault'), 'You have offered a draw. Your turns until you can again: 10.')
  await move(b, a)
  await act(b, 'draw')
  await offered(a, /offers a draw/)
  assert.equal(await b.locator('#offer').isVisible(), false, 'one is asked for one\'s own offer')
  await act(a, 'accept')
  for (const x of [a, b]) {
    await says(x.locator('.outcome'), /^Draw \(.*agree/)
    assert.ok(await x.locator('.outcome').isVisible(), 'what was declined before hides how the game ended')
  }
  const names = await Promise.all([a, b].map((x) => x.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')!.state!.names)))

  await b.getByRole('button', { name: 'Rematch' }).click()
  await a.locator('#card').getByText('wants a rematch').waitFor()
  await a.getByRole('button', { name: 'Rematch' }).click()
  await b.waitForFunction(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.result === undefined)
  await turn(b) // who had the second seat begins
  const again = await b.evaluate(() => {
    const s = document.querySelector<KibitzBoard>('kibitz-board')!.state!
    return { names: s.names, for: s.for, history: s.history?.length ?? 0 }
  })
  assert.deepEqual(again, { names: [names[0]![1], names[0]![0]], for: 'first', history: 0 })
  await move(b, a)
  await resign(a)
  await says(a.locator('.outcome'), 'You lost (resignation)')
  await says(b.locator('.outcome'), 'You won (resignation)')
  await close(p)
})

test('a move is taken back when the opponent agrees, and stands when not', async () => {
  const p = await meet('gomoku', { undo: true, clock: 'inf' })
  const { a, b } = p
  await move(a, b)
  await act(a, 'undo')
  await offered(b, /asks to take back/)
  await act(b, 'decline')
  await gone(b)
  await move(b, a)
  await move(a, b)
  await act(a, 'undo')
  await offered(b, /asks to take back/)
  // A page that is opened anew, and then changes, still tells of the offer.
  await b.reload()
  await offered(b, /asks to take back/)
  await a.getByLabel('Say something').fill('please')
  await a.getByRole('button', { name: 'Send' }).click()
  await b.locator('.talk').getByText('please').waitFor()
  await offered(b, /asks to take back/)
  await act(b, 'accept')
  for (const x of [a, b]) await moves(x, 2)
  const t = await turn(a)
  assert.equal(t.history, 2)
  await take(a, t, t.legal.at(-1)!, 'click')
  for (const x of [a, b]) await moves(x, 3)
  await close(p)
})

test('a typed move is sent once, and nothing else is', async () => {
  const p = await meet('gomoku')
  const { a, b } = p
  const posts: string[] = []
  a.on('response', (r) => { if (r.request().method() === 'POST') posts.push(`${r.status()} ${new URL(r.url()).pathname.replace(/games\/\w+/, 'games/ID')}`) })
  await act(a, 'more')
  await a.getByLabel('Type a move').fill('h8')
  await a.getByLabel('Type a move').press('Enter')
  for (const x of [a, b]) await moves(x, 1)
  await until(async () => posts, (list) => list.length > 0) // the move may be seen before its answer
  assert.deepEqual(posts, ['204 /api/v1/games/ID/moves'])
  assert.equal(await a.locator('#act-fault').textContent(), '')
  await turn(b)
  await act(b, 'more')
  await b.getByLabel('Type a move').fill('h8')
  await b.getByLabel('Type a move').press('Enter')
  await says(b.locator('.kb-fault'), 'h8 is not free')
  await close(p)
})

test('quick phrases', async () => {
  const [ac, bc] = [await venue.visit(), await venue.visit({ locale: 'es' })]
  const [a, b] = [await openGuest(ac), await openGuest(bc)]
  const room = (await openRoom(a, 'othello')).split('/').at(-1) ?? ''
  await command(b, room, { do: 'enter' })
  for (const x of [a, b]) await x.goto(`/rooms/${room}`)
  for (const x of [a, b]) await x.evaluate(() => document.getElementById('tab-chat')?.click()) // in three columns it is always open
  assert.equal(await a.locator('#phrases button').count(), 6)
  await a.getByRole('button', { name: 'Good luck' }).click()
  await b.locator('.talk .text', { hasText: 'Suerte' }).waitFor()
  await a.locator('.talk .text', { hasText: 'Good luck' }).waitFor()
  // Where the chat is not in sight its tab has a dot.
  await b.setViewportSize({ width: 390, height: 844 })
  await b.evaluate(() => document.getElementById('tab-moves')?.click())
  await a.getByRole('button', { name: 'Well played' }).click()
  await says(b.locator('#chat-news'), '●')
  await b.evaluate(() => document.getElementById('tab-chat')?.click())
  await says(b.locator('#chat-news'), '')
  // A line is reported once to who runs the hall, and its writer muted, by two presses each.
  for (const what of ['Denunciar', 'Denunciar', 'Silenciar']) {
    await b.locator('.talk [data-line]').last().click()
    await b.locator('#about-line').getByRole('button', { name: what }).click()
    if (what === 'Denunciar') await says(b.locator('#answer'), /^Denunciado/)
  }
  await b.locator('.talk', { hasText: 'silenciado' }).waitFor()
  assert.equal(await b.locator('.talk .text').count(), 0)
  const admin = await venue.visit()
  const boss = await openPage(admin)
  await logIn(boss, 'admin', venue.hall.password)
  await boss.goto('/admin/users')
  assert.deepEqual((await boss.locator('tr', { has: boss.locator(`a[href="/rooms/${room}"]`) }).allInnerTexts()).map((x) => /guest-\w+: \/well/.test(x)), [true])
  await b.locator('.talk [data-line]').last().click()
  await b.locator('#about-line').getByRole('button', { name: 'Mostrar' }).click()
  await b.locator('.talk .text', { hasText: 'Suerte' }).waitFor()
  await says(b.locator('#answer'), '') // whose turn it is is said again
  await admin.close()
  await ac.close()
  await bc.close()
})

test('a game is aborted when both want it', async () => {
  const p = await meet('othello')
  const { a, b, room } = p
  await move(a, b)
  const id = await a.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')!.state!.game)
  await act(b, 'abort')
  await offered(a, /asks to abort the game/)
  await act(a, 'decline')
  await gone(a)
  await move(b, a)
  await act(b, 'abort')
  await offered(a, /asks to abort the game/)
  await act(a, 'accept')
  for (const x of [a, b]) await x.locator('button[data-act=resign]').first().waitFor({ state: 'detached' })
  const g = await ask<{ state: string; result: unknown }>(a, `games/${id}`)
  assert.deepEqual([g.state, g.result], ['over', { points: [0, 0], reason: 'abort', detail: 'aborted by the players' }])
  const { room: now } = await ask<{ room: { played: number } }>(a, `rooms${room.slice('/rooms'.length)}`)
  assert.equal(now.played, 0)
  await close(p)
})

test('who loses the connection comes back to a clock that has run, and to what was played meanwhile', async () => {
  const line = await openLine(venue.hall.url)
  const p = await meet('gomoku', { clock: '600' }, line.url)
  const { a, b, room } = p
  await move(a, b)
  const left = (x: Page) => x.evaluate(() => {
    const s = document.querySelector<KibitzBoard>('kibitz-board')!.state!
    return s.clocks!.map((c) => c.left)
  })
  await b.close()
  await a.locator('.seat[data-place="1"]').getByText('away').waitFor()
  const [, before] = await left(a)
  await a.waitForTimeout(1100) // time that his clock must lose
  const back = await openPage(p.bob)
  await back.goto(room)
  const t = await turn(back)
  assert.equal(t.history, 1)
  await a.locator('.seat[data-place="1"]').getByText('away').waitFor({ state: 'detached' })
  assert.match(await back.locator('#bar-bottom .bar-clock').innerText(), /^[0-9]:[0-5]\d$/, 'the clock of who was away')
  await take(back, t, t.legal[0]!, 'click')
  for (const x of [a, back]) await moves(x, 2)
  const [, after] = await left(a)
  assert.ok(after! <= before! - 1100, `${before} ms were left, now ${after}`)

  // What is played while nobody sees it is there when the connection is.
  line.cut()
  await back.locator('.room.lost').waitFor()
  const u = await turn(a)
  await take(a, u, u.legal.at(-1)!, 'click')
  await moves(a, 3)
  line.mend()
  await moves(back, 3)
  assert.deepEqual((await turn(back)).history, 3)
  await back.locator('.room.lost').waitFor({ state: 'detached' })
  await close(p)
  line.close()
})

test('settings that are wrong in one field stay as they were typed, and the field says what is wrong', async () => {
  const ann = await venue.visit()
  const page = await openPage(ann)
  await openRoom(page, 'gomoku')
  const form = page.locator('#room-host form', { has: page.locator('button[value=set]') })
  await page.locator('#room-host summary').click()
  const [name, clock] = [form.locator('[name=name]'), form.locator('[name=clock]')]
  await name.fill('Our room')
  await clock.fill('5 hours?')
  await form.locator('button[value=set]').click()
  await form.locator('[name=clock]:invalid').waitFor()
  assert.match(await clock.evaluate((e) => (e as HTMLInputElement).validationMessage), /minutes.*5\+3/)
  assert.equal(await name.inputValue(), 'Our room')
  assert.equal(await clock.inputValue(), '5 hours?')
  await clock.fill('5+3')
  await form.locator('button[value=set]').click()
  await page.getByRole('heading', { name: 'Our room' }).waitFor()
  await ann.close()
})

test('a clock for each turn, and one with periods, show what is left of them from the beginning on', async () => {
  const left = (x: Page, seat: number) => x.locator(`.bar-clock[data-clock="${seat}"]`).innerText()
  const turns = await meet('amazons', { clock: 'st=90' })
  for (const x of [turns.a, turns.b]) assert.equal(await left(x, 1), '1:30')
  assert.match(await left(turns.b, 0), /^1:[23]\d$/)
  const t = await turn(turns.a)
  await turns.a.waitForTimeout(1100)
  await take(turns.a, t, t.legal[0]!, 'click')
  await turn(turns.a)
  assert.match(await left(turns.b, 0), /^1:[12]\d$/, 'its second part has what the first one left')
  await close(turns)
  const periods = await meet('gomoku', { clock: '1 byo=2x90' })
  await periods.b.waitForFunction(() => /^1:[12]\d$/.test(document.querySelector('.bar-clock[data-clock="0"]')?.textContent ?? ''))
  assert.equal(await left(periods.b, 1), '1.0')
  await close(periods)
})

test('while the hall cannot take moves a bar says so, and clocks stand', async () => {
  const p = await meet('gomoku', { clock: '600' })
  await move(p.a, p.b)
  await p.a.locator('.on-turn .bar-clock').getByText(':').waitFor()
  const tell = (away: string) => p.a.locator('kibitz-board').evaluate((b, x) => b.dispatchEvent(new CustomEvent('kibitz-hall', { bubbles: true, detail: { away: x } })), away)
  const clock = () => p.a.locator('.on-turn .bar-clock').innerText()
  await tell('database')
  await p.a.locator('#hall-away').getByText('No moves can be taken').waitFor()
  const stood = await clock()
  await p.a.waitForTimeout(2100)
  assert.equal(await clock(), stood)
  await tell('')
  await p.a.locator('#hall-away').waitFor({ state: 'hidden' })
  assert.notEqual(await until(clock, (x) => x !== stood), stood, 'the clock goes on')
  await close(p)
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
