// Many people and few processors: who waits for what, what becomes of the games of those who
// leave, and that a room says at each moment what is going on in it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { boxOf, says, until } from './browser.ts'
import { command, fillRoom, openGuest } from './rooms.ts'
import { openVenue } from './venue.ts'
import { ask, openPage, post, take, turn } from './visit.ts'

/** One engine that cannot be started, and one that never says that it is ready. */
const engines = ['broken', 'slow'].map((name) => `[[engine]]\nname = "${name}"\ncmd = "${name === 'slow' ? '/bin/sleep 90' : '/bin/false'}"\nproto = "nboard"\ngames = ["othello"]\n`).join('\n')

const venue = openVenue(async () => {
  const c = await venue.visit()
  const admin = await openGuest(c)
  // The hall must first hear of its worker's engines.
  await until(() => post(admin, 'play', { game: 'othello', with: 'broken' }), (r) => r.status < 300)
  await c.close()
}, { slots: 2, engines })

interface Guest {
  readonly context: BrowserContext
  readonly page: Page
  readonly game: string
}

/** A guest in a room of his own with an engine, whose game has begun. */
async function play(settings: Readonly<Record<string, unknown>>, engine = 'bot=9'): Promise<Guest> {
  const context = await venue.visit({ viewport: { width: 390, height: 700 } })
  const page = await openGuest(context)
  const room = await fillRoom(page, 'othello', ['person', engine], { clocks: ['inf', 'inf'], lines: false, ...settings })
  await page.goto(`/rooms/${room}`) // whose people have but the time of grace to be there
  await until(() => ask<{ room: { people: { here?: boolean }[] } }>(page, `rooms/${room}`), (x) => x.room.people.some((y) => y.here))
  await command(page, room, { do: 'start' })
  await turn(page)
  const { room: r } = await ask<{ room: { game: { id: string } } }>(page, `rooms/${room}`)
  return { context, page, game: r.game.id }
}

const stateOf = async (page: Page, game: string) => (await ask<{ state: string }>(page, `games/${game}`)).state

const history = (page: Page) => page.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.history?.length ?? 0)

test('nine guests on two processors: when eight have left the ninth plays, and no game is left of theirs', async () => {
  const guests: Guest[] = []
  for (let n = 0; n < 9; n++) guests.push(await play({ grace: 40 }, n < 8 ? 'bot=8' : 'bot=2'))
  const [last, ...others] = guests.reverse() as [Guest, ...Guest[]]
  // Below the board it is said for how many turns one waits, whole on a phone.
  assert.deepEqual(await last.page.evaluate(() => [{ about: 4 }, {}, undefined].map((wait) => {
    const b = document.querySelector<KibitzBoard>('kibitz-board')!
    const { wait: _, ...s } = b.state!
    b.show({ ...s, ...(wait && { wait: { for: 'processor', before: 2, of: 3, ...wait } }) })
    const [queue, status] = [document.getElementById('queue')!, document.querySelector('.kb-status')!]
    return [queue.textContent, queue.scrollWidth <= queue.clientWidth + 1, status.checkVisibility()]
  })), [['Turns before this one: 2, about 4 s', true, false], ['Turns before this one: 2', true, false], ['', true, true]])
  for (const g of [...others, last]) { // nine engines want two processors
    const t = await turn(g.page)
    await take(g.page, t, t.legal[0]!, 'click')
  }
  for (const g of others) await g.context.close()
  const left = performance.now()
  for (let n = 0; n < 2; n++) {
    const t = await turn(last.page)
    if (n === 0) assert.ok(performance.now() - left < 3000, `the ninth plays ${performance.now() - left} ms after the eight have left`)
    await take(last.page, t, t.legal[0]!, 'click')
    await last.page.waitForFunction((k) => (document.querySelector<KibitzBoard>('kibitz-board')?.state?.history?.length ?? 0) > k + 1, t.history)
  }
  const states = await until(() => Promise.all(others.map((g) => stateOf(last.page, g.game))), (x) => x.every((s) => s === 'over'))
  assert.deepEqual(new Set(states), new Set(['over']), 'games run without people')
  assert.equal(await stateOf(last.page, last.game), 'running')
  await last.context.close()
})

