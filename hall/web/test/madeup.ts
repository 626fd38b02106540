// A hall with people, games, rooms and a tournament that are always the same.

import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { meant } from '../src/names.ts'
import type { Ask } from '../src/wire.ts'
import type { Hall } from './hall.ts'
import { command } from './rooms.ts'
import { ask, decidedSince, importGames, logIn, openPage, openRoom, post, resign, seat, turn, visit } from './visit.ts'

/** Pages of three people, who stay on a page of their own, and where to look. */
export interface MadeUp {
  readonly admin: Page
  readonly ann: Page
  readonly bob: Page
  /** Addresses of pages, by what they show. */
  readonly paths: Readonly<Record<'waiting' | 'running' | 'hidden' | 'over' | 'game' | 'hiddengame' | 'embed' | 'tournament' | 'entering', string>>
}

const password = 'correct horse'

/** Fills a hall; faults is told what goes wrong in browsers. */
export async function makeUp(browser: Browser, hall: Hall, faults: string[]): Promise<MadeUp> {
  const come = async () => openPage(await visit(browser, hall, faults, { reducedMotion: 'reduce' }))
  const [admin, ann, bob] = [await come(), await come(), await come()]
  await logIn(admin, 'admin', hall.password)
  const ids = await importGames(admin)
  for (const [page, name] of [[ann, 'Ann'], [bob, 'Bob']] as const) {
    assert.ok((await page.request.post('/api/v1/account/register', { data: { name, password } })).ok())
    await page.goto('/')
  }
  const over = await meet(ann, bob, 'gomoku', true)
  await play([ann, bob], 'h8 h9 g8 g9 f8 f9 e8 e9 d8')
  await ann.locator('#card [data-act=rematch]').waitFor()
  await bob.getByRole('button', { name: 'Rematch' }).click()
  await ann.getByRole('button', { name: 'Rematch' }).click()
  for (const p of [ann, bob]) await p.waitForFunction(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.result === undefined)
  await play([bob, ann], 'h8 j8 g7')
  await resign(ann)
  await bob.locator('.outcome').waitFor()
  const running = await meet(ann, bob, 'othello', false)
  await play([ann, bob], 'f5 d6 c3 d3 c4 f4 e6')
  await ann.getByLabel('Say something').fill('Good luck!')
  await ann.getByRole('button', { name: 'Send' }).click()
  await bob.locator('.talk').getByText('Good luck!').waitFor()
  await bob.goto('/')
  const hidden = await meet(bob, ann, 'phantomgo', false)
  await play([bob, ann], 'e5 c3 e4 g7 c7')
  await bob.goto('/')
  await ann.goto('/')
  const waiting = await openRoom(ann, 'darkchess', { clock: '300+3' })
  await ann.getByRole('button', { name: 'Take this seat' }).first().click()
  await ann.getByRole('button', { name: 'Leave the seat' }).waitFor()
  const both = await contests(admin)
  const game = (n: number) => ids[n]!
  return { admin, ann, bob, paths: { waiting, running, hidden, over, game: `/games/${game(0)}?ply=21`, hiddengame: `/games/${game(7)}?ply=20`, embed: `/embed/${game(1)}?ply=15`, ...both } }
}

/** Two people sit down in a room, the first as its host, and begin. */
async function meet(host: Page, guest: Page, game: string, rated: boolean): Promise<string> {
  const path = await openRoom(host, game, { clock: rated ? '300+3' : 'inf', rated })
  // Both leave a game without a clock, which is not to end before there is a picture of it.
  if (!rated) await command(host, path.slice('/rooms/'.length), { do: 'set', settings: { grace: 3600 } })
  await seat(host, guest, path, async () => {
    await guest.goto(path)
    await guest.getByRole('button', { name: 'Enter' }).click()
  })
  await host.getByRole('button', { name: 'Start', exact: true }).click()
  return path
}

/** Plays moves by the API, who is first in the list first. */
async function play(pages: readonly [Page, Page], moves: string): Promise<void> {
  for (const [n, word] of moves.split(' ').entries()) {
    const page = pages[n & 1]!
    const t = await turn(page)
    const step = meant(t.view, t.legal, word)
    assert.ok(step, `${word} is not legal`)
    const game = await page.locator('kibitz-board').getAttribute('game')
    const { prompt } = await ask<Ask>(page, `games/${game}/seat`)
    assert.equal((await post(page, `games/${game}/moves`, { prompt, steps: [step.text] })).status, 204, word)
    await decidedSince(page, t.history)
  }
}

/** A tournament that is over, whose results are all the director's, and one that takes
 * entries. */
async function contests(admin: Page): Promise<{ tournament: string; entering: string }> {
  const send = async (path: string, data: unknown): Promise<{ id: string; state: string }> => {
    const r = await admin.request.post(`/api/v1/${path}`, { data })
    assert.ok(r.ok(), await r.text())
    return (await r.json()) as { id: string; state: string }
  }
  const form = { game: 'amazons', games: 2, seed: 7, engines: ['Wren', 'Lark', 'Finch'].map((name) => `bot=9 name=${name} tc=600`) }
  const { id } = await send('tournaments', { ...form, name: 'Spring open' })
  const command = (x: unknown) => send(`tournaments/${id}/commands`, x)
  await command({ do: 'start' })
  await command({ do: 'pause' })
  const { games } = await ask<{ games: { number: number; state: string }[] }>(admin, `tournaments/${id}/schedule?from=1`)
  for (const g of games.filter((x) => x.state === 'playing')) await command({ do: 'abort', game: g.number })
  for (const [game, entry] of [[1, 2], [2, 1], [3, 3], [4, 3], [5, 3], [6, 2]]) await command({ do: 'forfeit', game, entry, note: 'did not come' })
  await command({ do: 'resume' })
  let { state } = await ask<{ state: string }>(admin, `tournaments/${id}`)
  for (; state !== 'finished'; { state } = await ask<{ state: string }>(admin, `tournaments/${id}`)) await admin.waitForTimeout(100)
  const next = await send('tournaments', { ...form, name: 'Summer open' })
  return { tournament: `/tournaments/${id}`, entering: `/tournaments/${next.id}` }
}
