// Every board fits every screen: board, bars with clocks, trays, what is said and what can
// be pressed stand whole on the first screen, on the pages of a room, of a game and of an
// analysis, as large as the formulas and the table of sizes want: each board on each screen,
// each page with each board and on each screen.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { drawn, until } from './browser.ts'
import { boards, looks } from '../src/games/list.ts'
import type { KibitzBoard } from '../src/board.ts'
import { fit, look, unpainted, wrongs, type Fit } from './stage.ts'
import { command, fillRoom, openGuest, start } from './rooms.ts'
import { openVenue } from './venue.ts'
import { ask, logIn, openPage, post, turn } from './visit.ts'

interface Row extends Fit {
  readonly viewport: string
  readonly game: string
}

const table = JSON.parse(readFileSync('test/fit.json', 'utf8')) as readonly Row[]
const viewports = [...new Set(table.map((x) => x.viewport))]
/** Screens that no table names. */
const more = [
  '1536x864', '375x812', '360x800', '412x915', '428x926', '1112x834', '1280x800', '1680x1050', '915x412', '740x360', '600x960', '1024x1366',
  '1260x600', '599x901', '1000x999', '1000x1000', '568x320', '2560x1080',
  '1265x720', '1425x900', // where a bar to scroll takes 15
]
const languages = ['en', 'zh-Hant', 'zh-Hans', 'cs', 'es']

/** Without the size chosen by hand the longest side of a board is at most so long. */
const most = 1200

const size = (viewport: string): [number, number] => viewport.split('x').map(Number) as [number, number]

const venue = openVenue()

/** Begins a game against an engine, and returns room and game. */
async function begin(page: Page, game: string): Promise<{ room: string; game: string }> {
  const room = await fillRoom(page, game, ['person', 'bot=1'])
  return { room, game: await start(page, room) }
}

/** Begins a game and resigns it. */
async function finish(page: Page, game: string): Promise<string> {
  const { game: id } = await begin(page, game)
  let n = 0
  await until(() => post(page, `games/${id}/acts`, { act: 'resign', id: `r${n++}` }), (r) => r.status < 300)
  const { state } = await until(() => ask<{ state: string }>(page, `games/${id}`), (x) => x.state === 'over')
  assert.equal(state, 'over')
  return id
}

/** The parts of a stage that one plays with. */
const needed = (game: string, mode: Fit['mode']): string[] =>
  ['bar0', 'bar1', 'say', 'acts', ...(mode === 'short' ? [] : ['head']), ...(mode === 'above' ? ['strip'] : []), ...(looks[game]!.ranks ? ['tray0', 'tray1'] : [])]

const shown = (page: Page) => page.locator('[data-part=board] .kb-picture[viewBox]').waitFor()

test('the table of sizes is what the formulas say', () => {
  const wrong = table.flatMap((x) => {
    const got = fit(x.game, ...size(x.viewport))
    const near = Math.abs(got.w - x.w) <= 1 && Math.abs(got.h - x.h) <= 1 && Math.abs(got.cell - x.cell) <= 0.06
    return near && got.mode === x.mode && got.turn === x.turn ? [] : [`${x.viewport} ${x.game}: ${JSON.stringify(x)} but ${JSON.stringify(got)}`]
  })
  assert.deepEqual(wrong, [])
  assert.equal(table.length, 18 * 9)
})

