// People with engines of their own: a club whose leader opens a room for two that join from
// elsewhere, and an author who looks for what his engine did wrong.

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { says, until } from './browser.ts'
import { openLine } from './line.ts'
import { Presses } from './presses.ts'
import { command, openGuest } from './rooms.ts'
import { obstacles, openVenue } from './venue.ts'
import { ask, openPage, post } from './visit.ts'

const venue = openVenue()
const program = resolve(process.env['KIBITZ'] ?? 'build/kibitz')
const folder = mkdtempSync(join(tmpdir(), 'kibitz-engines-'))
const joined: ChildProcess[] = []

after(() => {
  for (const p of joined) p.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes a program of a few lines, and tells where it is. */
function script(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
  return file
}

/** Lets an engine join by the line of a room, and hears what is said of it. */
function joins(line: string, change: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}): () => string {
  const words = (line.match(/'[^']*'|\S+/g) ?? []).map((w) => w.replace(/'/g, '')).map((w) => change[w] ?? w)
  const p = spawn(program, [...words.slice(1), '--log', join(folder, `log${joined.length}`)], { env: { ...process.env, ...env }, cwd: folder })
  let text = ''
  for (const s of [p.stdout, p.stderr]) s?.on('data', (d: Buffer) => { text += d.toString() })
  joined.push(p)
  return () => text
}

