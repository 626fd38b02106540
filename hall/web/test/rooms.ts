// Rooms for tests and guests who open them, by the API alone.

import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { until } from './browser.ts'
import { ask, openPage, post } from './visit.ts'

/** A page of somebody who has just taken the account of a guest. */
export async function openGuest(c: BrowserContext): Promise<Page> {
  const page = await openPage(c)
  await page.goto('/settings')
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
