// Somebody who plays for the first time: two presses to the first stone, a whole game with all of it in
// sight, a result that is read and heard, and one press to the next game or to what went wrong.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { stepName } from '../src/names.ts'
import cs from '../words/lang/cs.json'
import en from '../words/lang/en.json'
import { says, until } from './browser.ts'
import { countTones } from './heard.ts'
import { openVenue } from './venue.ts'
import { Presses } from './presses.ts'
import { ask, decidedSince, openPage, outside, resign, take, turn, visits, type Way } from './visit.ts'

declare global {
  interface Window {
    /** How often the browser's sound was put to rest after its tones. */
    rests: number
  }
}

const venue = openVenue()

/** Counts from now on how often sound comes to rest. */
const countRests = (page: Page) => page.evaluate(() => {
  window.rests = 0
  const rest = AudioContext.prototype.suspend
  AudioContext.prototype.suspend = function () {
    window.rests++
    return rest.call(this)
  }
})

/** Plays on to the end: at each position, one's own and the other's, both bars, clocks, board and acts are in sight. */
async function playOn(page: Page, way: Way): Promise<number> {
  for (let n = 0; ; n++) {
    const t = await turn(page)
    if (t.result) return n
    assert.deepEqual(await outside(page), [], `after ${t.history} decisions`)
    await take(page, t, t.legal[n % t.legal.length]!, way)
    await decidedSince(page, t.history)
    const after = await page.evaluate(() => document.querySelector<HTMLElement & { state?: { result?: unknown } }>('kibitz-board')?.state?.result === undefined)
    if (after) assert.deepEqual(await outside(page), [], `after ${t.history + 1} decisions`)
  }
}

/** What of the card at the end is not in sight. */
const unseen = (page: Page) => page.locator('#card, #card-said, #card [data-act=rematch], #card [data-act=review]').evaluateAll((list) => list.filter((e) => {
  const r = e.getBoundingClientRect()
  return r.width === 0 || r.bottom > innerHeight + 0.5 || r.top < 0
}).map((e) => e.id || e.textContent))

for (const [locale, way, options] of visits) {
  const { board } = locale === 'cs' ? cs : en
  test(`from the first page to one's own move in two presses, a whole game in sight, its end read and heard, one press to the next or to its review: ${locale}, ${way}`, async () => {
    const c = await venue.visit({ ...options, locale })
    const page = await openPage(c)
    await page.goto('/')
    assert.deepEqual((await c.cookies()).map((x) => x.name), [], 'whoever only looks is nobody')
    const presses = new Presses(page, way)
    await presses.press('[data-act=play]')
    await page.waitForURL(/\/rooms\//)
    const first = await turn(page)
    await says(page.locator('.kb-status'), `${board['turn.yours']} · ${board['colour.black']}`)
    assert.deepEqual(first.legal.map((s) => stepName(first.view, s)), ['d3', 'c4', 'f5', 'e6'])
    assert.equal(await page.locator('kibitz-board .kb-may').count(), 4, 'where one may go is marked')
    await presses.move() // d3
    assert.equal(presses.count, 2)
    const second = await turn(page)
    assert.ok(second.history >= 2, 'Rabbit has answered')
    const { room } = await ask<{ room: { places: { kind: string; engine?: string }[] } }>(page, `rooms/${new URL(page.url()).pathname.slice('/rooms/'.length)}`)
    assert.deepEqual(room.places.map((p) => p.engine ?? p.kind), ['person', 'bot=2'])
    assert.match(await page.title(), /^● /)

    await countTones(page)
    await countRests(page)
    const tones = () => page.evaluate(() => window.tones)
    await presses.move()
    await page.waitForFunction(() => window.tones > 0) // one's own stone
    await turn(page)
    await page.waitForFunction(() => window.rests > 0) // and what came of it is over
    const moves = await playOn(page, way)
    assert.ok(moves >= 10, `the game ended after ${moves} moves`)

    const said = [board['say.youwon'], board['say.youlost'], board['say.drawn']].map((x) => x.replace(/\{.*/, '')).join('|')
    await says(page.locator('#card-said'), new RegExp(`^(${said}) ?\\d+–\\d+ \\(`))
    await says(page.locator('.kb-voice [aria-live=assertive]'), new RegExp(`(${said}) ?\\d+–\\d+ \\([^)]+\\)$`))
    for (const what of ['rematch', 'review']) await page.locator(`#card [data-act=${what}]`).waitFor() // the hall has written the game down
    assert.deepEqual(await until(() => unseen(page), (list) => list.length === 0), [], 'the result is not in sight') // what the room says next draws the card anew
    const again = new Presses(page, way)
    const game = await page.locator('kibitz-board').getAttribute('game')
    await again.press('#card [data-act=rematch]')
    await page.locator(`kibitz-board[game]:not([game="${game}"])`).waitFor()
    assert.equal(again.count, 1)

    await turn(page)
    const before = await tones()
    const end = new Presses(page, way)
    await resign(page, (what) => end.press(what))
    await says(page.locator('#card-said'), board['say.youlost'].replace('{score}', '').replace('{why}', board['why.resign']))
    await page.waitForFunction((n) => window.tones >= n + 2, before)
    await page.locator('.outcome').first().waitFor({ state: 'attached' })
    const back = new Presses(page, way)
    await back.press('#card [data-act=review]')
    await page.waitForURL(/\/games\/\w+\?review/)
    assert.equal(back.count, 1)
    await c.close()
  })
}

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
