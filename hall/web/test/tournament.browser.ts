// A director runs a tournament from its page: made by the form, paired by hand, a game
// forfeited, the log and the curve of the test read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { says, slow } from './browser.ts'
import { Presses } from './presses.ts'
import { obstacles, openVenue } from './venue.ts'

const venue = openVenue()

/** A page of somebody with an account of his own, or of nobody. */
async function enter(name: string, more: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context: BrowserContext = await venue.browser.newContext({ baseURL: venue.hall.url, viewport: { width: 1280, height: 900 }, ...more })
  const page = await context.newPage()
  page.on('pageerror', (e) => assert.fail(e))
  await slow(page)
  if (name !== '') {
    const r = await page.request.post('/api/v1/account/register', { data: { name, password: `${name} has a long password` } })
    assert.equal(r.status(), 201, await r.text())
  }
  return page
}

/** Makes a tournament by the form and returns where it is. */
async function make(page: Page, fields: Readonly<Record<string, string>>, checks: readonly string[] = []): Promise<string> {
  await page.goto('/tournaments')
  for (const s of await page.locator('main details > summary').all()) await s.click()
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(`form[action="/tournaments"] [name=${name}]`)
    if (await field.evaluate((e) => e.localName === 'select')) await field.selectOption(value)
    else await field.fill(value)
  }
  for (const name of checks) await page.locator(`form[action="/tournaments"] [name=${name}]`).check()
  await page.getByRole('button', { name: 'Make the tournament' }).click()
  await page.waitForURL('**/tournaments/*')
  return new URL(page.url()).pathname
}

/** Presses a button of the console, and says that it is meant. */
async function sure(page: Page, name: string): Promise<void> {
  await page.locator('.console').getByRole('button', { name, exact: true }).click()
  await says(page.locator('h1'), 'Are you sure?')
  await page.getByRole('button', { name: 'Go ahead' }).click()
  await page.waitForURL('**/tournaments/*#console')
}

/** Presses a button of the console, and waits for the page after it: its address is the same, and what
 * is filled in on the page before, which follows the tournament by itself, is lost. */
async function renews(page: Page, name: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.locator('.console').getByRole('button', { name }).click()])
}

/** The log, unfolded. */
async function log(page: Page): Promise<Locator> {
  const section = page.locator('[aria-labelledby=h-log]')
  await section.locator('details').evaluate((e) => { (e as HTMLDetailsElement).open = true })
  return section
}
const row = (page: Page, game: number) => page.locator(`[aria-labelledby=h-schedule] tbody tr:nth-child(${game})`)

for (const scripts of [true, false]) {
  test(`a director pairs by hand and forfeits ${scripts ? 'with' : 'without'} scripts`, async () => {
    const page = await enter(scripts ? 'ann' : 'bea')
    // Games of the best level take minutes: none ends by itself.
    const at = await make(page, { name: 'Cup', game: 'othello', clock: '10+0', engines: 'bot=9 name=Ann\nbot=9 name=Bob\nbot=9 name=Cec', openings: 'suite' })
    if (!scripts) {
      const state = await page.context().storageState()
      await page.context().close()
      const plain = await enter('', { javaScriptEnabled: false, storageState: state })
      await plain.goto(at)
      await direct(plain)
      await plain.context().close()
      return
    }
    await direct(page)
    await page.context().close()
  })
}

