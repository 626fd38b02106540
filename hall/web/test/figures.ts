// Measures pages as a browser takes them from a hall on this machine: weight, when what is
// seen, how long a move is on its way to the screen, what twenty live boards, a full one and a
// long series cost. What has a goal is told beside it; a goal that is missed ends the run with 1.
// The machine must have nothing else to do. node build/figures.mjs [ROW...], by their names in rows

import { cpus } from 'node:os'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { boards } from '../src/games/list.ts'
import { openBrowser, whole } from './browser.ts'
import { openHall } from './hall.ts'
import { load, recordAndRoom, sum, type Load } from './load.ts'
import { openGallery } from './site.ts'
import { ask, decidedSince, openPage, openRoom, playBot, post, resign, spotsOf, take, turn, visit } from './visit.ts'

const [hall, browser] = await Promise.all([openHall(), openBrowser(whole)])
const faults: string[] = []
const missed: string[] = []

const at = (list: readonly number[], share: number) => list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? NaN
const median = (list: readonly number[]) => at(list, 0.5)
const kb = (bytes: number) => (bytes / 1000).toFixed(1)

/** Tells a figure and its goal, if it has one: in milliseconds, unless the unit is another. */
function held(what: string, figure: number, goal?: number, unit = 'ms'): string {
  const text = `${what} ${figure.toFixed(unit === 'ms' && figure >= 20 ? 0 : 1)} ${unit}${goal === undefined ? '' : ` (goal ${goal})`}`
  if (goal !== undefined && !(figure <= goal)) missed.push(text)
  return text
}

/** Tells all of some figures, those that have one beside their goal. */
const heldAll = (found: Readonly<Record<string, readonly number[]>>, goals: Readonly<Record<string, number>>): string =>
  Object.entries(found).map(([what, list]) => `${held(what, median(list), goals[what])}, ${Math.max(...list).toFixed(0)} the longest`).join('; ')

console.log(`On ${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}), Chromium ${browser.version()}, ${new Date().toISOString().slice(0, 10)}, \`npm run figures\`. Each page is opened seven times with nothing cached; times are medians.\n`)
const c = await visit(browser, hall, faults)
const { room, game } = await recordAndRoom(c, hall)
const rows: Readonly<Record<string, () => Promise<void>>> = { pages, moves, twenty, crowded, slowPhone, atOnce, friends, series }
const chosen = process.argv.slice(2)
for (const [name, row] of Object.entries(rows)) if (chosen.length === 0 || chosen.includes(name)) await row()
await c.close()
await browser.close()
await hall.close()
for (const text of missed) console.log(`\nMISSED: ${text}`)
if (missed.length > 0) process.exitCode = 1

/** Opens each page several times in a context without a cache. */
async function pages(): Promise<void> {
  console.log('| page | first paint | board visible | layout shift | blocked | as sent | unpacked | requests |')
  console.log('|---|---|---|---|---|---|---|---|')
  const kinds: string[] = []
  for (const [name, path] of [['lobby', '/'], ['room', room], ['viewer', `/games/${game}`]] as const) {
    const found: Load[] = []
    for (let n = 0; n < 7; n++) {
      const fresh = await visit(browser, hall, faults, { storageState: await c.storageState() })
      found.push(await load(await openPage(fresh), path, true))
      await fresh.close()
    }
    const ms = (f: (l: Load) => number) => `${median(found.map(f)).toFixed(0)} ms`
    const all = sum(found[0]!)
    console.log(`| ${name} | ${ms((l) => l.paint)} | ${ms((l) => l.board)} | ${Math.max(...found.map((l) => l.shift)).toFixed(4)} | ${ms((l) => l.blocked)} | ${kb(all.packed)} kB | ${kb(all.plain)} kB | ${all.requests} |`)
    kinds.push(`${name}: ${Object.entries(found[0]!.weights).map(([kind, w]) => `${kind} ${kb(w.packed)} kB (${kb(w.plain)})`).join(', ')}`)
  }
  console.log(`\nBy kind, as sent and unpacked: ${kinds.join('; ')}.\n`)
}

