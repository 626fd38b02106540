// A room by the keyboard alone, as a blind player has it: how many keys there are to the
// first move, what keys on the board tell, and that the place on the page is not lost.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openVenue } from './venue.ts'
import { openPage, playBot, turn } from './visit.ts'

const venue = openVenue()

/** Presses the Tab key until something has the focus; how often. */
async function tabTo(p: Page, what: string): Promise<number> {
  for (let n = 1; n < 40; n++) {
    await p.keyboard.press('Tab')
    if (await p.evaluate((w) => document.activeElement?.matches(w) ?? false, what)) return n
  }
  throw new Error(`${what} is not reached`)
}

/** Presses a key and returns what is said then. */
async function hear(p: Page, key: string): Promise<string> {
  await p.evaluate(() => { document.getElementById('voice')!.textContent = '' })
  await p.keyboard.press(key)
  return await p.waitForFunction(() => document.getElementById('voice')?.textContent || undefined).then((h) => h.jsonValue()) as string
}

test('the first move takes at most twelve keys from the first page on, and keys tell the rest', async () => {
  const c = await venue.visit()
  const p = await openPage(c)
  await p.goto('/')
  let keys = await tabTo(p, '.skip') + 1
  await p.keyboard.press('Enter')
  keys += await tabTo(p, '[data-act=play]') + 1
  await p.keyboard.press('Enter')
  await p.waitForURL(/\/rooms\//)
  await turn(p)
  keys += await tabTo(p, '.skip') + 1
  await p.keyboard.press('Enter')
  keys += await tabTo(p, '.kb-spot')
  assert.match(await hear(p, '?'), /^Keys: l latest move/)
  assert.equal(await hear(p, 'm'), 'd3, c4, f5, e6')
  keys += 3
  await p.keyboard.press('/')
  await p.keyboard.type('f5')
  assert.equal(await p.getByLabel('Type a move').inputValue(), 'f5')
  await p.keyboard.press('Enter')
  await p.waitForFunction(() => (document.querySelector('kibitz-board') as unknown as { state?: { history?: unknown[] } }).state?.history?.length === 2)
  console.log(`${keys} keys to the first move`)
  assert.ok(keys <= 12, `${keys} keys`)
  await turn(p)
  await p.locator('.kb-spot[tabindex="0"]').focus()
  const last = await hear(p, 'l')
  assert.match(last, /^Rabbit: [a-h][1-8]$/)
  assert.equal(await hear(p, 'l'), last, 'the same key twice is answered twice')
  assert.match(await hear(p, 'z'), /^guest-\w+: f5\. Rabbit: [a-h][1-8]$/)
  assert.match(await hear(p, 's'), /^guest-\w+: \d, Rabbit: \d$/)
  assert.match(await hear(p, 'p'), /^(black|white) stone: .*\. (black|white) stone: [a-h][1-8]/)
  assert.match(await hear(p, 'c'), /^Rabbit: no clock, guest-\w+: no clock$/)
  assert.equal(await hear(p, 'o'), 'Rabbit')
  assert.equal(await hear(p, 't'), 'There is nothing to tell.')
  await c.close()
})

test('the place on the page is kept while both move', async () => {
  const c = await venue.visit()
  const p = await openPage(c)
  await playBot(p, 'darkchess', 1)
  await turn(p)
  await p.locator('.kb-spot[tabindex="0"]').focus()
  assert.match(await hear(p, 't'), /red king × 1/)
  for (let n = 0; n < 10; n++) {
    const t = await turn(p)
    if (t.result) break
    const flip = t.legal.find((x) => x.op === 'flip') ?? t.legal[0]!
    const at = flip.to!.join()
    await p.locator(`.kb-spot[data-spot="${at}"]`).focus()
    if (flip.from) await p.locator(`.kb-spot[data-spot="${flip.from.join()}"]`).focus()
    const held = await p.evaluate(() => document.activeElement?.getAttribute('data-spot'))
    await p.keyboard.press('Enter')
    await p.waitForFunction((k) => ((document.querySelector('kibitz-board') as unknown as { state?: { history?: unknown[] } }).state?.history?.length ?? 0) > k, t.history)
    await turn(p)
    assert.equal(await p.evaluate(() => document.activeElement?.getAttribute('data-spot')), held, 'the focus is lost')
    if (flip.from) break
  }
  await c.close()
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