test('boards and all that one plays with are on the first screen', async () => {
  const c = await venue.visit()
  const host = await openGuest(c)
  const wrong: string[] = []
  const began = Date.now()
  let seen = 0
  const games = Object.keys(boards)
  const queue = [...games]
  const work = async () => {
    const page = await openPage(c)
    for (let game = queue.shift(); game; game = queue.shift()) {
      const places = [
        ['room', async () => `/rooms/${(await begin(host, game)).room}`], ['game', async () => `/games/${await finish(host, game)}?ply=0`], ['analysis', async () => `/analysis?game=${game}`],
      ] as const
      for (const [i, [kind, path]] of places.entries()) {
        await page.setViewportSize({ width: 1440, height: 900 })
        await page.goto(await path())
        await shown(page)
        await unpainted(page)
        for (const [n, viewport] of [...viewports, ...more].entries()) {
          if ((n + games.indexOf(game)) % places.length !== i) continue
          const [width, height] = size(viewport)
          await page.setViewportSize({ width, height })
          if (looks[game]!.turned === 'quarters') await drawn(page) // it may be turned; all others follow the style sheet alone
          const want = fit(game, width, height, most)
          const x = await look(page)
          const bad = wrongs(x, want, width, height, needed(game, want.mode), boards[game]!.shape === 'cells')
          if (kind === 'room' && x.clocks.length !== 2) bad.push(`${x.clocks.length} clocks`)
          wrong.push(...bad.map((b) => `${viewport} ${game} ${kind}: ${b}`))
          seen++
        }
      }
    }
    await page.close()
  }
  await Promise.all([work(), work()])
  console.log(`${seen} screens in ${Date.now() - began} ms`)
  assert.deepEqual(wrong.slice(0, 60), [], `${wrong.length} things`)
  await c.close()
})

/** A person of a name, who has just registered. */
async function register(c: BrowserContext, name: string): Promise<Page> {
  const page = await openPage(c)
  const r = await post(page, 'account/register', { name, password: 'as long as it must be' })
  assert.ok(r.status < 300, JSON.stringify(r))
  return page
}

/** What of a page does not show all its text, or lies outside of what it is in: names, clocks, what can be pressed, tabs. */
const cut = (page: Page, low: boolean): Promise<string[]> => page.evaluate((scrolls) => {
  const out: string[] = []
  for (const e of document.querySelectorAll<HTMLElement>(`.bar-name, .bar-score, .bar-clock, .acts-line button, .acts-line a, .offer > span${scrolls ? '' : ', .tab-row [role=tab]'}`)) {
    const r = e.getBoundingClientRect()
    if (r.width === 0 || getComputedStyle(e).visibility === 'hidden') continue
    const what = `${e.className || e.id || e.dataset['act']} "${e.textContent}"`
    if (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1) out.push(`${what} needs ${e.scrollWidth}x${e.scrollHeight}, has ${e.clientWidth}x${e.clientHeight}`)
    for (const x of e.closest('.offer') && !e.matches('.offer > span') ? e.children : []) if (x.scrollWidth > e.clientWidth + 1) out.push(`${what} holds ${x.scrollWidth}`)
    const box = e.closest('[data-part]')!.getBoundingClientRect()
    if (r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 || r.bottom > box.bottom + 1) out.push(`${what} is outside by ${Math.round(Math.max(box.left - r.left, r.right - box.right, box.top - r.top, r.bottom - box.bottom))}`)
    for (const y of e.parentElement!.children) {
      const q = y.getBoundingClientRect()
      if (y !== e && q.width > 0 && Math.min(r.right, q.right) - Math.max(r.left, q.left) > 1 && Math.min(r.bottom, q.bottom) - Math.max(r.top, q.top) > 1) out.push(`${what} and "${y.textContent}" overlap`)
    }
  }
  return out
}, low)

test('names of acts are whole on every screen in all languages, or icons stand alone', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const { room } = await begin(page, 'othello')
  const wrong: string[] = []
  for (const language of languages) {
    await page.request.post('/look', { form: { lang: language, to: '/settings' } })
    await page.goto(`/rooms/${room}`)
    await shown(page)
    await unpainted(page)
    for (const viewport of [...viewports, ...more]) {
      const [width, height] = size(viewport)
      await page.setViewportSize({ width, height })
      const bad = await page.locator('.acts .label:visible').evaluateAll((list) => list.flatMap((e) => (e.clientWidth > 1 && e.scrollWidth > e.clientWidth ? [`${e.textContent} needs ${e.scrollWidth}, has ${e.clientWidth}`] : [])))
      wrong.push(...bad.map((x) => `${viewport} ${language}: ${x}`))
    }
  }
  assert.deepEqual(wrong, [])
  await c.close()
})