/** Two engines play, and a page shows it: from the event, as the worker dates it, to the
 * frame that shows it. */
async function moves(): Promise<void> {
  const watching = await visit(browser, hall, faults) // a page that is behind another is not drawn
  const [host, look] = [await openPage(c), await openPage(watching)]
  const path = await openRoom(host, 'amazons', { clock: '1+0' })
  for (const place of [0, 1]) {
    await host.locator(`#engine-${place}`).selectOption('bot=9')
    await host.locator(`.seat[data-place="${place}"] button[value=engine]`).click()
    await host.locator(`.seat[data-place="${place}"] button[value=stand]`).waitFor()
  }
  await look.goto(path)
  await look.evaluate(() => {
    const waits: number[] = []
    let before = 0
    Object.assign(window, { waits })
    document.addEventListener('kibitz-state', (e) => {
      const s = (e as CustomEvent<{ at: number; history?: unknown[] }>).detail
      const n = s.history?.length ?? 0
      const moved = before > 1 && n > before
      before = n
      if (!moved) return // what engines say comes later than what it is dated by
      requestAnimationFrame(() => setTimeout(() => waits.push(Date.now() - s.at)))
    })
  })
  await host.getByRole('button', { name: 'Start', exact: true }).click()
  await look.waitForFunction(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.result, undefined, { timeout: 180_000 })
  const waits = await look.evaluate(() => (window as unknown as { waits: number[] }).waits)
  console.log(`A move in a room where two engines play, from its event in the worker to the frame that shows it: ${held('in the middle', median(waits), 50)}, ${held('99 %', at(waits, 0.99), 150)}, of ${waits.length}.\n`)
  await host.close()
  await watching.close()
}

/** Twenty live boards on one page. */
async function twenty(): Promise<void> {
  const site = await openGallery()
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 } })
  await page.goto(`${site.url}/?mini=1&only=${Object.keys(boards).join(',')}&copies=20`)
  await page.waitForFunction(() => window.ready)
  const total = await meter(page)
  const [script, layout, style] = [await total('ScriptDuration'), await total('LayoutDuration'), await total('RecalcStyleDuration')]
  const waits = await page.evaluate(async () => {
    const waits: number[] = []
    for (let n = 0; n < 25; n++) {
      for (const name of Object.keys(window.exhibits)) {
        const x = window.exhibits[name]!
        while (x.frames[x.next]?.kind === 'seat') x.next++
        const begin = performance.now()
        if (!window.step(name)) continue
        await new Promise((r) => requestAnimationFrame(r))
        waits.push(performance.now() - begin)
      }
    }
    return waits
  })
  const per = ((await total('ScriptDuration')) - script) * 1000 / waits.length
  const rest = ((await total('LayoutDuration')) - layout + (await total('RecalcStyleDuration')) - style) * 1000 / waits.length
  console.log(`Twenty live boards on a page, ${waits.length} moves: ${per.toFixed(2)} ms of script and ${rest.toFixed(2)} ms of style and layout for a move; from the event to the frame ${median(waits).toFixed(0)} ms, ${at(waits, 0.95).toFixed(0)} ms in 95 %.`)
  await page.close()
  site.close()
}

/** Reads what the browser counts of a page, in seconds. */
async function meter(page: Page): Promise<(name: string) => Promise<number>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  return async (name) => (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === name)?.value ?? 0
}

