// What the tests of a file share: a hall of its own, a browser, and what goes wrong in it.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { openHall, type Hall, type HallOptions } from './hall.ts'
import { visit } from './visit.ts'

export interface Venue {
  /** There when tests run, not before. */
  readonly hall: Hall
  readonly browser: Browser
  /** What went wrong on the pages of those who visit. */
  readonly faults: string[]
  /** Somebody's browser. */
  visit(options?: BrowserContextOptions): Promise<BrowserContext>
}

/** Opens a hall and a browser before the tests of a file, and closes both after them. What
 * is to be in the hall then, prepare makes. */
export function openVenue(prepare?: () => Promise<void>, options?: HallOptions): Venue {
  let hall: Hall | undefined
  let browser: Browser | undefined
  before(async () => {
    [hall, browser] = await Promise.all([openHall(options), openBrowser()])
    await prepare?.()
  })
  after(async () => {
    await browser?.close()
    await hall?.close()
  })
  const faults: string[] = []
  return {
    get hall() { return hall! },
    get browser() { return browser! },
    faults,
    visit: (options) => visit(browser!, hall!, faults, options),
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules about colours, which are all that differs in the other theme. */
export const colours = ['color-contrast', 'link-in-text-block']

/** What axe-core finds on a page or in a part of it, by its usual rules or by those with one of some tags. */
export async function obstacles(page: Page, runOnly?: string[], part = 'html'): Promise<string[]> {
  await page.evaluate(() => { for (const a of document.getAnimations()) if (a.effect?.getComputedTiming().endTime !== Infinity) a.finish() }) // colours on their way are none of the page
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe)
  return page.evaluate(async ([tags, at]) => {
    const { run } = (window as unknown as { axe: { run(part: string, options: unknown): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }> } }).axe
    // What is right is not listed, no selectors are made, and style sheets are not fetched again.
    return (await run(at, { resultTypes: ['violations'], selectors: false, preload: false, ...(tags && { runOnly: tags }) })).violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.html} ${n.failureSummary ?? ''}`).slice(0, 3).join(' | ')}`)
  }, [runOnly, part] as const)
}
