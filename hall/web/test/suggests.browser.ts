// An engine of Piskvork that suggests its moves, and leaves them to the person against whom it plays.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { says, until } from './browser.ts'
import { command, fillRoom, openGuest } from './rooms.ts'
import { openVenue } from './venue.ts'
import { decidedSince, post, take, turn } from './visit.ts'

const folder = mkdtempSync(join(tmpdir(), 'kibitz-suggests-'))
after(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'shy'), `#!/bin/sh
while read -r line; do
	case $line in
	START*) echo OK ;;
	ABOUT*) echo 'name="Shy", author="A. Nobody"' ;;
	BEGIN* | TURN*) echo SUGGEST 7,7 ;;
	PLAY*) echo "\${line#PLAY }" ;;
	END*) exit ;;
	esac
done
`, { mode: 0o755 })

const venue = openVenue(async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  // The hall must first hear of its worker's engines.
  await until(() => post(page, 'play', { game: 'gomoku', with: 'Shy' }), (r) => r.status < 300)
  await c.close()
}, { engines: `[[engine]]\nname = "Shy"\ncmd = "${join(folder, 'shy')}"\nproto = "piskvork"\ngames = ["gomoku"]\n` })

test('where an engine suggests a move, a press on the board decides', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const room = await fillRoom(page, 'gomoku', [], { clocks: ['inf', 'inf'], begins: 'first' })
  await command(page, room, { do: 'sit', place: 0, kind: 'engine', engine: 'Shy' })
  await command(page, room, { do: 'sit', place: 1, kind: 'person' })
  await command(page, room, { do: 'ready' })
  await page.goto(`/rooms/${room}`)
  await command(page, room, { do: 'start' })
  const hint = page.locator('#hint')
  await says(hint, /^Shy suggests h8\. Where is it to play\?$/)
  let t = await turn(page)
  const point = (text: string) => t.legal.find((s) => s.text === text)!
  await take(page, t, point('p2,3'), 'click')
  await decidedSince(page, 0)
  await says(hint, /^$/)
  t = await turn(page)
  assert.equal(t.history, 1)
  await take(page, t, point('p0,0'), 'click')
  await says(hint, /^Shy suggests h8\./)
  t = await turn(page)
  await take(page, t, point('p7,7'), 'keys')
  await decidedSince(page, 2)
  const steps = await page.evaluate(() => document.querySelector<HTMLElement & { state: { history: { steps: string[] }[] } }>('kibitz-board')!.state.history.flatMap((e) => e.steps))
  assert.deepEqual(steps, ['p2,3', 'p0,0', 'p7,7'])
  assert.deepEqual(venue.faults, [])
  await c.close()
})
