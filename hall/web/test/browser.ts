// Chromium as tests use it.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { chromium, type Browser, type Locator, type Page } from 'playwright-core'

/** How long a test waits for anything, in milliseconds: what is a second on a machine with
 * nothing to do is half a minute on one that has forty things to do. */
export const patience = 180_000

/** The Chromium of the system. */
export const whole = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** What shows the same pages, but has no windows: it takes a third less of the processor. */
const windowless = '/usr/bin/chromium-headless-shell'

/** The one that tests use. */
export const lean = process.env['CHROMIUM'] ?? (existsSync(windowless) ? windowless : whole)

/** Starts Chromium, which then fetches nothing by itself. */
export async function openBrowser(executablePath = lean): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    timeout: patience,
    args: ['--no-sandbox', '--disable-audio-output', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
  browser.on('context', (c) => c.setDefaultTimeout(patience))
  return browser
}

/** Makes a page's scripts as many times slower as SLOW says: what a test awaits must be
 * awaited on any machine (`SLOW=20 npm run browser`). */
export async function slow(page: Page): Promise<void> {
  const rate = Number(process.env['SLOW'] ?? '1')
  if (rate > 1) await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate })
}

/** Reads something until it is as it should be, and returns what was read last: what was
 * wrong with it, if patience is at its end. It is read less and less often: a hall does not
 * answer whoever asks too much. */
export async function until<T>(read: () => Promise<T>, good: (x: T) => boolean): Promise<T> {
  const end = Date.now() + patience
  for (let ms = 20; ; ms = Math.min(500, ms * 1.2)) {
    const x = await read()
    if (good(x) || Date.now() >= end) return x
    await setTimeout(ms)
  }
}

/** Where something is on the screen; what it is part of may be made anew at any time. */
export async function boxOf(part: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await until(() => part.boundingBox(), (x) => x !== null)
  assert.ok(box, `not on the screen: ${String(part)}`)
  return box
}

/** Waits until a part of a page says something. */
export async function says(part: Locator, want: RegExp | string): Promise<void> {
  const text = await until(() => part.innerText(), (x) => (typeof want === 'string' ? x === want : want.test(x)))
  if (typeof want === 'string') assert.equal(text, want)
  else assert.match(text, want)
}

/** Lets pending drawing happen. */
export const drawn = (page: Page) => page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))
