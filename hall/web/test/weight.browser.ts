// What a page fetches when it is opened for the first time stays small. Times are told by
// `npm run figures`; they are no test.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load, recordAndRoom, sum } from './load.ts'
import { openVenue } from './venue.ts'
import { openPage } from './visit.ts'

/** Bytes of a page with a board as they are sent. */
const most = 60_000
const mostOfGame = 65_000
/** All style of a page. */
const mostStyle = 12_000

const venue = openVenue()

test('pages with a board are light, and hardly anything on them moves while they are loaded', async () => {
  const c = await venue.visit()
  const { room, game } = await recordAndRoom(c, venue.hall)
  const storageState = await c.storageState()
  for (const path of ['/', room, `/games/${game}`, `/embed/${game}`]) {
    for (const width of [1280, 390]) {
      const fresh = await venue.visit({ storageState, viewport: { width, height: 900 } })
      const l = await load(await openPage(fresh), path, path !== '/')
      const { packed } = sum(l)
      assert.ok(packed > 5000 && packed < (path.startsWith('/games') ? mostOfGame : most), `${path}: ${packed} bytes: ${JSON.stringify(l.weights)}`)
      assert.ok(l.weights['styles']!.packed <= mostStyle, `${path}: ${l.weights['styles']!.packed} bytes of style`)
      if (path === '/') assert.equal(l.waits, 0, 'files that the first page waits for before it is drawn')
      // What stands below the curves of a record, or below an embedded board, still moves.
      assert.ok(l.shift < (/games|embed/.test(path) ? 0.1 : 0.01), `${path}, ${width}: moved by ${l.shift}`)
      await fresh.close()
    }
  }
  await c.close()
  assert.deepEqual(venue.faults, [])
})
