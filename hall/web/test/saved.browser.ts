// Importing records, keeping positions and pictures, in a browser without scripts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { says } from './browser.ts'
import { openVenue } from './venue.ts'
import { logIn, openPage, renewed } from './visit.ts'

const venue = openVenue()

const good = '(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bob]RE[B+];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])'
const bad = '(;FF[4]GM[4]SZ[15]PB[Cid]PW[Dan]RE[B+];B[aa];W[aa];B[ba])'

test('records are imported, a position is kept, and a room begins from it', async () => {
  const c = await venue.visit({ javaScriptEnabled: false })
  const page = await openPage(c)
  await logIn(page, 'admin', venue.hall.password)
  await page.goto('/games')
  await page.getByRole('link', { name: 'Import records' }).click()
  await page.getByLabel('Files').setInputFiles([
    { name: 'good.sgf', mimeType: 'application/x-go-sgf', buffer: Buffer.from(good) },
    { name: 'bad.sgf', mimeType: 'application/x-go-sgf', buffer: Buffer.from(bad) },
  ])
  await page.locator('select[name=spec]').selectOption('gomoku')
  await page.getByRole('button', { name: 'Add the games' }).click()
  await page.getByText('1 game was added.').waitFor()
  assert.match(await page.locator('.remarks li').first().innerText(), /^bad\.sgf:1:/)

  await page.locator('.plain-list a').click()
  const picture = await page.getByRole('link', { name: 'PNG' }).getAttribute('href') ?? ''
  for (const [path, kind] of [[picture, 'image/png'], [picture.replace('.png', '.svg'), 'image/svg+xml'], [await page.getByRole('link', { name: 'GIF' }).getAttribute('href') ?? '', 'image/gif']] as const) {
    const got = await page.request.get(path)
    assert.equal(got.headers()['content-type'], kind, path)
    assert.ok((await got.body()).length > 1000, path)
  }
  for (const turns of [8, 7]) { // the page before has a link of that name too
    await page.getByRole('link', { name: 'Back' }).click()
    await says(page.locator('#ply'), `${turns} / 9`)
  }
  await page.getByText('Keep this position').click()
  await page.getByLabel('Name').fill('after seven')
  await page.locator('.keep').getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/account/)
  const row = page.locator('#saved tr', { hasText: 'after seven' })
  assert.match(await row.innerText(), /Five in a row.*\b7\b/s)
  await row.getByRole('link', { name: 'Start a room from it' }).click()
  await page.getByRole('button', { name: 'Open the room' }).click()
  await page.waitForURL(/\/rooms\//)
  assert.match(await page.locator('#room-facts').innerText(), /after seven/)
  await page.goto('/account')
  await page.locator('#saved tr', { hasText: 'after seven' }).getByRole('button', { name: 'Remove' }).click()
  await page.getByText('None yet.').waitFor()
  await c.close()
})

test('settings show at once what is chosen', async () => {
  const c = await venue.visit()
  const page = await openPage(c)
  await page.goto('/settings')
  const boards = page.locator('#previews kibitz-board')
  await boards.nth(1).locator('.kb-line').first().waitFor({ state: 'attached' })
  assert.equal(await page.locator('#previews .kb-chain').count(), 0)
  await page.getByLabel('Chains in Dots and Boxes').check()
  await boards.nth(1).locator('.kb-chain').first().waitFor()
  await page.getByLabel('Pieces').selectOption('latin')
  await boards.nth(2).locator('.kb-latin').first().waitFor()
  await page.getByLabel('Numbers on stones').check()
  await boards.nth(0).locator('.kb-number').first().waitFor()
  await page.getByLabel('Pieces').selectOption('flat')
  await renewed(page, () => page.getByRole('button', { name: 'Save' }).click())
  assert.ok(await page.getByLabel('Chains in Dots and Boxes').isChecked())
  assert.equal(await boards.nth(2).getAttribute('pieces'), 'flat')
  await c.close()
})
