// Pages of games that are over, and analysis boards: how one is opened and pressed.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { boxOf, slow } from './browser.ts'
import type { Venue } from './venue.ts'

/** A page in a browser of somebody new; the first error on it fails the test. */
export async function openAt(venue: Venue, path: string, viewport = { width: 1440, height: 900 }): Promise<Page> {
  const page = await (await venue.browser.newContext({ reducedMotion: 'reduce', viewport })).newPage()
  page.on('pageerror', (e) => assert.fail(e))
  await slow(page)
  await page.goto(venue.hall.url + path)
  return page
}

/** Waits until the board shows a position after so many decisions and may be played on. */
export const asked = (page: Page, moves: number) => page.waitForFunction((n) => {
  const b = document.querySelector<KibitzBoard>('kibitz-board')
  return b?.state?.seq === n + 1 && b.possible.length > 0
}, moves)

/** Clicks on a point of the board. */
export async function press(page: Page, at: string): Promise<void> {
  const box = await boxOf(page.locator(`#board [data-spot="${at}"]`))
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}
