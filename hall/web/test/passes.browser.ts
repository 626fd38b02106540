// Passes of renju in a hall: by the button, by a typed word and by the API, against a person
// and against an engine; and in a game that knows none.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { boxOf, says } from './browser.ts'
import { openGuest, together } from './rooms.ts'
import { openVenue } from './venue.ts'
import { ask, decidedSince, openPage, openRoom, post, resign, seat, take, turn, type Way } from './visit.ts'

const venue = openVenue()

/** Takes the step of a name, and waits until those who look on have it. */
async function decide(p: Page, others: readonly Page[], name: string, way: Way): Promise<void> {
  const t = await turn(p)
  const step = t.legal.find((s) => (name === 'pass' ? s.op === 'pass' : s.op === 'place'))
  assert.ok(step, `no ${name} among ${t.legal.map((s) => s.text).join(' ')}`)
  await take(p, t, step, way)
  for (const x of [p, ...others]) await decidedSince(x, t.history)
}

const pass = (p: Page) => p.getByRole('button', { name: 'Pass', exact: true })

test('two people pass by the button, by touch and by a word, and two passes in a row are a draw', async () => {
  const [a, b, c] = await Promise.all([venue.visit(), venue.visit({ hasTouch: true }), venue.visit()].map(async (x) => openPage(await x))) as [Page, Page, Page]
  const room = await openRoom(a, 'gomoku:rule=renju,size=9,pass=true', { clock: 'inf', undo: true })
  await seat(a, b, room)
  await a.getByRole('button', { name: 'Start', exact: true }).click()
  await turn(a)
  await c.goto(room)
  await turn(a)
  assert.deepEqual(await Promise.all([a, b, c].map((x) => pass(x).count())), [1, 1, 0], 'who plays has a pass')
  assert.deepEqual(await Promise.all([a, b].map((x) => pass(x).isEnabled())), [true, false], 'who is on turn may pass')
  assert.match(await a.locator('#tip-pass').textContent() ?? '', /two passes in a row are a draw/)

  const place = () => boxOf(b.locator('.acts > [data-act=resign]'))
  const before = await place()
  await decide(a, [b, c], 'place', 'click')
  await turn(b)
  assert.deepEqual(await place(), before, 'the first pass that is possible moves what stands beside it')
  await decide(b, [a, c], 'pass', 'touch')
  assert.deepEqual(await place(), before, 'what stands beside the pass has moved')
  assert.ok(await pass(b).isDisabled())
  await decide(a, [b, c], 'place', 'click')
  await decide(b, [a, c], 'place', 'click')
  for (const x of [a, b, c]) {
    await x.waitForFunction(() => document.querySelectorAll('#moves li').length === 4)
    assert.match(await x.locator('#moves li').nth(1).innerText(), /pass/i)
  }
  await decide(a, [b, c], 'pass', 'keys')
  await decide(b, [a, c], 'pass', 'type')
  for (const x of [a, b, c]) await says(x.locator('.outcome'), /^Draw \(both passed\)/)
  const { room: { last } } = await ask<{ room: { last: { id: string } } }>(a, `rooms/${room.slice('/rooms/'.length)}`)
  const g = await ask<{ plies: number; result: { reason: string } }>(a, `games/${last.id}`)
  assert.deepEqual([g.plies, g.result.reason], [6, 'passes'])
  await a.getByRole('link', { name: 'Review' }).click()
  await says(a.locator('#ply'), /^6 \/ 6$/)
})

/** A page on which a person has begun a game against an engine. */
async function againstEngine(spec: string) {
  const a = await openPage(await venue.visit())
  await openRoom(a, spec, { clock: 'inf' })
  await a.getByRole('button', { name: 'Take this seat' }).first().click()
  await a.locator('.seat[data-place="0"] button[value=stand]').waitFor()
  await a.locator('#engine-1').selectOption('bot=1')
  await a.getByRole('button', { name: 'Seat engine' }).click()
  await a.locator('.seat[data-place="1"] button[value=stand]').waitFor() // each form is sent by itself, and one may overtake another
  await a.getByRole('button', { name: 'I am ready' }).click()
  await a.getByRole('button', { name: 'Not ready' }).waitFor()
  await a.getByRole('button', { name: 'Start', exact: true }).click()
  return a
}