test('of a game with lines no colour of stones is said, and long turns are listed on the narrowest screens', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const { room } = await begin(page, 'dotsandboxes')
  const wrong: string[] = []
  for (const language of languages) {
    await page.request.post('/look', { form: { lang: language, to: '/settings' } })
    await page.goto(`/rooms/${room}`)
    await turn(page)
    const said = await page.locator('.kb-status').textContent() ?? ''
    if (said.split(' · ').length !== 2) wrong.push(`${language}: ${said}`)
    await page.evaluate(() => { // chains of nine boxes
      const b = document.querySelector<KibitzBoard>('kibitz-board')!
      const chain = (y: number) => Array.from({ length: 5 }, (_, x) => [`e${x},${y}:0`, `e${x},${y}:1`]).flat()
      b.show({ ...b.state!, history: [{ by: 'first', steps: chain(0), ended: true }, { by: 'second', steps: chain(1), ended: true }] })
    })
    for (const width of [320, 360, 390, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await drawn(page)
      const wide = await page.evaluate(() => [document.documentElement, document.getElementById('moves-panel')!].map((e) => e.scrollWidth - e.clientWidth))
      if (wide.some((x) => x > 0)) wrong.push(`${language}, ${width}: wider by ${wide.join(' and ')}`)
    }
  }
  assert.deepEqual(wrong, [])
  await c.close()
})

test('the way to one\'s own game lies between the menu and what is one\'s own, for an admin too', async () => {
  const c = await venue.visit()
  const page = await openPage(c)
  await logIn(page, 'admin', venue.hall.password)
  const { room } = await begin(page, 'othello')
  await page.goto(`/rooms/${room}`)
  await turn(page)
  const wrong: string[] = []
  for (const language of languages) {
    await page.request.post('/look', { form: { lang: language, to: '/settings' } })
    await page.goto('/analysis?game=othello')
    await shown(page)
    for (const viewport of ['1025x768', '1112x834', '1280x720', '1366x768', '1920x1080']) {
      const [width, height] = size(viewport)
      await page.setViewportSize({ width, height })
      const bad = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll<HTMLElement>('.main-nav a, .me > *, .me a, .me button, .own-game')].filter((e) => e.checkVisibility())
        const own = boxes.find((e) => e.matches('.own-game'))
        if (!own) return ['it is not there']
        const [r, text] = [own.getBoundingClientRect(), own.querySelector('span')!]
        const over = boxes.filter((e) => { const q = e.getBoundingClientRect(); return e !== own && Math.min(r.right, q.right) - Math.max(r.left, q.left) > 1 })
        return [...over.map((e) => `over ${e.textContent}`), ...(innerWidth > 1900 && text.scrollWidth > text.clientWidth ? ['cut'] : [])]
      })
      wrong.push(...bad.map((x) => `${viewport} ${language}: ${x}`))
    }
  }
  assert.deepEqual(wrong, [])
  await c.close()
})