/** A board of 19 x 19 full of stones on a slow phone. */
async function crowded(): Promise<void> {
  const site = await openGallery()
  const page = await slowed(await browser.newPage({ viewport: { width: 390, height: 844 } }))
  await page.goto(`${site.url}/?only=connect6-won`)
  await page.waitForFunction(() => window.ready)
  // Puts a new board with so many stones on the page, and tells how long it takes until the frame that shows it is made.
  const show = (stones: number) => page.evaluate(async (stones) => {
    const { board: { state }, frames } = window.exhibits['connect6-won']!
    const { view } = state!
    const [piece] = (frames.at(-1)!.data as { view: { pieces: string } }).view.pieces.replaceAll('.', '')
    const text = (cell: (i: number) => string) => Array.from({ length: 361 }, (_, i) => (i < stones ? cell(i) : '')).join('')
    const full = document.createElement('kibitz-board') as KibitzBoard
    document.querySelector('main')!.replaceChildren(full)
    const frame = () => new Promise((r) => requestAnimationFrame(() => setTimeout(r)))
    await frame()
    const begun = performance.now()
    full.show({ ...state!, seq: 0, history: [], view: { ...view!, pieces: text(() => piece!).padEnd(361, '.'), owners: text((i) => String(i % 2)).padEnd(361, '-') } })
    await frame()
    return performance.now() - begun
  }, stones)
  const place = (i: number, n: number) => page.evaluate(async ([i, n]) => {
    const full = document.querySelector<KibitzBoard>('kibitz-board')!
    full.advance({ prev: n, seq: n + 1, at: 0, entries: [{ by: n % 2 ? 'second' : 'first', steps: [`p${i % 19},${Math.floor(i / 19)}`], ended: true }], cells: [{ i, c: `${full.state!.view!.pieces[0]}${n % 2}` }] })
    await new Promise((r) => requestAnimationFrame(() => setTimeout(r)))
    return full.state!.view!.pieces.replaceAll('.', '').length
  }, [i, n] as const)
  const total = await meter(page)
  const first = median([await show(361), await show(361), await show(361)])
  await show(341)
  const script: number[] = []
  for (let n = 0, stones = 341; stones < 361; n++) {
    const before = await total('ScriptDuration')
    stones = await place(stones, n)
    script.push((await total('ScriptDuration') - before) * 1000)
  }
  console.log(`\nA board of 19 x 19 with 361 stones, a sixth of the processor: ${held('drawn after', first, 250)}; ${held('script of a move', median(script), 8)}, ${Math.max(...script).toFixed(1)} ms the longest of ${script.length}.`)
  await page.close()
  site.close()
}

/** Two engines play a series of 500 games before somebody who looks on: what the page keeps of them. */
async function series(): Promise<void> {
  const host = await openPage(c)
  await host.goto('/')
  const { id } = (await post(host, 'rooms', { settings: { game: 'dotsandboxes:size=3', clocks: ['inf', 'inf'], games: 500, pause: 0 } })).body as { id: string }
  await host.goto(`/rooms/${id}`)
  for (const place of [0, 1]) {
    await host.locator(`#engine-${place}`).selectOption('bot=1')
    await host.locator(`.seat[data-place="${place}"] button[value=engine]`).click()
    await host.locator(`.seat[data-place="${place}"] button[value=stand]`).waitFor()
  }
  await host.getByRole('button', { name: 'Start', exact: true }).click()
  const cdp = await host.context().newCDPSession(host)
  await cdp.send('Performance.enable')
  const heap = async (games: number) => {
    for (;;) {
      if ((await ask<{ room: { played: number } }>(host, `rooms/${id}`)).room.played >= games) break
      await host.waitForTimeout(1000)
    }
    await cdp.send('HeapProfiler.collectGarbage')
    return (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === 'JSHeapUsedSize')!.value / 1e6
  }
  const half = await heap(250)
  const all = await heap(500)
  console.log(`\nA room where two engines play a series, what scripts keep: ${half.toFixed(1)} MB after 250 games, ${held('after 500', all, 40, 'MB')}, ${held('more than after 250', all - half, 0.5, 'MB')}.`)
  await host.close()
}

