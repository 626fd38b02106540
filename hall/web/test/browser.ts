// Chromium as tests use it.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { chromium, type Browser, type Locator, type Page } from 'playwright-core'

/** The Chromium of the system. */
export const whole = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** What shows the same pages, but has no windows: it takes a third less of the processor. */
const windowless = '/usr/bin/chromium-headless-shell'

const lean = process.env['CHROMIUM'] ?? (existsSync(windowless) ? windowless : whole)

/** Starts Chromium, which then fetches nothing by itself. */
export function openBrowser(executablePath = lean): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
}

/** Makes a page's scripts as many times slower as SLOW says: what a test awaits must be
 * awaited on any machine (`SLOW=20 npm run browser`). */
export async function slow(page: Page): Promise<void> {
  const rate = Number(process.env['SLOW'] ?? '1')
  if (rate > 1) await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate })
}

/** Waits until a part of a page says something; what it says instead is told after half a
 * minute. */
export async function says(part: Locator, want: RegExp | string): Promise<void> {
  const good = (text: string) => (typeof want === 'string' ? text === want : want.test(text))
  const end = Date.now() + 30_000
  let text = await part.innerText()
  while (!good(text) && Date.now() < end) {
    await setTimeout(20)
    text = await part.innerText()
  }
  if (typeof want === 'string') assert.equal(text, want)
  else assert.match(text, want)
}

/** Lets pending drawing happen. */
export const drawn = (page: Page) => page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))
