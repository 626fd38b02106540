// Rooms for tests and guests who open them, by the API alone.

import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { until } from './browser.ts'
import { ask, openPage, post, turn } from './visit.ts'

/** A page of somebody who has just taken the account of a guest. */
export async function openGuest(c: BrowserContext): Promise<Page> {
  const page = await openPage(c)
  await post(page, 'account/guest', {})
  return page
}

/** Opens a room whose places are taken, by the reader or by engines; start begins it. */
export async function fillRoom(page: Page, game: string, seats: readonly string[], settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { body } = await post(page, 'rooms', { settings: { game, clocks: ['5999', '5999'], lines: true, undo: true, draw: true, abort: true, ...settings } })
  const { id } = body as { id: string }
  for (const [place, engine] of seats.entries()) await command(page, id, engine === 'person' ? { do: 'sit', place, kind: 'person' } : { do: 'sit', place, kind: 'bot', engine })
  if (seats.includes('person')) await command(page, id, { do: 'ready' })
  return id
}

export async function command(page: Page, room: string, body: unknown): Promise<void> {
  const r = await post(page, `rooms/${room}/commands`, body)
  assert.ok(r.status < 300, JSON.stringify(r))
}

/** Begins a game and tells its identifier. */
export async function start(page: Page, room: string): Promise<string> {
  await command(page, room, { do: 'start' })
  const { room: r } = await until(() => ask<{ room: { game?: { id: string } } }>(page, `rooms/${room}`), (x) => x.room.game !== undefined)
  assert.ok(r.game, 'no game begins')
  return r.game.id
}

/** Lets two guests sit down in a room of the first, each on its page, and begin. */
export async function together(a: Page, b: Page, game: string, settings: Readonly<Record<string, unknown>> = {}): Promise<{ room: string; id: string }> {
  const room = await fillRoom(a, game, ['person'], settings)
  for (const body of [{ do: 'enter' }, { do: 'sit', place: 1, kind: 'person' }, { do: 'ready' }]) await command(b, room, body)
  for (const p of [a, b]) await p.goto(`/rooms/${room}`)
  await until(() => ask<{ room: { people: { here?: boolean }[] } }>(a, `rooms/${room}`), (x) => x.room.people.filter((y) => y.here).length === 2)
  const id = await start(a, room)
  await turn(a)
  await b.waitForFunction(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.view)
  return { room, id }
}