/** A slow phone on a slow network opens pages for the first time and places a stone. */
async function slowPhone(): Promise<void> {
  const found: Record<string, number[]> = {}
  const add = (what: string, ms: number) => (found[what] ??= []).push(ms)
  for (let n = 0; n < 3; n++) {
    const visitor = await slowed(await openPage(await visit(browser, hall, faults, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })))
    const came = performance.now()
    await visitor.goto('/', { waitUntil: 'commit' })
    await visitor.locator('[data-act=play]').tap()
    const begin = await turn(visitor)
    await take(visitor, begin, begin.legal[0]!, 'touch')
    const pressed = performance.now()
    await decidedSince(visitor, 0) // and the hall has it
    add('first visit to the first stone', performance.now() - came)
    await decidedSince(visitor, 1)
    add('Rabbit\'s first answer', performance.now() - pressed)
    await visitor.context().close()
    const player = await visit(browser, hall, faults)
    const host = await openPage(player)
    await playBot(host, 'othello', 1)
    const path = new URL(host.url()).pathname
    await host.close()
    const phone = await visit(browser, hall, faults, { storageState: await player.storageState(), viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const front = await slowed(await openPage(phone))
    const l = await load(front, '/', false)
    add('first page: first paint', l.paint)
    add('*Play* can be pressed', await front.evaluate(() => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).domInteractive))
    await front.close()
    const page = await slowed(await openPage(phone))
    add('room: board drawn', (await load(page, path, true)).board)
    await page.waitForFunction(() => (document.querySelector<KibitzBoard>('kibitz-board')?.possible.length ?? 0) > 0)
    add('can be played', await page.evaluate(() => performance.now()))
    for (const tap of ['first', 'second', 'third', 'fourth']) {
      const t = await turn(page)
      await page.waitForTimeout(1000)
      // What the browser itself tells of the tap: until the frame after it is on the screen, which has the stone.
      await page.evaluate(() => {
        let drawn = Infinity
        Object.assign(window, { stone: undefined })
        new MutationObserver((_, o) => { drawn = performance.now(); o.disconnect() }).observe(document.querySelector('.kb-picture')!, { subtree: true, childList: true })
        new PerformanceObserver((list, o) => {
          for (const e of list.getEntries()) if (e.name === 'pointerup') Object.assign(window, { stone: e.startTime + e.duration > drawn ? e.duration : NaN }), o.disconnect()
        }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
      })
      const finger = await touched(page, spotsOf(t.legal[0]!)[0]!)
      await page.waitForTimeout(80) // as long as a finger rests
      await finger.lift()
      add(tap === 'first' ? 'own stone after the first tap' : 'after later ones', (await page.waitForFunction(() => (window as unknown as { stone?: number }).stone).then((h) => h.jsonValue()))!)
    }
    const inputs = page.evaluate(() => new Promise<number[]>((done) => {
      const list: number[] = []
      new PerformanceObserver((l) => { for (const e of l.getEntries() as PerformanceEventTiming[]) if (e.interactionId) list.push(e.duration) }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
      document.addEventListener('over', () => done(list), { once: true })
    }))
    for (let n = 0; n < 12; n++) await take(page, await turn(page), (await turn(page)).legal[0]!, 'touch')
    await page.evaluate(() => document.dispatchEvent(new Event('over')))
    add('input to the next frame, 75 % of a game', at((await inputs).toSorted((a, b) => a - b), 0.75))
    await page.close()
    await phone.close()
    await player.close()
  }
  console.log(`\nA phone of 390 x 844 with a sixth of the processor, 400 ms there and back and 400 kbit/s, medians of three: ${heldAll(found, {
    'first visit to the first stone': 8000,
    'Rabbit\'s first answer': 1500,
    'first page: first paint': 1500,
    '*Play* can be pressed': 2000,
    'room: board drawn': 3000,
    'can be played': 3500,
    'own stone after the first tap': 50,
    'after later ones': 50,
    'input to the next frame, 75 % of a game': 150,
  })}.`)
}

/** Lays a finger on a spot of the board. */
async function touched(page: Page, spot: string): Promise<{ lift: () => Promise<void> }> {
  const cdp = await page.context().newCDPSession(page)
  const { x, y, width, height } = (await page.locator(`.kb-spot[data-spot="${spot}"]`).boundingBox())!
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: x + width / 2, y: y + height / 2 }] })
  return {
    async lift() {
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await cdp.detach()
    },
  }
}

