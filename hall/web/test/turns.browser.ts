// The list of moves of a room: one entry for each turn, whole, from each of which moves can
// be taken back; what is asked is told to who looks on. And a rematch, of which nothing is
// known yet, shows nothing of the game before.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { says } from './browser.ts'
import { command } from './rooms.ts'
import { openVenue } from './venue.ts'
import { ask, decidedSince, openPage, openRoom, resign, seat, take, turn } from './visit.ts'

const venue = openVenue()

/** The entries of the list, without times and buttons; each is whole. */
const entries = (p: Page): Promise<string[]> => p.locator('#moves li').evaluateAll((list) => list.map((li) => {
  if (li.scrollWidth > li.clientWidth + 1 || li.scrollHeight > li.clientHeight + 1) throw new Error(`cut: ${li.textContent}`)
  const copy = li.cloneNode(true) as Element
  for (const x of copy.querySelectorAll('.used, button')) x.remove()
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim()
}))

const listed = (p: Page, n: number) => p.waitForFunction((k) => document.querySelectorAll('#moves li').length === k, n)

/** Decides a whole turn, step by step. */
async function decide(p: Page, others: readonly Page[], steps: number): Promise<void> {
  for (let k = 0; k < steps; k++) {
    const t = await turn(p)
    await take(p, t, t.legal.at(-1)!, 'type')
    for (const x of [p, ...others]) await decidedSince(x, t.history)
  }
}

test('a turn is one entry for everybody; to take back to one is asked for there, and others are told', async () => {
  const [ann, bob, carol] = [await venue.visit(), await venue.visit(), await venue.visit()]
  const [a, b, c] = [await openPage(ann), await openPage(bob), await openPage(carol)]
  const room = await openRoom(a, 'amazons', { undo: true, clock: 'inf' })
  await seat(a, b, room)
  await a.getByRole('button', { name: 'Start', exact: true }).click()
  await turn(a)
  await c.goto(room)
  await decide(a, [b, c], 2)
  await decide(b, [a, c], 2)
  await decide(a, [b, c], 1)
  for (const x of [a, b, c]) await listed(x, 3)
  const list = await entries(a)
  assert.match(list.join('\n'), /^1 \w+-\w+\/\w+\n2 \w+-\w+\/\w+\n3 \w+-\w+\/…$/)
  for (const x of [b, c]) assert.deepEqual(await entries(x), list)
  await decide(a, [b, c], 1)

  // The latest entry has no button, and who looks on has none at all.
  assert.deepEqual(await Promise.all([a, b, c].map((x) => x.locator('#moves .take-back').count())), [2, 2, 0])
  await a.getByRole('button', { name: 'Take back to here, after move 1' }).click()
  await b.locator('#offer').waitFor()
  await says(b.locator('#offer-text'), /asks to take back from move 2 on\./)
  await says(a.locator('#asking-text'), /from move 2 on\./)
  await says(c.locator('#asked'), /asks to take back from move 2 on\./)
  assert.equal(await c.locator('.acts button:visible').filter({ hasText: /Accept|Decline/ }).count(), 0)
  const id = await a.evaluate(() => document.querySelector('kibitz-board')!.getAttribute('game')!)
  assert.deepEqual((await ask<{ asks: { what: string; ply: number }[] }>(c, `games/${id}`)).asks.map((x) => [x.what, x.ply]), [['undo', 2]])
  // What one takes back oneself, and what is granted, nobody has declined.
  await a.locator('button[data-act=withdraw]').click()
  await b.locator('#offer').waitFor({ state: 'hidden' })
  await a.waitForTimeout(1000)
  assert.equal(await a.locator('#answer').textContent(), '')
  await a.getByRole('button', { name: 'Take back to here, after move 1' }).click()
  await b.locator('button[data-act=accept]').click()
  for (const x of [a, b, c]) await listed(x, 1)
  await c.locator('#asked').waitFor({ state: 'hidden' })
  assert.deepEqual(await entries(c), list.slice(0, 1))
  await decide(b, [a, c], 2)
  const end = await entries(c)
  assert.equal(await a.locator('#answer').textContent(), '')

  // The page of the game that is over has the same entries.
  await resign(a)
  await c.getByRole('link', { name: 'Review' }).click()
  await listed(c, 2)
  await says(c.locator('#ply'), /^2 \/ 2$/)
  assert.deepEqual(await entries(c), end)
  assert.equal((await ask<{ plies: number }>(c, `games/${id}`)).plies, 2)
  assert.deepEqual(venue.faults, [])
  for (const x of [ann, bob, carol]) await x.close()
})

