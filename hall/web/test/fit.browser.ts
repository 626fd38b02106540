// Every board fits every screen: board, bars with clocks, trays, what is said and what can
// be pressed stand whole on the first screen, on the pages of a room, of a game and of an
// analysis, as large as the formulas and the table of sizes want.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { drawn } from './browser.ts'
import { boards, looks } from '../src/games/list.ts'
import { fit, look, wrongs, type Fit } from './stage.ts'
import { fillRoom, openGuest, start } from './rooms.ts'
import { openVenue } from './venue.ts'
import { ask, openPage, post } from './visit.ts'

interface Row extends Fit {
  readonly viewport: string
  readonly game: string
}

const table = JSON.parse(readFileSync('test/fit.json', 'utf8')) as readonly Row[]
const viewports = [...new Set(table.map((x) => x.viewport))]
/** Screens that no table names. */
const more = ['1536x864', '375x812', '1280x900', '1260x600', '600x900', '599x901', '1000x999', '1000x1000', '932x430', '568x320', '430x932', '3440x1440']

/** Without the size chosen by hand the longest side of a board is at most so long. */
const most = 1200

const size = (viewport: string): [number, number] => viewport.split('x').map(Number) as [number, number]

const venue = openVenue()

/** Begins a game against an engine, and returns room and game. */
async function begin(page: Page, game: string): Promise<{ room: string; game: string }> {
  const room = await fillRoom(page, game, ['person', 'bot=1'])
  return { room, game: await start(page, room) }
}

/** Begins a game and resigns it. */
async function finish(page: Page, game: string): Promise<string> {
  const { game: id } = await begin(page, game)
  for (let n = 0; (await post(page, `games/${id}/acts`, { act: 'resign', id: `r${n}` })).status >= 300; n++) await page.waitForTimeout(20)
  while ((await ask<{ state: string }>(page, `games/${id}`)).state !== 'over') await page.waitForTimeout(20)
  return id
}

const shown = (page: Page) => page.locator('[data-part=board] .kb-picture[viewBox]').waitFor()

test('the table of sizes is what the formulas say', () => {
  const wrong = table.flatMap((x) => {
    const got = fit(x.game, ...size(x.viewport))
    const near = Math.abs(got.w - x.w) <= 1 && Math.abs(got.h - x.h) <= 1 && Math.abs(got.cell - x.cell) <= 0.06
    return near && got.mode === x.mode && got.turn === x.turn ? [] : [`${x.viewport} ${x.game}: ${JSON.stringify(x)} but ${JSON.stringify(got)}`]
  })
  assert.deepEqual(wrong, [])
  assert.equal(table.length, 18 * 9)
})

test('boards and all that one plays with are on the first screen', async () => {
  const c = await venue.visit()
  const host = await openGuest(c)
  const wrong: string[] = []
  const began = Date.now()
  let seen = 0
  const games = Object.keys(boards)
  const queue = [...games]
  const work = async () => {
    const pages = await Promise.all([openPage(c), openPage(c), openPage(c)])
    for (let game = queue.shift(); game; game = queue.shift()) {
      const over = await finish(host, game)
      const { room } = await begin(host, game)
      const places = [['room', `/rooms/${room}`], ['game', `/games/${over}?ply=0`], ['analysis', `/analysis?game=${game}`]] as const
      await Promise.all(places.map(async ([kind, path], i) => {
        const page = pages[i]!
        await page.setViewportSize({ width: 1440, height: 900 })
        await page.goto(path)
        await shown(page)
        for (const viewport of kind === 'room' ? [...viewports, ...more] : viewports) {
          const [width, height] = size(viewport)
          await page.setViewportSize({ width, height })
          if (looks[game]!.turned === 'quarters') await drawn(page) // it may be turned; all others follow the style sheet alone
          const want = fit(game, width, height, most)
          const need = ['bar0', 'bar1', 'say', 'acts', ...(want.mode === 'short' ? [] : ['head']), ...(want.mode === 'above' ? ['strip'] : []), ...(looks[game]!.ranks ? ['tray0', 'tray1'] : [])]
          const x = await look(page)
          const bad = wrongs(x, want, width, height, need, boards[game]!.shape === 'cells')
          if (kind === 'room' && x.clocks.length !== 2) bad.push(`${x.clocks.length} clocks`)
          wrong.push(...bad.map((b) => `${viewport} ${game} ${kind}: ${b}`))
          seen++
        }
      }))
    }
    await Promise.all(pages.map((p) => p.close()))
  }
  await Promise.all([work(), work()])
  console.log(`${seen} screens in ${Date.now() - began} ms`)
  assert.deepEqual(wrong.slice(0, 60), [], `${wrong.length} things`)
  await c.close()
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
