// While a game is played nothing on its stage moves, from its first position to its result,
// whatever is said, taken, asked or refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { drawn } from './browser.ts'
import type { Ask } from '../src/wire.ts'
import { fillRoom, openGuest, start } from './rooms.ts'
import { shortGames } from './short.ts'
import { openVenue } from './venue.ts'
import { openPage, turn } from './visit.ts'

declare global {
  interface Window {
    /** Boxes of the stage each time that they were another, from the first position on. */
    boxes: string[]
  }
}

const venue = openVenue()

/** Notes where the parts of a stage are whenever something on the page has changed. */
function note(): void {
  window.boxes = []
  const look = () => {
    const parts = [...document.querySelectorAll<HTMLElement>('[data-part]')].filter((e) => !['rail', 'left', 'card'].includes(e.dataset['part'] ?? ''))
    const now = parts.map((e) => {
      const r = e.getBoundingClientRect()
      return `${e.dataset['part']} ${[r.x, r.y + scrollY, r.width, r.height].map(Math.round).join(' ')}`
    }).join('\n')
    if (window.boxes.at(-1) !== now) window.boxes.push(now)
  }
  const watch = () => {
    if (!document.querySelector('[data-part=board] .kb-picture[viewBox]')) return void requestAnimationFrame(watch)
    requestAnimationFrame(() => {
      look()
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
    })
  }
  document.addEventListener('DOMContentLoaded', watch)
}

/** Answers each question with one of the legal steps, always the same way. */
function autopilot(): void {
  let n = 0
  document.addEventListener('kibitz-ask', (e) => {
    const a = (e as CustomEvent<Ask>).detail
    const steps = a.legal ?? []
    if (!a.prompt || a.over || steps.length === 0) return
    void fetch(`/api/v1/games/${a.game}/moves`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ prompt: a.prompt, steps: [steps[(n++ * 7) % steps.length]] }) })
  })
}

const viewports = [[390, 844], [1440, 900], [844, 390]] as const

test('nothing on a stage moves while a game is played', async () => {
  const c = await venue.visit()
  await c.addInitScript(note)
  await c.addInitScript(autopilot)
  const host = await openGuest(c)
  const wrong: string[] = []
  const queue = [...shortGames.entries()]
  const work = async () => {
    const page = await openPage(c)
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [n, game] = next
      const [width, height] = viewports[n % viewports.length]!
      await page.setViewportSize({ width, height })
      const room = await fillRoom(host, game, ['person', 'bot=1'])
      await start(host, room)
      await page.goto(`/rooms/${room}`)
      await page.waitForFunction(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.result, undefined, { timeout: 120_000 })
      await page.locator('.outcome').waitFor()
      await drawn(page)
      const boxes = await page.evaluate(() => window.boxes)
      if (boxes.length !== 1) wrong.push(`${game}, ${width}x${height}: ${boxes.slice(0, 2).join('\n--\n')}`)
    }
    await page.close()
  }
  await Promise.all([work(), work()])
  assert.deepEqual(wrong, [])
  await c.close()
})

/** Shows a person's page what a game can bring: a wrong move, an offer, a lost connection. */
async function trouble(page: Page): Promise<void> {
  await page.locator('[data-act=resign]').click()
  await page.locator('[data-act=resign][data-armed]').waitFor()
  const offered = await page.evaluate(() => {
    const board = document.querySelector<KibitzBoard>('kibitz-board')!
    const s = board.state!
    board.dispatchEvent(new CustomEvent('kibitz-ask', { bubbles: true, detail: { game: s.game, attempt: 1, seat: 0, seq: 9, asks: [{ by: 1, what: 'draw', num: 1 }] } }))
    return document.querySelector<HTMLElement>('#offer')!.hidden === false // until the hall asks the next time, which knows of no offer
  })
  assert.ok(offered)
  await page.evaluate(() => {
    const board = document.querySelector<KibitzBoard>('kibitz-board')!
    const s = board.state!
    board.dispatchEvent(new CustomEvent('kibitz-ask', { bubbles: true, detail: { game: s.game, attempt: 1, seat: 0, seq: 9, asks: [] } }))
    board.dispatchEvent(new CustomEvent('kibitz-hall', { bubbles: true, detail: { away: 'database' } }))
  })
  await page.locator('#hall-away').waitFor()
}

test('nor does it at what disturbs a person', async () => {
  for (const [width, height] of viewports) {
    const c = await venue.visit({ viewport: { width, height } })
    await c.addInitScript(note)
    const page = await openGuest(c)
    const room = await fillRoom(page, 'othello', ['person', 'bot=1'])
    await start(page, room)
    await page.goto(`/rooms/${room}`)
    await turn(page)
    await trouble(page)
    const corner = (await page.locator('kibitz-board [data-spot="0,0"]').boundingBox())!
    await page.mouse.click(corner.x + corner.width / 2, corner.y + corner.height / 2) // no move
    await page.locator('.kb-fault').filter({ hasText: /./ }).waitFor()
    await c.setOffline(true)
    await page.locator('#connection:visible').waitFor()
    await c.setOffline(false)
    const boxes = await page.evaluate(() => window.boxes)
    assert.equal(boxes.length, 1, boxes.slice(0, 2).join('\n--\n'))
    await c.close()
  }
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