test('long names and times, an offer and larger text are whole in all languages', async () => {
  const contexts = [await venue.visit(), await venue.visit()]
  const [a, b] = [await register(contexts[0]!, 'Alexandrina-Featherstone'), await register(contexts[1]!, 'Maximilian.Wolkenstein-X')] as const
  const wrong: string[] = []
  const games = ['othello', 'gomoku', 'darkchess']
  for (const [n, game] of games.entries()) { // each language with each game and each offer, not with both
    const room = await fillRoom(a, game, ['person'], { clocks: ['7199', '7199'], access: 'listed' })
    for (const body of [{ do: 'enter' }, { do: 'sit', place: 1, kind: 'person' }, { do: 'ready' }]) await command(b, room, body)
    await b.goto(`/rooms/${room}`)
    await until(() => ask<{ room: { people: { name: string; here: boolean }[] } }>(a, `rooms/${room}`), (r) => r.room.people.some((x) => x.here && x.name.startsWith('Max')))
    const id = await start(a, room)
    for (const [m, [page, offer]] of ([[a, ''], [a, '#offer'], [b, '#asking']] as const).entries()) {
      if (page === a && offer) assert.ok((await post(b, `games/${id}/acts`, { act: 'draw', id: `d${game}` })).status < 300)
      for (const [k, language] of languages.entries()) {
        if ((n + m + k) % games.length !== 0) continue
        await page.request.post('/look', { form: { lang: language, to: '/settings' } })
        await page.goto(`/rooms/${room}`)
        await shown(page)
        if (offer) await page.locator(offer).waitFor()
        await unpainted(page)
        for (const viewport of ['320x568', '390x844', '844x390']) {
          const [width, height] = size(viewport)
          for (const text of ['100', '125']) {
            await page.evaluate((percent) => { document.documentElement.style.fontSize = `${percent}%` }, text)
            await page.setViewportSize({ width, height })
            await drawn(page)
            const want = fit(game, width, height, most)
            const bad = [...wrongs(await look(page), want, width, height, needed(game, want.mode), boards[game]!.shape === 'cells'), ...await cut(page, want.mode === 'short')]
            wrong.push(...bad.map((x) => `${viewport} ${game} ${language} ${text} % ${offer}: ${x}`))
          }
        }
      }
    }
  }
  assert.deepEqual(wrong.slice(0, 60), [], `${wrong.length} things`)
  for (const c of contexts) await c.close()
})

test('tabs that have no room beside a board and its trays are a sheet that a button opens', async () => {
  const c = await venue.visit({ hasTouch: true })
  const page = await openGuest(c)
  const wrong: string[] = []
  for (const [game, sheet] of [['darkchess', true], ['othello', false]] as const) {
    const over = await finish(page, game)
    const { room } = await begin(page, game)
    for (const path of [`/rooms/${room}`, `/games/${over}?ply=0`, `/analysis?game=${game}`]) {
      await page.goto(path)
      await shown(page)
      for (const viewport of ['844x390', '667x375', '1280x720', '390x844']) {
        const [width, height] = size(viewport)
        const at = `${viewport} ${path}`
        await page.setViewportSize({ width, height })
        await drawn(page)
        const button = page.locator('.tabs-button')
        const low = height < 500
        if (await button.isVisible() !== (sheet && low)) wrong.push(`${at}: the button is ${sheet && low ? 'not ' : ''}there`)
        const before = await look(page)
        if (await button.isVisible()) await button.click()
        const tabs = (await page.locator('.tab-row').boundingBox())!
        const panel = (await page.locator('.tab-panel[data-shown]').first().boundingBox())!
        if (tabs.x < 0 || tabs.x + tabs.width > width + 0.5 || await page.locator('.tab-row').evaluate((e) => e.scrollWidth > e.clientWidth + 1)) wrong.push(`${at}: tabs are cut`)
        if (low && (panel.height < 60 || panel.y + panel.height > height + 0.5)) wrong.push(`${at}: ${panel.height} px of a tab from ${panel.y}`)
        const list = page.locator('.tab-row [role=tab]:visible')
        for (let n = await list.count(); n-- > 0;) await list.nth(n).click()
        await page.keyboard.press('Escape')
        if (sheet && low) {
          if (await page.locator('.tab-row').isVisible()) wrong.push(`${at}: Escape leaves the sheet open`)
          if (!await button.evaluate((e) => e === document.activeElement)) wrong.push(`${at}: the button has not the focus again`)
        }
        assert.deepEqual((await look(page)).parts['board'], before.parts['board'])
      }
    }
  }
  assert.deepEqual(wrong, [])
  await c.close()
})

