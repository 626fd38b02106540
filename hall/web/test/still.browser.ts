// Nothing on a stage moves, whatever is said, asked or refused. That nothing of it does while
// games are played is seen where they are (hall.browser.ts).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { noteBoxes, stages } from './boxes.ts'
import { fillRoom, openGuest, start } from './rooms.ts'
import { openVenue } from './venue.ts'
import { turn } from './visit.ts'

const venue = openVenue()

/** Shows a person's page what a game can bring: a wrong move, an offer, a lost connection. */
async function trouble(page: Page): Promise<void> {
  // Resigning is asked once more for 3 s, which a look from here may take: the press is the page's own.
  assert.ok(await page.evaluate(() => {
    const button = document.querySelector<HTMLElement>('.acts [data-act=resign]')!
    button.click()
    return button.matches('[data-armed]')
  }))
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

test('nothing on a stage moves at what disturbs a person', async () => {
  for (const [width, height] of stages) {
    const c = await venue.visit({ viewport: { width, height } })
    await c.addInitScript(noteBoxes)
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
