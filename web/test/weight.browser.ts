// What a page fetches when it is opened for the first time stays small. Times are told by
// `npm run figures`; they are no test.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { openHall, type Hall } from './hall.ts'
import { load, sum } from './load.ts'
import { logIn, openPage, visit } from './visit.ts'

/** Bytes of a page with a board as they are sent. */
const most = 60_000

let hall: Hall
let browser: Browser
const faults: string[] = []

before(async () => {
  [hall, browser] = await Promise.all([openHall(), openBrowser()])
})

after(async () => {
  await browser?.close()
  await hall?.close()
})

test('pages with a board are light, and hardly anything on them moves while they are loaded', async () => {
  const c = await visit(browser, hall, faults)
  const page = await openPage(c)
  await logIn(page, 'admin', hall.password)
  const r = await page.request.post('/api/v1/games/import', { multipart: { file: { name: 'games.jsonl', mimeType: 'text/plain', buffer: readFileSync('test/screens/games.jsonl') } } })
  const { ids } = (await r.json()) as { ids: string[] }
  await page.goto('/')
  await page.getByRole('button', { name: 'Othello' }).click()
  await page.waitForURL(/\/rooms\//)
  const room = new URL(page.url()).pathname
  const storageState = await c.storageState()
  for (const path of ['/', room, `/games/${ids[0]}`, `/embed/${ids[0]}`]) {
    for (const width of [1280, 390]) {
      const fresh = await visit(browser, hall, faults, { storageState, viewport: { width, height: 900 } })
      const l = await load(await openPage(fresh), path, path !== '/')
      const { packed } = sum(l)
      assert.ok(packed > 5000 && packed < most, `${path}: ${packed} bytes: ${JSON.stringify(l.weights)}`)
      // What stands below the curves of a record, or below an embedded board, still moves.
      assert.ok(l.shift < (/games|embed/.test(path) ? 0.1 : 0.01), `${path}, ${width}: moved by ${l.shift}`)
      await fresh.close()
    }
  }
  await c.close()
  assert.deepEqual(faults, [])
})