test('where a stage is higher than the screen it scrolls, and what one plays with stays in sight', async () => {
  const c = await venue.visit({ hasTouch: true })
  const page = await openGuest(c)
  const room = await fillRoom(page, 'darkchess', ['person', 'bot=1'])
  await start(page, room)
  await page.goto(`/rooms/${room}`)
  await turn(page)
  const cdp = await c.newCDPSession(page)
  assert.doesNotMatch(await page.locator('meta[name=viewport]').getAttribute('content') ?? '', /user-scalable|maximum-scale/)
  assert.match(await page.locator('meta[name=viewport]').getAttribute('content') ?? '', /viewport-fit=cover, interactive-widget=resizes-visual/)
  const wrong: string[] = []
  for (const [viewport, text] of [['320x400', 100], ['320x256', 100], ['390x844', 200], ['360x640', 200], ['844x390', 200], ['1280x720', 200]] as const) {
    const [width, height] = size(viewport)
    await page.setViewportSize({ width, height })
    await cdp.send('Page.setFontSizes', { fontSizes: { standard: 0.16 * text } })
    await drawn(page)
    const x = await look(page)
    for (const name of ['bar1', 'say', 'acts']) {
      const b = x.parts[name]!
      if (b.y < -0.5 || b.y + b.h > height + 0.5 || b.x < -0.5 || b.x + b.w > width + 0.5) wrong.push(`${viewport}, ${text} %: ${name} is at ${JSON.stringify(b)}`)
    }
    if (Math.max(x.parts['board']!.w, x.parts['board']!.h) < 180) wrong.push(`${viewport}, ${text} %: the board is ${x.parts['board']!.w} wide`)
    if (x.wide > width) wrong.push(`${viewport}, ${text} %: ${x.wide} wide`)
    wrong.push(...(await cut(page, true)).map((b) => `${viewport}, ${text} %: ${b}`))
  }
  await cdp.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
  await page.setViewportSize({ width: 390, height: 844 })
  // A drag beside the board scrolls nothing while one's clock runs; fingers enlarge everywhere.
  const touches = () => page.locator(':is(.bar, .say-line, .acts-line, .tray, .kb-picture, .tab-panel)').evaluateAll((list) => [...new Set(list.map((e) => getComputedStyle(e).touchAction))].sort())
  assert.deepEqual(await touches(), ['auto', 'pinch-zoom'])
  assert.equal(await page.locator(':is(.bar, .say-line, .acts-line, .tray)').evaluateAll((list) => { // at once: the next beat of the clock marks the bar again
    document.querySelector('.stage')!.removeAttribute('data-timed')
    return list.filter((e) => getComputedStyle(e).touchAction !== 'auto').length
  }), 0)
  // What a screen has rounded corners and a bar for is kept free.
  for (const [width, height, insets] of [[390, 844, { bottom: 34 }], [844, 390, { left: 47, right: 47 }]] as const) {
    await page.setViewportSize({ width, height })
    await cdp.send('Emulation.setSafeAreaInsetsOverride' as 'Page.enable', { insets: { top: 0, topMax: 0, left: 0, leftMax: 0, bottom: 0, bottomMax: 0, right: 0, rightMax: 0, ...insets } } as never)
    await drawn(page)
    for (const [name, b] of Object.entries((await look(page)).parts)) {
      if (!['bar0', 'bar1', 'tray0', 'tray1', 'board', 'say', 'acts', 'strip'].includes(name)) continue
      if (b.y + b.h > height - ('bottom' in insets ? 34 : 0) + 0.5 || b.x < ('left' in insets ? 47 : 0) - 0.5 || b.x + b.w > width - ('right' in insets ? 47 : 0) + 0.5) wrong.push(`${width}x${height}: ${name} is under a corner: ${JSON.stringify(b)}`)
    }
  }
  assert.deepEqual(wrong, [])
  await c.close()
})

