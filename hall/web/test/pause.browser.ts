// A game that is paused, by its players together, by the host of engines, by an arbiter; and one that an
// arbiter decides: what each presses, what everybody reads, and that nothing on the stage moves.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { boxOf, says, until } from './browser.ts'
import { Presses } from './presses.ts'
import { command, fillRoom, openGuest, start, together } from './rooms.ts'
import { look } from './stage.ts'
import { obstacles, openVenue } from './venue.ts'
import { logIn, openPage, take, turn } from './visit.ts'

const venue = openVenue()

/** What the clocks of a page show. */
const clocks = (page: Page): Promise<string> => page.locator('.bar-clock').allInnerTexts().then((x) => x.join())

/** Clocks stand: they show the same a while later. */
async function stand(page: Page): Promise<void> {
  const before = await clocks(page)
  await page.waitForTimeout(1500)
  assert.equal(await clocks(page), before)
}

/** Where the parts of the stage stand. */
const stage = async (page: Page): Promise<string> => JSON.stringify((await look(page)).parts)

test('two people pause a game together and go on together, and nothing on the stage moves', async () => {
  const contexts = [await venue.visit(), await venue.visit(), await venue.visit({ viewport: { width: 390, height: 844 } })]
  const [a, b, c] = [await openGuest(contexts[0]!), await openGuest(contexts[1]!), await openGuest(contexts[2]!)]
  const { room } = await together(a, b, 'othello', { clocks: ['600', '600'] })
  await c.goto(`/rooms/${room}`)
  await turn(a)
  const parts = await Promise.all([a, b, c].map(stage))
  const [pa, pb] = [new Presses(a, 'click'), new Presses(b, 'click')]
  await pa.press('[data-act=more]')
  assert.equal(await a.locator('#more [data-act=resume]').isVisible(), false)
  await pa.press('#more [data-act=pause]')
  await says(b.locator('#offer-text'), /asks to pause/)
  await pb.press('#offer [data-act=accept]')
  for (const p of [a, b, c]) await says(p.locator('#queue'), /^Paused by guest/)
  assert.deepEqual([pa.count, pb.count], [2, 1])
  await Promise.all([a, b, c].map(stand))
  assert.deepEqual(await Promise.all([a, b, c].map(stage)), parts)
  assert.equal(await a.evaluate(() => document.querySelector<HTMLElement & { possible: unknown[] }>('kibitz-board')!.possible.length), 0, 'a move may be made')
  await c.reload() // who comes later reads the same
  await says(c.locator('#queue'), /^Paused by guest/)
  assert.deepEqual((await clocks(c)).split(',').sort(), (await clocks(a)).split(',').sort())
  await pb.press('[data-act=more]')
  assert.equal(await b.locator('#more [data-act=pause]').isVisible(), false)
  await pb.press('#more [data-act=resume]')
  await says(a.locator('#offer-text'), /asks to go on/)
  await pa.press('#offer [data-act=decline]')
  await says(b.locator('#answer'), /would rather not/)
  await pb.press('[data-act=more]')
  await pb.press('#more [data-act=resume]')
  await pa.press('#offer [data-act=accept]')
  for (const p of [a, b, c]) await says(p.locator('#queue'), /^$/)
  const t = await turn(a)
  await take(a, t, t.legal[0]!, 'click')
  await turn(b)
  await b.waitForTimeout(700) // what is granted is not said to be declined
  assert.equal(await b.locator('#answer').innerText().then((x) => /rather/.test(x)), false)
  for (const x of contexts) await x.close()
})

test('the host of engines pauses a series alone, by two presses, and goes on by two', async () => {
  const [host, other] = [await venue.visit(), await venue.visit()]
  const [h, o] = [await openGuest(host), await openGuest(other)]
  const room = await fillRoom(h, 'amazons', ['bot=9', 'bot=9'], { clocks: ['90', '90'], games: 3 })
  for (const p of [h, o]) await p.goto(`/rooms/${room}`)
  await start(h, room)
  for (const p of [h, o]) await p.waitForFunction(() => (document.querySelector<HTMLElement & { state?: { history?: unknown[] } }>('kibitz-board')?.state?.history?.length ?? 0) > 2)
  const parts = await stage(h)
  const press = new Presses(h, 'click')
  await press.press('[data-act=more]')
  await press.press('#more [value=pause]')
  await h.locator('#more').waitFor({ state: 'hidden' })
  for (const p of [h, o]) await says(p.locator('#queue'), /^Paused by guest/)
  const moves = () => h.evaluate(() => document.querySelector<HTMLElement & { state?: { history?: unknown[] } }>('kibitz-board')!.state!.history!.length)
  const n = await moves()
  await Promise.all([h, o].map(stand))
  assert.equal(await moves(), n)
  assert.equal(await stage(h), parts)
  await o.locator('[data-act=more]').click()
  for (const value of ['pause', 'resume', 'verdict']) assert.equal(await o.locator(`#more [value=${value}]`).count(), 0, `who looks on has ${value}`)
  await press.press('[data-act=more]')
  assert.deepEqual(await obstacles(h), [])
  await press.press('#more [value=resume]')
  assert.equal(press.count, 4)
  await until(moves, (x) => x > n)
  await command(h, room, { do: 'stop' })
  for (const x of [host, other]) await x.close()
})

test('an arbiter decides a game with a note, by a second press', async () => {
  const contexts = [await venue.visit(), await venue.visit(), await venue.visit({ viewport: { width: 390, height: 844 } })]
  const [a, b] = [await openGuest(contexts[0]!), await openGuest(contexts[1]!)]
  const judge = await openPage(contexts[2]!)
  await logIn(judge, 'admin', venue.hall.password)
  const { room } = await together(a, b, 'othello', { clocks: ['600', '600'] })
  await judge.goto(`/rooms/${room}`)
  await turn(a)
  assert.equal(await a.locator('#room-rule form').count(), 0)
  const press = new Presses(judge, 'click')
  await press.press('[data-act=more]')
  await press.press('#room-rule summary')
  assert.deepEqual(await obstacles(judge), [])
  for (const [width, height] of [[320, 568], [844, 390], [390, 844]] as const) {
    await judge.setViewportSize({ width, height })
    const sheet = await boxOf(judge.locator('#more'))
    assert.ok(sheet.x >= 0 && sheet.y >= 0 && sheet.x + sheet.width <= width + 0.5, `${width}x${height}: ${JSON.stringify(sheet)}`)
  }
  const name = await judge.locator('#room-rule option[value=second]').innerText()
  await judge.locator('#room-rule select').selectOption('second')
  await judge.locator('#room-rule [name=note]').fill('The hall is closing')
  await press.press('#room-rule [value=verdict]')
  await says(judge.locator('#room-rule [value=verdict]'), 'Decide?')
  assert.equal(await a.locator('#card').isVisible(), false, 'one press decides')
  await press.press('#room-rule [value=verdict]')
  assert.equal(press.count, 4)
  await says(a.locator('#card-said'), /You lost .*admin decided: The hall is closing/)
  await says(b.locator('#card-said'), /You won .*admin decided: The hall is closing/)
  await says(judge.locator('#room-news'), /admin decided: The hall is closing/)
  assert.match(name, /won/)
  for (const x of contexts) await x.close()
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
