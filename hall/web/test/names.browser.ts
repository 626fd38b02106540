// Names of what is on pages, for scripts of others: each is there where it belongs, and
// docs/browser.md lists it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openVenue } from './venue.ts'
import { openPage, playBot, resign, turn } from './visit.ts'

const venue = openVenue()

const listed = readFileSync('../../docs/browser.md', 'utf8').split('### For scripts of others')[1]!.split('\n## ')[0]!
const words = new Set([...listed.matchAll(/`([^`]+)`/g)].flatMap((m) => m[1]!.split(/\s+/)))

/** The values of an attribute that stand on a page and are seen. */
const seen = (p: Page, name: string) => p.evaluate((n) => [...new Set([...document.querySelectorAll(`[${n}]`)].filter((e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility === 'visible').map((e) => e.getAttribute(n)!))], name)

async function has(p: Page, name: string, ...want: string[]): Promise<void> {
  const got = await seen(p, name)
  assert.deepEqual(want.filter((x) => !got.includes(x)), [], `${p.url()}: ${name} of ${got.join(' ')}`)
}

test('parts, clocks, acts and games have the names that docs/browser.md lists', async () => {
  const [ann, bob] = [await venue.visit({ viewport: { width: 1280, height: 720 } }), await venue.visit({ viewport: { width: 390, height: 844 }, hasTouch: true })]
  const [a, b] = [await openPage(ann), await openPage(bob)]
  const acts = new Set<string>()
  const note = async (p: Page) => { for (const x of await p.locator('[data-act]').evaluateAll((list) => list.map((e) => (e as HTMLElement).dataset['act']!))) acts.add(x) }
  await a.goto('/')
  await has(a, 'data-act', 'play', 'friend', 'anybody')
  assert.deepEqual((await seen(a, 'data-game')).sort(), ['amazons', 'breakthrough', 'connect6', 'darkchess', 'dotsandboxes', 'gomoku', 'nogo', 'othello', 'phantomgo', 'surakarta'])
  await note(a)
  await a.goto('/play/darkchess?with=friend')
  await has(a, 'data-act', 'copy')
  await a.locator('[data-act=copy]').click()
  await a.waitForURL(/\/c\//)
  await has(a, 'data-act', 'copy', 'cancel')
  await note(a)
  await b.goto(a.url().replace(/#.*/, ''))
  await has(b, 'data-act', 'accept')
  await note(b)
  await b.locator('[data-act=accept]').tap()
  const parts = ['head', 'bar0', 'bar1', 'tray0', 'tray1', 'board', 'say', 'acts']
  for (const [p, more] of [[a, 'rail'], [b, 'strip']] as const) {
    await p.waitForURL(/\/rooms\//)
    await p.locator('kibitz-board .kb-spot').first().waitFor()
    await has(p, 'data-part', ...parts, more)
    await has(p, 'data-clock', '0', '1')
    await has(p, 'data-act', 'resign', 'draw', 'more')
    await note(p)
  }
  await b.evaluate(() => document.querySelector<HTMLElement>('[data-act=resign]')!.scrollIntoView())
  await resign(a)
  await a.locator('#card').waitFor()
  await has(a, 'data-part', 'card')
  for (const what of ['rematch', 'review']) await a.locator(`#card [data-act=${what}]`).waitFor()
  await note(a)
  await a.locator('.outcome').waitFor() // the hall has written the game down
  // Messengers are shown the game's picture.
  await a.locator('#card [data-act=review]').click()
  await a.waitForURL(/\/games\//)
  const picture = await a.request.get((await a.locator('meta[property="og:image"]').getAttribute('content'))!)
  assert.deepEqual([picture.status(), picture.headers()['content-type']], [200, 'image/png'])
  const c = await venue.visit()
  const p = await openPage(c)
  await playBot(p, 'othello', 1)
  await turn(p)
  await has(p, 'data-act', 'resign', 'undo', 'hint', 'more')
  await note(p)
  await p.goto('/learn/othello')
  await note(p)
  assert.deepEqual([...acts, 'data-part', 'data-clock', 'data-act', 'data-game', ...parts, 'rail', 'strip', 'card'].filter((x) => !words.has(x)), [], 'docs/browser.md does not list these')
  await Promise.all([ann.close(), bob.close(), c.close()])
  assert.deepEqual(venue.faults, [])
})
