// How boards look where it is a matter of pixels and colours: sharp lines, high contrast; and
// how their moves are listed and looked through.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { drawn, until } from './browser.ts'
import { command, fillRoom, openGuest, start } from './rooms.ts'
import { openVenue } from './venue.ts'
import { decidedSince, openPage, take, turn } from './visit.ts'

const venue = openVenue()

/** A game of a person, at a place of its own. */
async function open(page: Page, game: string): Promise<void> {
  const room = await fillRoom(page, game, ['person', 'bot=1'])
  await start(page, room)
  await page.goto(`/rooms/${room}`)
  await turn(page)
}

/** Computed styles of the first element of a selector. */
const style = (page: Page, of: string, ...names: string[]): Promise<string[]> => page.locator(of).first().evaluate((e, list) => {
  const css = getComputedStyle(e)
  return list.map((name) => css.getPropertyValue(name))
}, names)

test('cells have whole device pixels, and lines of other boards are sharp', async () => {
  const c = await venue.visit({ viewport: { width: 390, height: 844 } })
  const page = await openGuest(c)
  const cdp = await c.newCDPSession(page)
  for (const game of ['othello', 'amazons', 'darkchess']) {
    await open(page, game)
    for (const deviceScaleFactor of [1, 1.1, 2, 2.625, 3]) {
      for (const [width, height] of [[390, 844], [375, 812], [1366, 768]].slice(deviceScaleFactor % 1 ? 1 : 0, deviceScaleFactor % 1 ? 2 : 3) as [number, number][]) {
        await cdp.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false })
        await drawn(page)
        const [pitch, scale] = await page.locator('.kb-picture').first().evaluate((e) => [(e as SVGSVGElement).getScreenCTM()!.a * 60 * devicePixelRatio, devicePixelRatio] as const)
        assert.ok(Math.abs(scale - deviceScaleFactor) < 0.001, `the screen has ${scale}`)
        assert.ok(Math.abs(pitch - Math.round(pitch)) < 0.05, `${game} at ${width}, x${deviceScaleFactor}: ${pitch}`)
      }
    }
  }
  await cdp.detach()
  for (const [game, lines] of [['gomoku', '.kb-grid'], ['surakarta', '.kb-edge'], ['dotsandboxes', '.kb-open']] as const) {
    await open(page, game)
    const [form, width, scaled] = await style(page, lines, 'shape-rendering', 'stroke-width', 'vector-effect')
    assert.equal(form, 'crispedges', game)
    // Firefox and Safari leave out such lines where they are thinner than a pixel.
    const scale = scaled === 'none' ? await page.locator('.kb-picture').first().evaluate((e) => (e as SVGSVGElement).getScreenCTM()!.a) : 1
    assert.ok(Number.parseFloat(width!) * scale >= 1, `${game}: lines of ${width} at a scale of ${scale}`)
  }
  await c.close()
})