test('beside a pass what is asked is whole on a phone', async () => {
  const [a, b] = [await openGuest(await venue.visit({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, locale: 'cs' })), await openGuest(await venue.visit())]
  await together(a, b, 'gomoku:rule=renju,size=9,pass=true')
  await decide(a, [b], 'place', 'touch')
  await decide(b, [a], 'place', 'click')
  for (const [width, height] of [[360, 640], [390, 844], [412, 732]] as const) {
    await a.setViewportSize({ width, height })
    await b.locator('.acts > [data-act=undo]').click()
    await a.locator('#offer-text').getByText(/zpět/).waitFor()
    assert.ok(await a.locator('#offer-text').evaluate((e) => e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth + 1), `it is cut at ${width}`)
    await b.locator('[data-act=withdraw]').click()
    await a.locator('#offer').waitFor({ state: 'hidden' })
  }
})

test('what is planned, and a result, have nothing beside them that moves or no longer holds', async () => {
  const [a, b] = [await openGuest(await venue.visit({ viewport: { width: 320, height: 568 } })), await openGuest(await venue.visit())]
  await together(a, b, 'gomoku:rule=renju,size=9,pass=true')
  await decide(a, [b], 'place', 'click')
  await turn(b)
  const acts = () => a.locator('.acts-line button').evaluateAll((list) => list.map((e) => [e.textContent, JSON.stringify(e.getBoundingClientRect())].join(' ')))
  const before = await acts()
  const centre = await boxOf(a.locator('kibitz-board [data-spot="4,4"]'))
  await a.mouse.click(centre.x + centre.width / 2, centre.y + centre.height / 2)
  await says(a.locator('.kb-status'), /Planned: e5$/)
  assert.deepEqual(await acts(), before)
  await a.locator('.say-line').getByRole('button', { name: 'Cancel' }).click()
  await says(a.locator('.kb-status'), /white$/)
  await decide(b, [a], 'place', 'click')
  await turn(a)
  const cut = () => a.locator('.said-place > *').evaluateAll((list) => list.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent))
  await says(a.locator('.kb-notes'), 'You may pass')
  assert.deepEqual(await cut(), [], 'beside a note')
  await resign(a)
  for (const x of [a, b]) {
    await says(x.locator('.outcome'), /resignation/)
    assert.deepEqual([await x.locator('.kb-notes').textContent(), await pass(x).count()], ['', 0])
  }
})

test('an engine answers a pass, which the API takes too', async () => {
  const a = await againstEngine('gomoku:rule=renju,size=9,pass=true')
  const sent = a.waitForRequest((r) => r.url().endsWith('/moves'))
  await decide(a, [], 'pass', 'click')
  const { prompt } = (await sent).postDataJSON() as { prompt: number }
  assert.equal((await turn(a)).history, 2, 'the engine places a stone')
  const path = new URL((await sent).url()).pathname.slice('/api/v1/'.length)
  let said = 409
  for (let n = 1; n <= 4 && said === 409; n++) said = (await post(a, path, { prompt: prompt + n, steps: ['-'] })).status // one is the question's
  assert.equal(said, 204)
  await decidedSince(a, 2)
  assert.equal((await turn(a)).history, 4)
})

test('a game that knows no passes has no button, and says so to who types one', async () => {
  const a = await againstEngine('gomoku:rule=renju,size=9')
  const t = await turn(a)
  assert.equal(await pass(a).count(), 0)
  await a.locator('[data-act=more]').click()
  const field = a.getByLabel('Type a move')
  await field.fill('pass')
  await field.press('Enter')
  await a.locator('.kb-fault').filter({ hasText: /./ }).waitFor()
  assert.equal((await turn(a)).history, t.history)
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