test('a game to which nobody comes ends, and the room says so', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const room = await fillRoom(page, 'othello', ['person', 'bot=2'], { clocks: ['inf', 'inf'], grace: 10 })
  await command(page, room, { do: 'start' })
  await until(() => ask<{ room: { phase: string } }>(page, `rooms/${room}`), (x) => x.room.phase === 'done')
  await page.goto(`/rooms/${room}`)
  await says(page.locator('#room-news'), /^Nobody came\. Not counted\.$/)
  await page.setViewportSize({ width: 390, height: 844 })
  assert.ok(await page.locator('#room-news .outcome').evaluate((e) => e.scrollWidth <= e.clientWidth + 1), 'it is cut on a phone')
  await c.close()
})

test('one press takes a seat, as a guest and ready; who waits there for anybody plays at once', async () => {
  const c = await venue.visit()
  const host = await openGuest(c)
  const { room } = (await post(host, 'play', { game: 'othello', with: 'anybody', listed: true, clock: '300' })).body as { room: string }
  await host.goto(`/rooms/${room}`)
  await says(host.locator('#room-news'), 'Waiting for an opponent')
  const qr = await boxOf(host.locator('.seats svg.qr'))
  assert.ok(qr.width >= 164 && qr.width <= 200, `the code is ${qr.width} wide`)
  await host.setViewportSize({ width: 320, height: 568 })
  const across = await host.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(across <= 320, `the waiting room is ${across} wide on a phone of 320`)
  await host.locator('.seats').getByText(`/rooms/${room}`).waitFor()
  const d = await venue.visit()
  const friend = await openPage(d)
  await friend.goto(`/rooms/${room}`)
  await says(friend.locator('#room-news'), 'Waiting for an opponent')
  await friend.locator('.acts').getByRole('button', { name: 'Take this seat' }).click()
  for (const p of [host, friend]) await p.waitForFunction(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.view)
  await host.locator('#room-news').locator('.quiet, .queued, .outcome').first().waitFor({ state: 'detached' }) // the board may come before the room's own news
  assert.equal(await history(friend), 0)
  await Promise.all([c.close(), d.close()])
})

test('whose opponent has gone before the game began reads so, and soon waits for the next one, who plays at once', async () => {
  const [a, b, d] = [await venue.visit(), await venue.visit(), await venue.visit()]
  const [gone, stays, next] = [await openGuest(a), await openGuest(b), await openGuest(d)]
  const seek = async (p: Page, colour: string) => ((await post(p, 'play', { game: 'nogo', with: 'anybody', listed: true, colour })).body as { room: string }).room
  const room = await seek(gone, 'first')
  assert.equal(await seek(stays, 'second'), room)
  await stays.goto(`/rooms/${room}`)
  await stays.setViewportSize({ width: 390, height: 844 })
  await says(stays.locator('#room-news'), /^guest-\S+ is away\.$/)
  const cut = await stays.locator('#room-news .quiet').evaluate((e) => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight])
  assert.ok(cut.every((x) => x <= 1), `it is cut on a phone: ${cut}`)
  await stays.getByText('Who is away for 15 s loses the seat').waitFor()
  await stays.locator('.acts').getByRole('button', { name: 'Cancel' }).waitFor()
  await says(stays.locator('#room-news'), 'Waiting for an opponent')
  await stays.getByText(/^guest-\S+ did not come\.$/).waitFor()
  assert.equal(await seek(next, 'first'), room)
  await next.goto(`/rooms/${room}`)
  for (const p of [stays, next]) await p.waitForFunction(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.view)
  await Promise.all([a, b, d].map((x) => x.close()))
})

test('an engine that cannot be started is named, with the reason and another one; a slow one is named soon', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const with_ = async (engine: string) => (await post(page, 'play', { game: 'othello', with: engine })).body as { page: string }
  const broken = await with_('broken')
  await page.goto(broken.page)
  await says(page.locator('#room-news'), /broken could not be started\./)
  await page.locator('.acts, #card').getByRole('link', { name: 'Another engine' }).first().waitFor()
  assert.equal(await page.locator('[data-act=another]').first().getAttribute('href'), '/play/othello')
  const slow = await with_('slow')
  await page.goto(slow.page)
  await page.locator('#hint').getByText('slow is getting ready.').waitFor()
  await page.waitForTimeout(3000)
  assert.equal(await page.locator('#hint').innerText(), 'slow is getting ready.', 'it is not said any more')
  await c.close()
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