test('a move styles anew what it changes, not the page', async () => {
  const c = await venue.visit({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await openGuest(c)
  await open(page, 'othello')
  const cdp = await c.newCDPSession(page)
  const styled: number[] = []
  cdp.on('Tracing.dataCollected', ({ value }) => {
    for (const e of value as { name?: string; args?: { elementCount?: number } }[]) if (e.name === 'UpdateLayoutTree') styled.push(e.args?.elementCount ?? 0)
  })
  const all = await page.locator('.room *').count()
  for (let n = 0; n < 3; n++) {
    const t = await turn(page)
    await page.waitForTimeout(300) // what the question brought
    const ended = new Promise((done) => { cdp.once('Tracing.tracingComplete', done) })
    await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline', 'blink'] } })
    await take(page, t, t.legal[0]!, 'touch')
    await decidedSince(page, t.history)
    await drawn(page)
    await cdp.send('Tracing.end')
    await ended
  }
  assert.ok(styled.length > 0, 'nothing was heard of styles')
  assert.ok(Math.max(...styled) < all / 3, `of ${all} elements ${styled.join()}`)
  await c.close()
})

test('who wants more contrast has it: black or white lines, no shades, rims', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const wishes = (['light', 'dark'] as const).flatMap((colorScheme) => (['more', 'no-preference'] as const).map((contrast) => ({ colorScheme, contrast })))
  const wanted = (colorScheme: 'light' | 'dark') => colorScheme === 'light' ? ['rgb(31, 34, 38)', 'rgb(0, 0, 0)', 'rgb(0, 0, 0)', 'rgb(255, 255, 255)'] : ['rgb(233, 230, 223)', 'rgb(255, 255, 255)', 'rgb(255, 255, 255)', 'rgb(0, 0, 0)']
  await open(page, 'gomoku')
  await page.mouse.move(0, 0)
  for (const { colorScheme, contrast } of wishes) {
    await page.emulateMedia({ colorScheme, contrast })
    await drawn(page)
    const [ink, ground, line, board] = wanted(colorScheme)
    const got = {
      quiet: await style(page, '.tab-row button:not([aria-selected=true])', 'color'),
      edge: await style(page, '[data-act=undo]', 'border-top-color', 'border-top-width'),
      grid: await style(page, '.kb-grid', 'stroke', 'stroke-width'),
      label: await style(page, '.kb-labels', 'fill'),
      board: [...await style(page, '.kb-board-hi', 'stop-color'), ...await style(page, '.kb-board-lo', 'stop-color')],
    }
    const want = { quiet: [ink], edge: [ink, '2px'], grid: [line, '2px'], label: [ground], board: [board, board] }
    if (contrast === 'more') assert.deepEqual(got, want, colorScheme)
    else for (const [name, value] of Object.entries(want)) assert.notDeepEqual(got[name as keyof typeof want], value, `${name} is so in any case`)
  }
  await open(page, 'othello')
  for (const { colorScheme, contrast } of wishes) {
    await page.emulateMedia({ colorScheme, contrast })
    await drawn(page)
    const stones = [...await style(page, '.kb-stone.kb-is-black', 'fill', 'stroke', 'stroke-width'), ...await style(page, '.kb-stone.kb-is-white', 'fill', 'stroke', 'stroke-width'), ...await style(page, '.kb-shadow', 'display')]
    const flat = ['rgb(0, 0, 0)', wanted(colorScheme)[2], '2px', 'rgb(255, 255, 255)', 'rgb(0, 0, 0)', '2px', 'none']
    if (contrast === 'more') assert.deepEqual(stones, flat, colorScheme)
    else assert.match(stones[0]!, /^url/)
  }
  await c.close()
})

test('what floats comes in 140 ms, with a shadow in the light alone; what is pressed is as high as a finger needs', async () => {
  for (const hasTouch of [false, true]) {
    const c = await venue.visit({ hasTouch, reducedMotion: 'no-preference' })
    const page = await openGuest(c)
    await open(page, 'othello')
    for (const [colorScheme, alpha] of [['light', '0.18'], ['dark', '0']] as const) {
      await page.emulateMedia({ colorScheme })
      assert.match((await style(page, '#more', 'box-shadow'))[0]!, new RegExp(`^rgba\\(0, 0, 0, ${alpha}\\) 0px 6px 24px 0px$`))
    }
    for (const [reducedMotion, times] of [['no-preference', [140]], ['reduce', []]] as const) {
      await page.emulateMedia({ reducedMotion })
      assert.deepEqual(await page.evaluate(() => {
        document.getElementById('more')!.showPopover()
        const all = document.getElementById('more')!.getAnimations().map((a) => a.effect!.getComputedTiming().duration)
        document.getElementById('more')!.hidePopover()
        return all
      }), times)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    assert.equal(await page.evaluate(() => { // what is asked, too, where there is room for it
      const offer = document.getElementById('offer')!
      offer.hidden = false
      const high = Math.min(...[...offer.querySelectorAll('button')].map((e) => e.getBoundingClientRect().height))
      offer.hidden = true
      return high
    }), hasTouch ? 44 : 36)
    await page.goto('/settings')
    const high = await page.locator('main :is(select, button:not(.link), input[type=text])').evaluateAll((list) => Math.min(...list.map((e) => e.getBoundingClientRect().height).filter((h) => h > 0)))
    assert.equal(high, hasTouch ? 44 : 40)
    await c.close()
  }
})

test('seats of Dots and Boxes have the colours of their lines, not those of stones', async () => {
  const c = await venue.visit({ colorScheme: 'light' })
  const page = await openGuest(c)
  await open(page, 'dotsandboxes')
  assert.deepEqual(await style(page, '.bar[data-seat="0"] .bar-mark', 'background-color'), ['rgb(31, 111, 184)'])
  assert.deepEqual(await style(page, '.bar[data-seat="1"] .bar-mark', 'background-color'), ['rgb(182, 60, 11)'])
  await open(page, 'othello')
  assert.deepEqual(await style(page, '.bar[data-seat="0"] .bar-mark', 'background-color'), ['rgb(23, 24, 26)'])
  const t = await turn(page)
  await take(page, t, t.legal[0]!, 'click')
  await decidedSince(page, t.history)
  const tones = await page.locator('#moves').evaluate((list) => ['::before', '::after'].map((at) => getComputedStyle(list, at).backgroundColor))
  assert.deepEqual(tones, ['rgb(23, 24, 26)', 'rgb(255, 255, 255)'], 'above the moves')
  assert.deepEqual(await style(page, '#moves li', 'border-left-width'), ['0px'])
  await page.goto(`/rooms/${await fillRoom(page, 'othello', ['person'])}`)
  const place = await until(() => style(page, '.seat-mark.mark-0', 'background-color'), ([x]) => x !== '') // it has none while parts are replaced
  assert.deepEqual(place, ['rgb(23, 24, 26)'], 'of a place')
  assert.deepEqual(await style(page, '#bar-bottom .bar-mark', 'background-color'), ['rgb(23, 24, 26)'], 'without a game')
  await page.goto(`/rooms/${await fillRoom(page, 'gomoku:opening=swap2', ['person'])}`)
  assert.equal(await page.locator('.seat-mark[data-colour], .bar-mark[data-colour]').count(), 0, 'where colours are chosen')
  await c.close()
})

test('what can be pressed is 24 wide and high at least, points of boards excepted', async () => {
  const page = await openGuest(await venue.visit())
  const room = await fillRoom(page, 'othello', ['person', 'bot=1'])
  await start(page, room)
  await page.goto(`/rooms/${room}`)
  await turn(page)
  for (const [width, height] of [[344, 882], [640, 360], [900, 500], [1280, 720]] as const) {
    await page.setViewportSize({ width, height })
    assert.deepEqual(await page.locator('a, button, input, select, summary').evaluateAll((list) => list.flatMap((e) => {
      const r = e.getBoundingClientRect()
      return !e.checkVisibility({ visibilityProperty: true }) || e.matches('.skip, svg *') || r.width >= 24 && r.height >= 24 ? [] : [`${e.className} ${e.textContent}: ${r.width} x ${r.height}`]
    })), [], `${width} x ${height}`)
  }
})

test('times of moves are hidden by a switch, and stay so; sound is switched in the head of a phone, which has no line for a title', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const room = await fillRoom(page, 'othello', ['person', 'bot=1'])
  await start(page, room)
  await page.goto(`/rooms/${room}`)
  await take(page, await turn(page), (await turn(page)).legal[0]!, 'click')
  await decidedSince(page, 1)
  const shown = () => page.locator('#moves .used').evaluateAll((list) => list.some((e) => getComputedStyle(e).display !== 'none'))
  assert.ok(await shown())
  assert.equal(await page.locator('#times').innerText(), 'time')
  assert.ok((await page.locator('#times').boundingBox())!.height >= 24)
  const kept = page.waitForResponse('**/look')
  await page.locator('#times').click()
  await kept
  assert.equal(await shown(), false)
  await page.reload()
  await page.locator('#moves li').nth(1).waitFor()
  assert.equal(await shown(), false)
  assert.equal(await page.locator('#times').getAttribute('aria-pressed'), 'false')
  const sound = page.locator('header [data-act=sound]')
  assert.equal(await sound.isVisible(), false, 'a desktop has it in More')
  for (const [width, height] of [[390, 844], [320, 568], [844, 390], [568, 320]] as const) {
    await page.setViewportSize({ width, height })
    const head = await page.locator('header > :visible').evaluateAll((list) => list.map((e) => { const r = e.getBoundingClientRect(); return { x: r.x, y: r.y, right: r.right, w: r.width, h: r.height } }))
    head.forEach((b, i) => {
      assert.ok(b.x >= 0 && b.right <= width && b.y >= 0 && b.y + b.h <= 48, `${width}x${height}: ${JSON.stringify(b)}`)
      assert.ok(i === 0 || b.x >= head[i - 1]!.right, `${width}x${height}: ${JSON.stringify(head)}`)
    })
    assert.ok((await sound.boundingBox())!.width >= 40)
    assert.equal((await page.locator('h1').boundingBox())!.width, 1)
  }
  const pressed = page.waitForResponse('**/look')
  await sound.click()
  await pressed
  assert.deepEqual(await page.locator('[data-act=sound]').evaluateAll((list) => list.map((e) => e.getAttribute('aria-pressed'))), ['false', 'false'])
  assert.equal(await page.locator('.room[data-sounds]').count(), 0)
  await c.close()
})

test('turns that close boxes say so, and arrows go by turns, with Shift by parts', async () => {
  const c = await venue.visit()
  const [host, page] = [await openGuest(c), await openPage(c)]
  const room = await fillRoom(host, 'dotsandboxes:size=3', ['bot=1', 'bot=1'])
  await page.goto(`/rooms/${room}`)
  await command(host, room, { do: 'start' })
  const sum = async (of: string) => (await page.locator(of).allInnerTexts()).reduce((all, text) => all + Number(/ \+(\d+)/.exec(text)?.[1] ?? 0), 0)
  await page.locator('.outcome').waitFor()
  await page.reload() // the game may have been over before the page had heard of it
  const id = (await page.locator('a[data-act=review]').first().getAttribute('href'))!.split(/[/?]/)[2]!
  assert.equal(await sum('#moves li'), 9)
  await page.goto(`/games/${id}?ply=0`)
  await page.locator('.kb-picture[viewBox]').waitFor()
  assert.equal(await sum('#moves li'), 9)
  await page.waitForFunction(() => document.querySelectorAll('#strip li').length > 0)
  assert.deepEqual(await page.locator('#strip li').evaluateAll((list) => list.map((li) => / \+\d+/.exec(li.textContent ?? '')?.[0])), await page.locator('#moves li').evaluateAll((list) => list.map((li) => / \+\d+/.exec(li.textContent ?? '')?.[0])))

  const at = (ply: number | undefined) => page.waitForFunction((k) => new URLSearchParams(location.search).get('ply') === String(k), ply)
  const ends = await page.locator('#moves li').evaluateAll((list) => list.map((li) => Number((li.querySelector('a:last-of-type') as HTMLElement).dataset['ply'])))
  const long = ends.findIndex((end, i) => end - (ends[i - 1] ?? 0) > 1)
  assert.ok(long >= 0, ends.join())
  await page.keyboard.press('Home')
  for (let n = 0; n <= long; n++) await page.keyboard.press('ArrowRight')
  await at(ends[long])
  await page.keyboard.press('Shift+ArrowLeft')
  await at(ends[long]! - 1)
  await page.keyboard.press('Shift+ArrowRight')
  await at(ends[long])
  await page.keyboard.press('ArrowLeft')
  await at(ends[long - 1] ?? 0)
  await c.close()
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
