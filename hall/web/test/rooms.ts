// Rooms for tests, opened by the API alone.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { ask, post } from './visit.ts'

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
  for (;;) {
    const { room: r } = await ask<{ room: { game?: { id: string } } }>(page, `rooms/${room}`)
    if (r.game) return r.game.id
  }
}