async function direct(page: Page): Promise<void> {
  // The log stands last, and folded, so that what a director does is not below it.
  assert.deepEqual(await page.evaluate(() => [document.querySelector('#t-live > :last-child')?.getAttribute('aria-labelledby'), document.querySelector('[aria-labelledby=h-log] details')?.hasAttribute('open')]), ['h-log', false])
  await sure(page, 'Start')
  const console = page.locator('.console')
  await says(row(page, 1), /Ann\s+Bob/)
  await renews(page, 'Pause')
  await console.getByRole('button', { name: 'Go on' }).waitFor()
  const pair = console.locator('form', { has: page.locator('[value=pair]') })
  await pair.locator('[name=opponent]').selectOption('1')
  await pair.locator('[name=note]').fill('a decider')
  await pair.locator('button').click()
  await says(console.getByRole('alert'), /cannot play itself/)
  assert.equal(await pair.locator('[name=note]').inputValue(), 'a decider')
  await pair.locator('[name=entry]').selectOption('3')
  await pair.locator('[name=games]').fill('2')
  await pair.locator('[name=opening]').selectOption('2')
  await sure(page, 'Pair by hand')
  await says(await log(page), /Cec and Ann are paired, games: 2\s+a decider/)
  await says(row(page, 7), /7\s+0\s+Cec\s+Ann/)
  const forfeit = console.locator('form', { has: page.locator('[value=forfeit]') })
  await forfeit.locator('[name=entry]').selectOption('1')
  await forfeit.locator('[name=game]').fill('1')
  await forfeit.locator('[name=note]').fill('did not come')
  await sure(page, 'Forfeit')
  await says(await log(page), /Ann forfeits game 1/)
  await renews(page, 'Go on')
  await says(row(page, 1), /Ann\s+Bob\s+0 : 1\s+adjudicated/)
  await sure(page, 'Cancel the tournament')
  await says(page.locator('.room-title'), /cancelled/)
  await log(page)
  await page.getByRole('link', { name: 'Everything' }).click()
  await says(page.locator('h1'), 'Log')
  await page.getByRole('link', { name: 'Everything' }).click()
  await says(page.locator('table.log'), /The tournament is cancelled[^]*did not come[^]*Game 1 begins: Ann – Bob[^]*Ann is entered/)
}

test('a director makes a round robin of four engines in eight presses from the first page on, and starts it in two', async () => {
  const page = await enter('fay')
  await page.goto('/')
  const form = new Presses(page, 'click')
  await form.press('.main-nav a[href="/tournaments"]')
  await form.press('#new > summary')
  form.count++ // typing a text is one
  await page.locator('#new [name=name]').fill('Cup')
  for (const level of [6, 7, 8, 9]) await form.press(`#new [name=plays][value="bot=${level}"]`)
  await form.press('#new button.primary')
  await page.waitForURL('**/tournaments/*')
  assert.equal(form.count, 8)
  assert.match(await page.locator('.room-title').innerText(), /^Cup\b[^]*Othello/)
  const start = new Presses(page, 'click')
  await start.press('.console button:text-is("Start")')
  await says(page.locator('h1'), 'Are you sure?')
  await start.press('button:text-is("Go ahead")')
  await says(row(page, 1), /Wolf|Owl|Tiger|Dragon/)
  assert.equal(start.count, 2)
  await sure(page, 'Cancel the tournament')
  await page.context().close()
})

test('the curve of a sequential test grows while it is watched', async () => {
  const page = await enter('dan')
  const at = await make(page, {
    name: 'Test', game: 'dotsandboxes', clock: '1+0', engines: 'bot=1 name=Ann\nbot=1 name=Bob', games: '12', sprt: 'elo0=0 elo1=5',
  }, ['repeat'])
  const watcher = await enter('', { viewport: { width: 390, height: 800 } })
  await watcher.goto(at)
  await says(watcher.locator('.room-title'), /open for entries/)
  assert.equal(await watcher.locator('.console').count(), 0)
  await sure(page, 'Start')
  await says(watcher.locator('.ratio figcaption'), 'pairs of games: 6')
  await says(watcher.locator('.room-title'), /finished/)
  const points = await watcher.locator('.ratio .line').getAttribute('d')
  assert.equal(points?.match(/[ML]/g)?.length, 7, points ?? '')
  assert.match(await watcher.locator('.ratio svg').getAttribute('aria-label') ?? '', /between -2\.94 \(H0\) and 2\.94 \(H1\)/)
  assert.ok(await watcher.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is as wide as the screen')
  const director = await enter('eve')
  await make(director, { name: 'Console', game: 'othello', engines: 'bot=9\nbot=9', openings: 'suite', clock: '10+0' })
  await sure(director, 'Start')
  await director.locator('.console [value=pair]').waitFor()
  for (const p of [watcher, director]) assert.deepEqual(await obstacles(p), [])
  await director.context().close()
  await watcher.context().close()
  await page.context().close()
})
