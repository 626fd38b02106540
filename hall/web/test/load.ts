// What loading a page takes: weight by kind, requests, and when what is seen.

import type { BrowserContext, Page } from 'playwright-core'
import type { Hall } from './hall.ts'
import { importGames, logIn, openPage, playBot } from './visit.ts'

/** What loading a page took. Sizes are in bytes, times in milliseconds. */
export interface Load {
  /** By kind, as sent and unpacked, without streams. */
  readonly weights: Readonly<Record<string, { readonly packed: number; readonly plain: number; readonly requests: number }>>
  /** How many files must have come before anything is drawn. */
  readonly waits: number
  /** First contentful paint. */
  readonly paint: number
  /** When the first board stood on the screen; nothing on a page without one. */
  readonly board: number
  /** Cumulative layout shift. */
  readonly shift: number
  /** What tasks took beyond 50 ms. */
  readonly blocked: number
}

declare global {
  interface Window {
    loading: { board: number; shift: number; blocked: number }
  }
}

/** Notes in a page what happens; given to it before it is loaded. */
export function note(): void {
  const l = { board: 0, shift: 0, blocked: 0 }
  window.loading = l
  new PerformanceObserver((list) => {
    for (const e of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) if (!e.hadRecentInput) l.shift += e.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) l.blocked += Math.max(0, e.duration - 50)
  }).observe({ type: 'longtask', buffered: true })
  const drawn = new MutationObserver(() => {
    if (l.board || !document.querySelector('kibitz-board .kb-picture path, kibitz-board .kb-picture rect')) return
    drawn.disconnect()
    // What is in the document now is on the screen after the next frame.
    requestAnimationFrame(() => setTimeout(() => { l.board = performance.now() }))
  })
  drawn.observe(document, { subtree: true, childList: true })
}

/** Opens a page for the first time in its context, and tells what that took. */
export async function load(page: Page, path: string, board: boolean): Promise<Load> {
  await page.addInitScript(note)
  await page.goto(path)
  if (board) await page.waitForFunction(() => window.loading.board > 0)
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  await page.waitForTimeout(300) // shifts and long tasks that come later count too
  return page.evaluate(() => {
    const weights: Record<string, { packed: number; plain: number; requests: number }> = {}
    const files = performance.getEntriesByType('resource') as (PerformanceResourceTiming & { renderBlockingStatus: string })[]
    const kinds: Readonly<Record<string, string>> = { navigation: 'page', script: 'scripts', fetch: 'data', xmlhttprequest: 'data', img: 'pictures' }
    for (const e of [...performance.getEntriesByType('navigation'), ...files] as PerformanceResourceTiming[]) {
      if (!e.name.startsWith('http') || e.name.includes('/events') || e.name.endsWith('/own')) continue // what is asked every 10 s is no part of loading
      const kind = e.name.endsWith('.js') ? 'scripts' : e.name.endsWith('.css') ? 'styles' : kinds[e.initiatorType] ?? e.initiatorType
      const w = (weights[kind] ??= { packed: 0, plain: 0, requests: 0 })
      w.packed += e.encodedBodySize
      w.plain += e.decodedBodySize
      w.requests++
    }
    const waits = files.filter((e) => e.renderBlockingStatus === 'blocking').length
    return { ...window.loading, weights, waits, paint: performance.getEntriesByName('first-contentful-paint')[0]!.startTime }
  })
}

/** The sum of all kinds. */
export function sum(l: Load): { packed: number; plain: number; requests: number } {
  return Object.values(l.weights).reduce((a, b) => ({ packed: a.packed + b.packed, plain: a.plain + b.plain, requests: a.requests + b.requests }), { packed: 0, plain: 0, requests: 0 })
}

/** A hall with a record and a room in which an engine waits for a person. */
export async function recordAndRoom(c: BrowserContext, hall: Hall): Promise<{ room: string; game: string }> {
  const page = await openPage(c)
  await logIn(page, 'admin', hall.password)
  const ids = await importGames(page)
  await playBot(page, 'othello', 3)
  return { room: new URL(page.url()).pathname, game: ids[0]! }
}