test('against an engine moves are taken back to an entry at once', async () => {
  const ann = await venue.visit()
  const a = await openPage(ann)
  const room = await openRoom(a, 'connect6', { undo: true, clock: 'inf' })
  const id = room.split('/').pop()!
  for (const body of [{ do: 'sit', place: 0, kind: 'person' }, { do: 'sit', place: 1, kind: 'bot', engine: 'bot=1' }, { do: 'ready' }, { do: 'start' }]) await command(a, id, body)
  await decide(a, [], 1)
  await listed(a, 2)
  await decide(a, [], 2)
  await listed(a, 4)
  const list = await entries(a)
  assert.match(list[1]!, /^2 \w+ \w+$/)
  await a.getByRole('button', { name: 'Take back to here, after move 2' }).click()
  await listed(a, 2)
  assert.deepEqual(await entries(a), list.slice(0, 2))
  await decide(a, [], 2)
  await listed(a, 4)
  assert.deepEqual(venue.faults, [])
  await ann.close()
})

test('a rematch shows nothing of the game before, however long it takes to begin', async () => {
  const [ann, bob] = [await venue.visit(), await venue.visit()]
  const [a, b] = [await openPage(ann), await openPage(bob)]
  const room = await openRoom(a, 'gomoku')
  await seat(a, b, room)
  await a.getByRole('button', { name: 'Start', exact: true }).click()
  await turn(a)
  await decide(a, [b], 1)
  await resign(a)
  for (const x of [a, b]) await says(x.locator('.kb-status'), /Game over|wins|You /)

  // The stream of the game that comes is held up.
  let go: () => void = () => {}
  const held = new Promise<void>((open) => { go = open })
  await b.route(/\/api\/v1\/games\/\w+\/events/, async (r) => {
    await held
    await r.continue()
  })
  await b.getByRole('button', { name: 'Rematch' }).click()
  await a.locator('#card').getByText('wants a rematch').waitFor()
  await says(a.locator('.kb-voice'), /^\S+ wants a rematch$/)
  await a.setViewportSize({ width: 390, height: 844 }) // a page that is loaded anew has no card
  await a.reload()
  await says(a.locator('#room-news .again'), /^\S+ wants a rematch$/)
  assert.ok(await a.locator('#room-news .again').evaluate((e) => e.scrollWidth <= e.clientWidth + 1), 'it is cut on a phone')
  await b.reload()
  await says(b.locator('#room-news .again'), 'You ask for a rematch.')
  await a.getByRole('button', { name: 'Rematch' }).click()
  await b.waitForFunction(() => document.querySelector<HTMLElement>('.acts')?.dataset['game'])
  await b.locator('#no-game').waitFor()
  assert.equal(await b.locator('.outcome').count(), 0)
  assert.equal(await b.locator('.kb-status').isVisible(), false, 'the result of the game before')
  assert.equal(await b.locator('#moves li').count(), 0)
  assert.equal(await b.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')!.state), undefined)
  const r = await ask<{ room: { phase: string; game: { id: string }; last?: { id: string } } }>(b, `rooms/${room.split('/').pop()}`)
  assert.equal(r.room.phase, 'playing')
  const g = await ask<{ id: string; result?: unknown; state: string }>(b, `games/${r.room.game.id}`)
  assert.deepEqual([g.result, r.room.last?.id === g.id], [undefined, false])
  go()
  await turn(b)
  assert.equal(await b.locator('.kb-status').isVisible(), true)
  await says(b.locator('.kb-status'), /Your turn/)
  assert.equal(await b.locator('#no-game').isVisible(), false)
  for (const x of [ann, bob]) await x.close()
})