test('a gauge has its place beside the board, where it comes without moving anything', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  await page.goto('/analysis?game=othello')
  await shown(page)
  const at = async () => {
    const out: Record<string, unknown> = {}
    for (const viewport of ['1280x720', '844x390', '768x1024', '390x844']) {
      const [width, height] = size(viewport)
      await page.setViewportSize({ width, height })
      await drawn(page)
      const { parts } = await look(page)
      const [g, b] = [parts['gauge']!, parts['board']!]
      const phone = width < 600
      assert.deepEqual(phone ? [g.h, g.x - b.x, g.y >= b.y + b.h - 0.5, g.y + g.h <= parts['bar1']!.y + 0.5] : [g.w, g.h, g.x >= -0.5, g.x + g.w <= b.x + 0.5], phone ? [6, 0, true, true] : [8, (await page.locator('.stage > .slot').boundingBox())!.height, true, true], `${viewport}: ${JSON.stringify([g, b])}`)
      out[viewport] = parts
    }
    return out
  }
  const gauge = page.locator('#gauge')
  const before = await at()
  assert.equal(await gauge.isVisible(), false)
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.evaluate(() => document.querySelector<HTMLElement>('#analyse')!.click())
  await gauge.waitFor()
  assert.deepEqual(await at(), before)
  assert.match(await gauge.evaluate((e) => getComputedStyle(e).getPropertyValue('--share')), /^\d+(\.\d+)?%$/)
  const hides = await begin(page, 'phantomgo')
  await page.goto(`/rooms/${hides.room}`)
  await shown(page)
  assert.equal(await gauge.count(), 0, 'a room that hides things has a gauge')
  await c.close()
})

test('the size of boards is chosen by a slider, kept, and then has no other bound than the screen', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const wide = async () => (await look(page)).parts['board']!.w
  const choose = async (value: string) => {
    const kept = page.waitForResponse((r) => r.url().endsWith('/look'))
    const tab = page.locator('#tab-info') // where there is a left column it is in sight
    if (await tab.isVisible()) await tab.click()
    await page.locator('#board-size').fill(value)
    await kept
    await drawn(page)
  }
  for (const [game, width, height] of [['othello', 1280, 720], ['gomoku', 1024, 768], ['darkchess', 1920, 1080]] as const) {
    const { room } = await begin(page, game)
    await page.setViewportSize({ width, height })
    await page.goto(`/rooms/${room}`)
    await shown(page)
    const [whole, usual] = [fit(game, width, height), game === 'othello' ? fit(game, width, height, most) : undefined]
    if (usual) assert.ok(Math.abs(await wide() - usual.w) <= 11, `${game}: ${await wide()} wide before anything is chosen`)
    for (const share of [60, 100]) {
      await choose(String(share))
      const want = whole.w * share / 100
      assert.ok(await wide() - want <= 1 && want - await wide() <= 11, `${game}, ${share} %: ${await wide()}, not ${want}`)
      await page.reload()
      await shown(page)
      await drawn(page)
      assert.ok(Math.abs(await wide() - want) <= 11, `${game}, ${share} %: ${await wide()} after it was opened again, not ${want}`)
    }
  }
  await c.close()
})

test('nothing that one plays with lies where a phone has its notch or its bar', async () => {
  const c = await venue.visit({ hasTouch: true, isMobile: true })
  const page = await openGuest(c)
  const cdp = await c.newCDPSession(page)
  const wrong: string[] = []
  for (const game of ['othello', 'darkchess']) {
    const { room } = await begin(page, game)
    await page.goto(`/rooms/${room}`)
    await shown(page)
    for (const [viewport, insets] of [['844x390', { left: 47, right: 47, bottom: 21, top: 0 }], ['390x844', { left: 0, right: 0, bottom: 34, top: 0 }]] as const) {
      const [width, height] = size(viewport)
      await page.setViewportSize({ width, height })
      await cdp.send('Emulation.setSafeAreaInsetsOverride' as 'Emulation.clearDeviceMetricsOverride', { insets } as never)
      await drawn(page)
      const { parts } = await look(page)
      for (const name of needed(game, fit(game, width, height).mode)) {
        const b = parts[name]!
        if (b.x < (name === 'head' ? 0 : insets.left) - 0.5 || b.x + b.w > width - insets.right + 0.5 || (height > width && b.y + b.h > height - insets.bottom + 0.5)) wrong.push(`${game}, ${viewport}: ${name} is at ${JSON.stringify(b)}`)
      }
    }
  }
  assert.deepEqual(wrong, [])
  await c.close()
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
