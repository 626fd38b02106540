// What a reader of the screen hears of pages with a board: two live regions in all, whatever happens on them,
// and what is new in one of them, once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { until } from './browser.ts'
import { note, regions, type Heard } from './heard.ts'
import { fillRoom, openGuest, start, together } from './rooms.ts'
import { openVenue } from './venue.ts'
import { openPage, post, resign, take, turn } from './visit.ts'

const venue = openVenue()

/** A page whose voice is noted. */
async function listened(): Promise<Page> {
  const c = await venue.visit()
  await c.addInitScript(note)
  return openGuest(c)
}

/** Waits until something is said at once, or when there is time, and once; the page has its two regions then. */
async function hears(p: Page, want: RegExp, how: 'assertive' | 'polite', when: string): Promise<void> {
  const said = (list: readonly Heard[]) => list.flatMap((x) => x.text.split('. ')).filter((x) => want.test(x))
  const all = () => p.evaluate(() => window.heard)
  await until(all, (list) => said(list).length > 0)
  await p.waitForTimeout(700) // it would be said again
  const list = await all()
  assert.equal(said(list).length, 1, `${when}: ${JSON.stringify(list)}`)
  if (list.length === 1) assert.ok(said([{ text: await p.locator(`.kb-voice [aria-live=${how}]`).textContent() ?? '', at: 0 }]).length > 0, `${when}: not ${how}: ${list[0]!.text}`)
  list.slice(1).forEach((x, i) => assert.ok(x.at - list[i]!.at >= 290, `${when}: ${JSON.stringify(list)}`))
  await two(p, when)
  await p.evaluate(() => { window.heard = [] })
}

const two = async (p: Page, when: string): Promise<void> => assert.deepEqual(await regions(p), ['polite', 'assertive'], when)

/** Shows a page as if a seat had so much left. */
const left = (p: Page, seat: number, ms: number) => p.evaluate(([i, n]) => {
  const b = document.querySelector<KibitzBoard>('kibitz-board')!
  const [x, y] = b.state!.clocks!
  b.show({ ...b.state!, at: Date.now(), clocks: i === 0 ? [{ ...x, left: n! }, y] : [x, { ...y, left: n! }] })
}, [seat, ms] as const)

test('a room has two live regions, whatever comes', async () => {
  const [a, b, c] = [await listened(), await listened(), await openPage(await venue.visit())]
  const { room } = await together(a, b, 'gomoku', { clocks: ['900', '900'], lines: false })
  for (const p of [a, b]) await two(p, 'the game begins')
  const t = await turn(a)
  for (const p of [a, b]) await p.evaluate(() => { window.heard = [] })
  await take(a, t, t.legal.find((x) => x.text === 'p7,7')!, 'click')
  await hears(b, /: h8$/, 'polite', 'a move')
  await turn(b)
  await b.locator('[data-spot="7,7"]').click({ force: true })
  await hears(b, /^h8 is not free/, 'assertive', 'a point that is taken')
  await a.evaluate(() => { window.heard = [] })
  // Both are told of a clock, whosever it is.
  const name = await b.locator('#bar-bottom .bar-name').innerText()
  for (const ms of [61_500, 60_200]) for (const p of [a, b]) await left(p, 1, ms)
  for (const p of [a, b]) await hears(p, new RegExp(`^${name}: 1 minute$`), 'polite', 'a clock')
  // A clock that comes to the same mark after each move is told once.
  for (const ms of [62_000, 60_500, 90_000, 60_100, 59_500]) {
    await left(b, 1, ms)
    await b.waitForTimeout(700)
  }
  assert.deepEqual(await b.evaluate(() => window.heard.filter((x) => x.text.includes('minute'))), [], 'a clock that got a little')
  await left(b, 1, 121_000)
  await left(b, 1, 60_200)
  await hears(b, new RegExp(`^${name}: 1 minute$`), 'polite', 'a clock that got much')
  await a.locator('[data-act=draw]').click()
  await hears(b, /offers a draw/, 'assertive', 'an offer')
  await b.locator('[data-act=decline]').click()
  await hears(a, /would rather not/, 'assertive', 'what one asked came to nothing')
  await a.locator('[data-act=draw]').click({ force: true }) // which cannot be done, and says so
  await hears(a, /^You have offered a draw/, 'assertive', 'a press in vain')
  await post(b, `rooms/${room}/chat`, { text: 'Good luck', channel: 'all' })
  await a.locator('.talk').getByText('Good luck').waitFor({ state: 'attached' })
  await two(a, 'a line of chat')
  // Somebody asks by name, here and on a page without a board.
  const asked = await openPage(await venue.visit())
  for (const [p, who] of [[c, 'Asker'], [asked, 'Asked']] as const) assert.equal((await post(p, 'account/register', { name: who, password: 'correct horse' })).status, 201)
  await asked.addInitScript(note)
  const own = await fillRoom(asked, 'othello', ['person', 'bot=1'])
  await start(asked, own)
  await asked.goto(`/rooms/${own}`)
  await turn(asked)
  await asked.evaluate(() => { window.heard = [] })
  assert.equal((await post(c, 'challenges', { game: 'othello', to: 'Asked' })).status, 201)
  await asked.locator('.own-ask').waitFor()
  await hears(asked, /^Asker asks you/, 'assertive', 'somebody asks')
  await asked.goto('/learn')
  await asked.locator('.own-ask[role=alert]').waitFor()
  // No connection, and one again; the end.
  await a.context().setOffline(true)
  await hears(a, /^No connection/i, 'assertive', 'no connection')
  await a.context().setOffline(false)
  await a.locator('#connection.good').waitFor({ state: 'attached' })
  await two(a, 'a connection again')
  await resign(b)
  await hears(b, /You lost \(resignation\)$/, 'assertive', 'the end')
  await two(a, 'the end')
  for (const p of [a, b, c, asked]) await p.context().close()
})

