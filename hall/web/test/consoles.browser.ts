// The console of an engine that printed more than a hall keeps.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { drawn, until } from './browser.ts'
import { command, fillRoom, openGuest } from './rooms.ts'
import { openVenue } from './venue.ts'
import { ask, post } from './visit.ts'

const folder = mkdtempSync(join(tmpdir(), 'kibitz-wordy-'))
after(() => rmSync(folder, { recursive: true }))

// Each of its moves has 10,000 lines of about 100 bytes, which is as much of a turn as is kept; no two of them touch.
writeFileSync(join(folder, 'wordy'), `#!/bin/sh
row=12; n=0
says() {
	awk -v n=$n 'BEGIN { for (i = 0; i < 10000; i++) printf "MESSAGE move %d line %d: depth 12 ev 34 n 5678 pv h8 i9 j10 k11 l12 m13 n14 o15 and on\\n", n, i }'
	echo "$((n % 8 * 2)),$((row + n / 8 * 2))"; n=$((n+1))
}
while read -r line; do
	case $line in
	START*) echo OK ;;
	ABOUT*) echo 'name="Wordy", author="A. Nobody"' ;;
	BEGIN*) row=0; says ;;
	TURN*) says ;;
	END*) exit ;;
	esac
done
`, { mode: 0o755 })

const venue = openVenue(async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  await until(() => post(page, 'play', { game: 'gomoku', with: 'Wordy' }), (r) => r.status < 300) // the hall has heard of it
  await c.close()
}, { engines: `[[engine]]\nname = "Wordy"\ncmd = "${join(folder, 'wordy')}"\nproto = "piskvork"\ngames = ["gomoku"]\n` })

test('of a console of ten megabytes as much is fetched and drawn as is looked at', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const room = await fillRoom(page, 'gomoku', [], { clocks: ['inf', 'inf'], begins: 'first', lines: true, maxMoves: 24 })
  for (const place of [0, 1]) await command(page, room, { do: 'sit', place, kind: 'engine', engine: 'Wordy' })
  await command(page, room, { do: 'start' })
  type Games = { games: { id: string; state: string; plies: number }[] }
  const [game] = (await until(() => ask<Games>(page, `games?room=${room}`), (l) => l.games[0]?.state === 'over')).games
  assert.equal(game?.plies, 24)
  const log = await page.request.get(`/games/${game!.id}/log/0`)
  const { length } = await log.body()
  assert.ok(length > 10 << 20, `a log of ${length} bytes`)

  await page.goto(`/games/${game!.id}?ply=19`)
  const tab = page.locator('#tab-console')
  await tab.waitFor()
  await page.locator('#play').waitFor() // the record has come: a tab that is pressed before shows no console
  let asks = 0
  page.on('request', (r) => { if (r.url().includes('/consoles/')) asks++ })
  const opened = await page.evaluate(async () => {
    const box = document.getElementById('console')!
    const begun = performance.now()
    const shown = new Promise<number>((done) => {
      new MutationObserver((_, o) => {
        if (!box.querySelector('.is-turn')) return
        o.disconnect()
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)))
      }).observe(box, { childList: true, subtree: true })
    })
    document.getElementById('tab-console')!.click()
    return shown
  })
  await drawn(page) // and nothing more is asked for
  const work = await page.evaluate(() => ({
    fetched: (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter((e) => e.name.includes('/consoles/')).map((e) => e.decodedBodySize),
    lines: document.querySelectorAll('#console .line').length,
    nodes: document.querySelectorAll('#console .pane *').length,
  }))
  console.log(`open after ${Math.round(opened)} ms: ${work.lines} lines of ${work.fetched.join('+')} bytes`)
  assert.equal(asks, 1, 'it is asked for once')
  assert.ok(work.fetched[0]! < 40_000, `${work.fetched[0]} bytes`)
  assert.ok(work.lines <= 150 && work.nodes <= 300, `${work.lines} lines, ${work.nodes} elements`)

  // The turn is in sight, and what one scrolls to belongs to it too; the page never holds more than a thousand.
  const pane = page.locator('#console [data-pane=output]')
  await pane.locator('.is-turn').filter({ hasText: '> TURN 0,14' }).waitFor()
  for (let k = 0; k < 4; k++) {
    const last = await pane.locator('.line').last().textContent()
    await pane.evaluate((e) => { e.scrollTop = e.scrollHeight })
    await page.waitForFunction((was) => document.querySelector('#console [data-pane=output]')?.lastElementChild?.textContent !== was, last)
  }
  assert.equal(await pane.locator('.line:last-child').getAttribute('class'), 'line is-from is-turn')
  assert.ok(await page.locator('#console .line').count() <= 1000)
  assert.deepEqual(venue.faults, [])
  await c.close()
})