/** Slows a page down to what a phone has: part of the processor, a time there and back, bytes a second. */
async function slowed(page: Page, { rate, latency, bytes } = { rate: 6, latency: 400, bytes: 50_000 }): Promise<Page> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', { offline: false, latency, downloadThroughput: bytes, uploadThroughput: bytes })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate })
  return page
}

/** What is to come at once, on a phone with a quarter of the processor and 1.5 Mbit/s. */
async function atOnce(): Promise<void> {
  const found: Record<string, number[]> = {}
  const timed = async (what: string, act: () => Promise<unknown>) => {
    const begun = performance.now()
    await act()
    ;(found[what] ??= []).push(performance.now() - begun)
  }
  const phone = async () => {
    const page = await openPage(await visit(browser, hall, faults, { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }))
    await slowed(page, { rate: 4, latency: 150, bytes: 187_500 })
    return page
  }
  for (let n = 0; n < 5; n++) {
    const [a, b] = [await phone(), await phone()]
    await timed('first page: *Play now* is there', async () => {
      await a.goto('/', { waitUntil: 'commit' })
      await a.locator('[data-act=play]').waitFor()
    })
    await timed('*Play now* to one\'s own turn', async () => {
      await a.locator('[data-act=play]').tap()
      await turn(a)
    })
    await take(a, await turn(a), (await turn(a)).legal[0]!, 'touch')
    await turn(a)
    // From the finger's lift to the frame without the move: how a test finds the button is no part of it.
    const back = a.evaluate(() => new Promise<number>((done) => {
      const board = document.querySelector<KibitzBoard>('kibitz-board')!
      document.addEventListener('pointerup', () => {
        const pressed = performance.now()
        const look = () => { if (board.state?.history?.length) requestAnimationFrame(look); else done(performance.now() - pressed) }
        look()
      }, { capture: true, once: true })
    }))
    await a.locator('.acts [data-act=undo]').tap()
    ;(found['a move taken back against an engine'] ??= []).push(await back)
    await resign(a)
    await timed('*Rematch* to one\'s own turn or the engine\'s', async () => {
      await a.locator('.card-acts [data-act=rematch]').tap()
      await a.waitForFunction(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.view && !document.querySelector<KibitzBoard>('kibitz-board')?.state?.result)
    })
    await a.goto('/play/othello?with=friend')
    await a.locator('.sheet-foot button').tap()
    await a.waitForURL(/\/c\//)
    await b.goto(new URL(a.url()).pathname)
    await timed('both boards after the friend\'s *Play*', () => accepted(a, b))
    await Promise.all([a, b].map((x) => x.context().close()))
  }
  console.log(`\nA phone of 375 x 812 with a quarter of the processor, 150 ms there and back and 1.5 Mbit/s, medians of five: ${heldAll(found, { 'a move taken back against an engine': 300 })}.`)
}

/** The friend of who asks presses *Play*, and both have their boards. */
async function accepted(a: Page, b: Page): Promise<void> {
  await b.locator('[data-act=accept]').tap()
  await Promise.all([a, b].map(async (x) => {
    await x.waitForURL(/\/rooms\//)
    await x.locator('kibitz-board .kb-spot').first().waitFor()
  }))
}

/** Two friends on devices that are not slow. */
async function friends(): Promise<void> {
  const waits: number[] = []
  for (let n = 0; n < 5; n++) {
    const [a, b] = await Promise.all([1, 2].map(async () => openPage(await visit(browser, hall, faults, { hasTouch: true })))) as [Page, Page]
    await a.goto('/play/othello?with=friend')
    await a.locator('.sheet-foot button').tap()
    await a.waitForURL(/\/c\//)
    await b.goto(new URL(a.url()).pathname)
    const begun = performance.now()
    await accepted(a, b)
    waits.push(performance.now() - begun)
    await Promise.all([a, b].map((x) => x.context().close()))
  }
  console.log(`\nTwo friends, after the *Play* of the one who comes: ${held('both boards', median(waits), 1000)}, ${Math.max(...waits).toFixed(0)} the longest of ${waits.length}.`)
}