test('the pages of a game, of an analysis and of a lesson have two live regions', async () => {
  const p = await listened()
  await p.goto('/analysis?game=gomoku')
  await p.locator('.kb-spot').first().waitFor({ state: 'attached' })
  await two(p, 'an analysis')
  await p.locator('#ask [name=seconds]').selectOption('1')
  await p.evaluate(() => { window.heard = [] })
  await p.locator('#analyse').click()
  await hears(p, /^The engine is done/, 'polite', 'an engine')
  await p.locator('#another').click()
  await p.locator('#base summary').click()
  await two(p, 'further engines')
  await p.locator('#tab-setup').click()
  await p.evaluate(() => { window.heard = [] })
  await p.locator('#setup-panel').getByRole('button', { name: 'Empty', exact: true }).click()
  for (const spot of ['0,0', '1,0', '2,0', '3,0', '4,0', '5,0', '6,0', '7,0', '8,0']) await p.locator(`[data-spot="${spot}"]`).click({ force: true })
  await p.locator('#setup-panel .fault-line:not(:empty), #setup-panel [data-aloud=""]:not(:empty)').first().waitFor()
  await until(() => p.evaluate(() => window.heard.length), (n) => n > 0)
  await two(p, 'a position that is none')

  await p.goto('/learn/othello')
  await p.locator('.lesson .kb-spot').first().waitFor({ state: 'attached' })
  await two(p, 'a lesson')
  await p.evaluate(() => { window.heard = [] })
  await p.locator('.lesson [data-spot="0,0"]').click({ force: true })
  await until(() => p.evaluate(() => window.heard.length), (n) => n > 0)
  assert.equal(await p.evaluate(() => document.querySelector('#said')!.textContent !== '' && window.heard.some((x) => x.text.includes(document.querySelector('#said')!.textContent!))), true)

  const room = await fillRoom(p, 'gomoku', ['person', 'bot=1'])
  const id = await start(p, room)
  await p.goto(`/rooms/${room}`)
  await turn(p)
  await resign(p)
  await p.locator('#card .outcome, #room-news .outcome').first().waitFor({ state: 'attached' })
  await p.goto(`/games/${id}`)
  await p.locator('.kb-spot').first().waitFor({ state: 'attached' })
  await two(p, 'a game')
  await p.context().close()
})

test('a form that is refused has one fault that is read aloud, beside its field', async () => {
  const p = await openPage(await venue.visit())
  await p.goto('/play/gomoku')
  await p.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('form.sheet')!
    for (const [name, value] of [['clock', 'own'], ['own', 'abc']]) {
      const field = form.elements.namedItem(name!)
      if (field instanceof RadioNodeList) field.value = value!
      else (field as HTMLInputElement).value = value!
    }
    form.submit()
  })
  await p.locator('.field-fault').waitFor()
  assert.deepEqual(await p.locator('[role=alert]').evaluateAll((list) => list.map((e) => e.id)), ['fault-own'])
  await p.context().close()
})
