// A room in a real hall: two built-in engines play with a third one that comments; what
// they print fills the panes, in the room and in a page of its own, and statistics are
// shown as counts or shares.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { boxOf, says, slow, until } from './browser.ts'
import { command, fillRoom } from './rooms.ts'
import { obstacles, openVenue } from './venue.ts'
import { openPage, post } from './visit.ts'

/** Games of a second each, and such as take minutes. */
let room = ''
let slowRoom = ''

const venue = openVenue(async () => {
  const host = await openPage(await venue.visit())
  await post(host, 'account/guest', {})
  room = await begin(host, ['bot=4', 'bot=3'], 'inf')
  slowRoom = await begin(host, ['bot=9', 'bot=9'], '120')
})

/** Opens a room in which two engines play one game after the other, and a third one comments. */
async function begin(host: Page, engines: readonly string[], clock: string): Promise<string> {
  const id = await fillRoom(host, 'othello', engines, { games: 1000, kibitzer: 'bot=1', clocks: [clock, clock], pause: 1, undo: false, draw: false, abort: false })
  await command(host, id, { do: 'start' })
  return id
}

/** A page of the hall for somebody new. */
async function visit(path: string, scripts = true): Promise<Page> {
  const context = await venue.browser.newContext({ baseURL: venue.hall.url, reducedMotion: 'reduce', locale: 'en-GB', javaScriptEnabled: scripts, viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  page.on('pageerror', (e) => assert.fail(e))
  if (scripts) await slow(page)
  await page.goto(venue.hall.url + path)
  return page
}

/** Holds a page to WCAG 2.2 AA and to what axe calls good practice. */
async function noObstacle(page: Page): Promise<void> {
  assert.deepEqual(await obstacles(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']), [])
}

interface Console {
  readonly lines: readonly { readonly mark: string; readonly text: string }[]
}

/** What the pane of output says, without the times. */
const output = (page: Page): Promise<string[]> =>
  page.locator('.pane[data-pane=output] .line').evaluateAll((list) => list.map((l) => (l.textContent ?? '').trim().replace(/^\S+ /, '')))

test('panes fill, are held still, and stand in a window of their own', async () => {
  const page = await visit(`/rooms/${room}`)
  const pane = page.locator('#console .pane[data-pane=output]')
  await says(pane, /< move [a-h][1-8]/)
  assert.equal(await page.locator('#console .pane[data-pane=errors] .line').count(), 0)
  const tabs = page.locator('#room-consoles .switch a')
  await tabs.nth(1).click()
  await page.locator('#room-consoles .switch a[data-seat="1"][aria-current="true"]').waitFor()
  await says(pane, /< move [a-h][1-8]/)
  await noObstacle(page)
  const pause = page.locator('[data-tool=hold]')
  await pause.click()
  assert.equal(await pause.getAttribute('aria-pressed'), 'true')

  const opened = page.waitForEvent('popup')
  await page.locator('#console-pop').click()
  const pop = await opened
  await pop.waitForURL(/\/console\/1\?game=/)
  const path = new URL(pop.url())
  const game = path.searchParams.get('game') ?? ''
  await says(pop.locator('.pane[data-pane=output]'), /< move [a-h][1-8]/)
  const kept = await pop.evaluate(async (id) => {
    for (;;) {
      const g = (await (await fetch(`/api/v1/games/${id}`)).json()) as { state: string }
      if (g.state === 'over') return (await (await fetch(`/api/v1/games/${id}/consoles/1`)).json()) as Console
      await new Promise((go) => setTimeout(go, 200))
    }
  }, game)
  const want = kept.lines.map((l) => `${l.mark} ${l.text}`)
  await pop.waitForFunction((n) => document.querySelectorAll('.pane[data-pane=output] .line').length === n, want.length)
  assert.deepEqual(await output(pop), want)
  await noObstacle(pop)
  await pop.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await pop.getByRole('button', { name: 'Copy', exact: true }).click()
  await pop.locator('[data-tool=copy][aria-pressed=true]').waitFor()
  assert.equal((await pop.evaluate(() => navigator.clipboard.readText())).trimEnd().split('\n').length, want.length + await pop.locator('.pane[data-pane=errors] .line').count())

  // On the page of the game they go with the board, and the board with them.
  const after = await visit(`/games/${game}?ply=3`)
  await after.locator('#play').waitFor() // the record has come
  await after.getByRole('tab', { name: 'Consoles' }).click()
  const third = await after.locator('#moves a[data-ply="3"]').first().textContent()
  const turn = after.locator('#console .pane[data-pane=output] .is-turn')
  await turn.filter({ hasText: new RegExp(`< move ${(third ?? '').trim().split(' ').at(-1) ?? ''}\\s*$`) }).waitFor()
  await after.keyboard.press('d')
  await after.locator('#console .pane[data-pane=output] .is-turn[data-ply="4"]').first().waitFor()
  await after.locator('#console .line[data-ply="7"]').first().click()
  await after.waitForURL(/ply=7$/)
  // Curves of what the engines said have the same cursor: moved in one of them it moves everywhere.
  await after.getByRole('tab', { name: 'Engine' }).click()
  const nodes = after.locator('#curve-nodes svg')
  await after.locator('#curve-depth .now').waitFor({ state: 'attached' })
  const cursor = () => after.locator('#curves .chart:visible .now').evaluateAll((list) => [...new Set(list.map((e) => e.getAttribute('d')))].join())
  const was = await cursor()
  assert.match(was, /^M[^,]*$/, 'curves are at different turns')
  // Long names leave headings whole, and values in sight.
  const heads = await after.locator('#curves .chart:visible figcaption').evaluateAll((list) => list.map((e) => {
    for (const s of [...e.querySelectorAll('span')].slice(1)) s.textContent = '— 5 a name of many letters and words'
    const [text, last] = [document.createRange(), e.lastElementChild!]
    text.selectNodeContents(e.firstChild!)
    return [text.getClientRects().length, last.getBoundingClientRect().right <= e.getBoundingClientRect().right + 0.5].join()
  }))
  assert.deepEqual([...new Set(heads)], ['1,true'])
  const area = await boxOf(nodes)
  await nodes.click({ position: { x: area.width - 12, y: 40 } })
  await after.locator('#console .pane[data-pane=output] .is-turn:not([data-ply="7"])').first().waitFor({ state: 'attached' })
  assert.notEqual(await cursor(), was)
  assert.match(await cursor(), /^M[^,]*$/)
  // The address follows the list in a moment.
  await after.waitForFunction(() => document.querySelector<HTMLElement>('#moves [aria-current]')?.dataset['ply'] === new URLSearchParams(location.search).get('ply'))
  // Two engines that agree draw one line; each for itself they mirror each other.
  const second = () => after.locator('#curve-score .curve-line.seat-1').getAttribute('d')
  const agreed = await second()
  await after.locator('#each').click()
  assert.notEqual(await second(), agreed)
  await after.getByRole('tab', { name: 'Consoles' }).click()
  await after.locator('#console .line[data-ply="7"]').first().click()
  await after.waitForURL(/ply=7$/)
  await after.getByRole('button', { name: 'This turn only' }).click()
  assert.deepEqual(await after.locator('#console .line:visible').evaluateAll((list) => [...new Set(list.map((l) => (l as HTMLElement).dataset['ply']))]), ['7'])
  const log = await after.evaluate(async () => (await fetch(document.querySelector<HTMLAnchorElement>('[data-tool=log]')!.href)).text())
  assert.match(log, new RegExp(`^\\S+ 2 < move ${(third ?? '').trim().split(' ').at(-1) ?? ''}$`, 'm'))
  await noObstacle(after)

  // Of a log of 150,000 lines, three at each decision, no more than a thousand are on the page, wherever one looks.
  await after.getByRole('button', { name: 'This turn only' }).click()
  await after.route(/\/consoles\/\d\?/, (r) => {
    const q = new URL(r.request().url()).searchParams
    const n = Number(q.get('lines'))
    const first = Math.max(1, q.has('from') ? Number(q.get('from')) : 3 * Number(q.get('ply')) + 75_000 - n / 5)
    return r.fulfill({ json: { attempt: 1, next: first + n, lines: Array.from({ length: n }, (_, k) => ({ at: '2026-01-01T00:00:00Z', mark: '<', text: `line ${first + k}`, ply: Math.floor((first + k - 75_000) / 3) })) } })
  })
  const begun = Date.now()
  await after.locator('#console-panel .switch a').nth(1).click()
  const long = after.locator('#console .pane[data-pane=output]')
  await long.locator('.is-turn').filter({ hasText: `line ${75_000 + 3 * 6}` }).first().waitFor()
  console.log(`a long log is open after ${Date.now() - begun} ms`)
  const numbers = () => long.locator('.line').evaluateAll((list) => [list.length, ...[list[0], list.at(-1)].map((e) => Number(/line (\d+)/.exec(e?.textContent ?? '')?.[1]))] as [number, number, number])
  for (const [down, way] of [[true, 3], [false, 5]] as const) {
    for (let k = 0; k < way; k++) {
      const [, from, to] = await numbers()
      await long.evaluate((e, end) => { e.scrollTop = end ? e.scrollHeight : 0 }, down)
      const [count, first, last] = await until(numbers, ([, f, l]) => (down ? l > to : f < from))
      assert.ok(count <= 1000 && last - first === count - 1, `${count} lines from ${first} to ${last}`)
    }
  }
  await after.unroute(/\/consoles\/\d\?/)

  const plain = await visit(path.pathname + path.search, false)
  assert.deepEqual(await output(plain), want)
  await Promise.all([page, after, plain].map((p) => p.context().close()))
})

test('a game that is over before a page could ask for it is shown', async () => {
  const [host, other] = [await visit('/'), await visit('/')]
  await post(host, 'account/guest', {})
  const id = await fillRoom(host, 'amazons', ['bot=1', 'bot=1'], { clocks: ['60', '60'] }) // of about 20 ms
  for (const p of [host, other]) await p.goto(`${venue.hall.url}/rooms/${id}`)
  await command(host, id, { do: 'start' })
  for (const p of [host, other]) {
    await p.waitForFunction(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.result)
    assert.ok(await p.locator('#moves li').count() >= 20)
    await p.locator('#board .kb-picture').waitFor()
    assert.equal(await p.locator('#no-game').isVisible(), false)
  }
  await Promise.all([host, other].map((p) => p.context().close()))
})

test('a third engine is heard by those who look on', async () => {
  const page = await visit(`/rooms/${slowRoom}`)
  await page.getByRole('tab', { name: 'Engine' }).click()
  await says(page.locator('#said'), /Kibitzer\n.*depth/s)
  // Each engine has a card: what it does, and what it says while it thinks.
  const cards = page.locator('#said [data-part^=engine]')
  await says(cards.first(), /^Level 9|^Dragon/)
  // Between two games, and before both have said something of a new one, they do neither.
  const doing = () => page.locator('#said').evaluate((box) => [...box.querySelectorAll<HTMLElement>('[data-part=engine0], [data-part=engine1]')].map((e) => / · (thinking|waiting)\n/.exec(e.innerText)?.[1]).sort())
  assert.deepEqual(await until(doing, (x) => x.join() === 'thinking,waiting'), ['thinking', 'waiting'])
  await says(page.locator('#said section:has-text("thinking")').first(), /depth \d+ · [\d,]+ nodes · .*nodes\/s\n/s)
  await page.locator('#curve-score .curve-line.third').waitFor({ state: 'attached' })
  await page.context().close()
})

test('statistics are counts or shares, and nothing moves', async () => {
  const page = await visit(`/rooms/${room}`)
  const box = page.locator('#room-stats')
  await box.locator('.switch').waitFor()
  await box.locator('.as-count').first().waitFor()
  const [before, after] = await box.evaluate((b) => {
    const widths = () => [...b.querySelectorAll('th, td')].map((c) => c.getBoundingClientRect().width)
    const first = widths()
    b.querySelector<HTMLElement>('.switch a[data-show=share]')?.click()
    return [first, widths()]
  })
  assert.deepEqual(after, before)
  assert.ok((before?.length ?? 0) > 10)
  await page.locator('#room-stats[data-show=share] .as-share').first().waitFor()
  assert.equal(await box.locator('.as-count').first().isVisible(), false)
  assert.match(page.url(), /stats=share/)
  const plain = await visit(`/rooms/${room}?stats=share`, false)
  assert.match(await plain.locator('#room-stats .as-share').first().innerText(), /%/)
  assert.equal(await plain.locator('#room-stats .as-count').first().isVisible(), false)
  await Promise.all([page, plain].map((p) => p.context().close()))
})