// A room for two engines in five presses, one is away for 20 s, the leader ends it with one press.
test('a club night', async () => {
  const leader = await openPage(await venue.visit())
  await leader.goto('/')
  const p = new Presses(leader, 'click')
  await p.press('.tile[data-game=darkchess] .gear')
  await leader.locator('.sheet').waitFor()
  await p.press('label.chip:has([name=with][value=engines])')
  await p.press('.sheet details.rest > summary')
  p.count++ // typing is one
  await leader.locator('.sheet [name=games]').fill('10')
  await p.press('.sheet-foot button')
  await leader.waitForURL(/\/rooms\//)
  assert.equal(p.count, 5)
  const line = await leader.locator('[data-join]').innerText()
  assert.match(line, /^kibitz join http\S+ --room \w+ --engine 'cmd=\.\/engine'$/)
  assert.deepEqual(await obstacles(leader), [])

  // Both engines run the line at the same moment, one over a net that will fail; each waits a little with every line that it is told.
  const slow = join(folder, 'slow')
  writeFileSync(slow, '')
  const engine = `cmd=${script('club', `while read -r l; do [ -e ${slow} ] && sleep 0.3; echo "$l"; done | ${program} engine darkchess --proto dctp --level 1`)} proto=dctp`
  const net = await openLine(venue.hall.url)
  const said = [joins(line, { 'cmd=./engine': `${engine} name=near` }), joins(line, { 'cmd=./engine': `${engine} name=far`, [venue.hall.url]: net.url })]
  const plies = () => leader.evaluate(() => document.querySelector<HTMLElement & { state?: { history?: unknown[] } }>('kibitz-board')?.state?.history?.length ?? 0)
  assert.ok(await until(plies, (n) => n >= 3) >= 3, said.map((s) => s()).join('\n'))

  // Whoever looks on sees board, trays, clocks, and cards of both engines.
  await leader.getByRole('tab', { name: 'Engine' }).click()
  for (const part of ['engine0', 'engine1', 'tray0', 'tray1', 'board']) await leader.locator(`[data-part=${part}]`).waitFor()
  const thinking = () => leader.locator('#said section:has-text("thinking")').count() // none between two games
  assert.equal(await until(thinking, (n) => n === 1), 1, 'one of both is on turn')

  // Without its net it is marked, and the game goes on when it is back.
  net.cut()
  const bar = leader.locator('.bar[data-here=away]')
  await bar.locator('.bar-lag').getByText(/^away 0:(1[2-9]|[2-5])/).waitFor()
  await says(bar.locator('.bar-lag'), /away 0:[2-5]\d/) // or later, where nobody has looked for a while
  const before = await plies()
  net.mend()
  assert.ok(await until(plies, (n) => n > before + 1) > before + 1, said.map((s) => s()).join('\n'))
  await bar.waitFor({ state: 'detached' })

  // The leader ends after this game: a table of results, and its records.
  const end = new Presses(leader, 'click')
  await end.press('#room-acts button[value=stop]')
  rmSync(slow)
  await leader.locator('#room-stats table').first().waitFor()
  assert.equal(end.count, 1)
  const record = leader.locator('#room-stats a[href^="/games/"]').first()
  await record.waitFor()
  await record.click()
  await leader.locator('.formats a').nth(2).waitFor({ state: 'attached' }) // three at least
  for (const j of joined) j.kill()
  net.close()
  await leader.context().close()
})

// What his engine printed at its illegal move is three presses away.
test('from the first page an author', async () => {
  const author = await openPage(await venue.visit({ permissions: ['clipboard-read', 'clipboard-write'] }))
  await author.goto('/')
  const name = 'ada'
  assert.equal((await author.request.post('/api/v1/account/register', { data: { name, password: `${name} has a long password` } })).status(), 201)
  const { token } = (await post(author, 'account/tokens', { name: 'engine' })).body as { token: string }
  const host = await openGuest(await venue.visit())
  const { id } = (await post(host, 'rooms', { settings: { game: 'othello', clocks: ['300', '300'], lines: true } })).body as { id: string }
  await command(host, id, { do: 'sit', place: 1, kind: 'bot', engine: 'bot=1' })
  // What comes on standard error belongs to the turn in which it is read, and after the end is not waited for long, so
  // that on a busy machine there is time for all of it.
  const file = script('faulty', `n=0
while read -r word rest; do case "$word" in
  nboard) echo "set myname Faulty 0.1";;
  ping) echo "pong $rest";;
  go) n=$((n+1)); echo "move number $n" >&2; if [ $n -gt 1 ]; then echo "all is lost" >&2; fi; sleep 2; echo "search F5 0.50 0 $n"; if [ $n -gt 1 ]; then echo "=== A1"; else echo "=== F5"; fi;;
esac; done`)
  const said = joins(`kibitz join ${venue.hall.url} --room ${id} --engine 'E'`, { E: `cmd=${file} proto=nboard name=Robo` }, { KIBITZ_TOKEN: token })
  await until(() => ask<{ room: { places: { ready?: boolean }[] } }>(host, `rooms/${id}`), (r) => r.room.places[0]?.ready === true)
  await command(host, id, { do: 'start' })
  const list = await until(() => ask<{ games: { state: string; result?: { reason: string } }[] }>(host, `games?room=${id}`), (l) => l.games[0]?.state === 'over')
  assert.equal(list.games[0]?.result?.reason, 'illegal', said())

  await author.goto('/')
  const p = new Presses(author, 'click')
  await p.press('.main-nav a[href="/watch"]')
  await p.press('.tabs a[href="/engines"]')
  await says(author.locator('#own-engines'), /Robo.*illegal/s)
  assert.deepEqual(await obstacles(author), [])
  await p.press('#own-engines a')
  const errors = author.locator('#console .pane[data-pane=errors]')
  await errors.locator('.is-turn').filter({ hasText: 'all is lost' }).waitFor()
  assert.ok(p.count <= 6, `${p.count} presses`)
  const output = author.locator('#console .pane[data-pane=output]')
  for (const want of ['> go', '< === A1']) await output.locator('.is-turn').filter({ hasText: want }).first().waitFor()
  assert.equal(await errors.locator('.is-turn').filter({ hasText: 'move number 1' }).count(), 0, 'a line of another turn is marked')

  // His card has the name that the engine gave itself, at each position.
  for (const way of ['first', 'last']) {
    await author.locator(`[data-go=${way}]`).click()
    await says(author.locator('#said [data-part=engine0] h3'), /^Robo.* \(Faulty 0\.1\)/)
  }

  // What the engine was told up to here sets it there again; the whole log is a file.
  await p.press('[data-tool=copy]')
  await author.locator('[data-tool=copy][aria-pressed=true]').waitFor()
  const copied = await author.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^nboard 2\n/)
  assert.match(copied, /\ngo\n(?:[^]*\n)?$/)
  assert.doesNotMatch(copied, /=== |all is lost/)
  const [log] = await Promise.all([author.waitForEvent('download'), p.press('[data-tool=log]')])
  assert.equal(p.count, 5)
  assert.ok(await log.path())

  // The reason leads there too.
  await author.locator('#tab-info').click()
  await author.locator('#proof').click()
  await errors.locator('.is-turn').filter({ hasText: 'all is lost' }).waitFor()
  for (const page of [author, host]) await page.context().close()
})
