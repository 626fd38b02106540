// People in a hall: contexts of the browser, and how a board of a page is played on.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { stepName } from '../src/names.ts'
import { edgeSpot, parseStep, spotOf, type Step } from '../src/step.ts'
import type { Result, View } from '../src/wire.ts'
import { boxOf, drawn, slow, until } from './browser.ts'
import type { Hall } from './hall.ts'

/** Somebody's browser; what goes wrong on its pages is added to faults. */
export async function visit(browser: Browser, hall: Hall, faults: string[], options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const c = await browser.newContext({ baseURL: hall.url, locale: 'en', viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...options })
  c.on('weberror', (e) => faults.push(e.error().message))
  c.on('console', (m) => { if (m.type() === 'error' && /Content.Security|Refused/.test(m.text())) faults.push(m.text()) })
  return c
}

export async function openPage(c: BrowserContext): Promise<Page> {
  const page = await c.newPage()
  await slow(page)
  return page
}

/** Logs in by the form. */
export async function logIn(page: Page, name: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.locator('main').getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((u) => !u.pathname.startsWith('/login'))
}

/** Begins a game against a level of the built-in engine by the page of its options. */
export async function playBot(page: Page, game: string, level: number): Promise<void> {
  await page.goto(`/play/${game}`)
  await page.locator(`[name=level][value="${level}"]`).check({ force: true })
  await page.locator('[data-act=play]').click()
  await page.waitForURL(/\/rooms\//)
}

/** Opens a room by its form. A game that the form does not offer is added
 * to its list. */
export async function openRoom(page: Page, game: string, settings: { readonly clock?: string; readonly undo?: boolean; readonly rated?: boolean } = {}): Promise<string> {
  await page.goto('/rooms')
  await page.locator('details.new-room summary').click()
  const form = page.locator('form[action="/rooms"]')
  await form.locator('select[name=game]').evaluate((e, value) => {
    const list = e as HTMLSelectElement
    if (![...list.options].some((o) => o.value === value)) list.add(new Option(value, value))
    list.value = value
  }, game)
  if (settings.clock !== undefined) {
    await form.locator('[name=clock]').evaluate((e, value) => {
      if (e instanceof HTMLSelectElement && ![...e.options].some((o) => o.value === value)) e.add(new Option(value, value))
      ;(e as HTMLSelectElement | HTMLInputElement).value = value
    }, settings.clock)
  }
  if (settings.undo) await form.locator('[name=undo]').check()
  if (settings.rated) await form.locator('[name=rated]').check()
  await form.getByRole('button', { name: 'Open the room' }).click()
  await page.waitForURL(/\/rooms\//)
  return new URL(page.url()).pathname
}

/** Takes the account of a guest and enters a room. */
export async function enter(page: Page, room: string): Promise<void> {
  await page.goto(room)
  await page.getByRole('button', { name: 'Play as a guest' }).click()
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByRole('button', { name: 'Leave' }).waitFor()
}

/** Two people sit down in a room and are ready: the host, who is in it, and one who comes,
 * as a guest unless told otherwise. */
export async function seat(host: Page, other: Page, room: string, come: () => Promise<void> = () => enter(other, room)): Promise<void> {
  await host.getByRole('button', { name: 'Take this seat' }).first().click()
  await host.locator('button[value=stand]').first().waitFor({ state: 'attached' }) // who comes is offered the other seat alone
  await come()
  await other.getByRole('button', { name: 'Take this seat' }).click()
  await host.getByRole('button', { name: 'I am ready' }).click()
  await other.getByRole('button', { name: 'I am ready' }).click()
  for (const p of [host, other]) await p.getByRole('button', { name: 'Not ready' }).waitFor()
  await seated(host, room)
}

/** Waits until a hall can begin with those who sit in a room: that somebody is ready may be seen
 * before his page has told that he is there, and with who is away nothing begins. */
export async function seated(host: Page, room: string): Promise<void> {
  interface Seated { host: number; people?: { id: number; here?: boolean }[]; places: { user?: number; ready?: boolean }[] }
  await until(() => ask<{ room: Seated }>(host, room.slice(1)), ({ room: r }) => r.places.every((p) =>
    (p.ready || p.user === r.host) && r.people?.some((x) => x.id === p.user && x.here)))
}

/** Two browsers without scripts play by the link that one of them made. */
export async function playByLink(a: Page, b: Page): Promise<void> {
  await a.goto('/')
  await a.locator('[data-act=friend]').click()
  await a.locator('.sheet-foot button').click()
  await a.waitForURL(/\/c\//)
  await b.goto(await a.locator('#link').inputValue())
  await b.locator('[data-act=accept]').click()
  for (const p of [b, a]) await p.waitForURL(/\/rooms\/\w+\/plain$/) // the page of the one who waits renews itself
}

/** Resigns by two presses, the first of which may be made in another way. The second has but 3 s,
 * which a press from here may take: it is the page's own, and if they are over both are. */
export async function resign(page: Page, press = (what: string): Promise<void> => page.locator(what).click()): Promise<void> {
  await press('.acts [data-act=resign]:visible')
  await page.evaluate(() => {
    const button = () => document.querySelector<HTMLElement>('.acts [data-act=resign]')!
    if (!button().matches('[data-armed]')) button().click()
    button().click()
  })
}

/** Presses what makes a page anew, and waits until it is. */
export async function renewed(page: Page, press: () => Promise<void>): Promise<void> {
  await page.evaluate(() => Object.assign(window, { old: true }))
  await press()
  await page.waitForFunction(() => !('old' in window) && document.readyState === 'complete')
}

/** Adds the games that are always the same to a hall, one of each kind, and returns their
 * identifiers. */
export async function importGames(admin: Page): Promise<string[]> {
  const r = await admin.request.post('/api/v1/games/import', { multipart: { file: { name: 'games.jsonl', mimeType: 'text/plain', buffer: readFileSync('test/screens/games.jsonl') } } })
  const { ids, warnings } = (await r.json()) as { ids: string[]; warnings: string[] }
  assert.deepEqual([ids.length, warnings ?? []], [9, []])
  return ids
}

/** What a board asks: the steps that may be taken, or the result. */
export interface Turn {
  readonly legal: readonly Step[]
  readonly view: View
  readonly history: number
  readonly result?: Result
}

/** Waits until a board asks for a step, or its game is over, and that is drawn. */
export async function turn(page: Page): Promise<Turn> {
  const t = await page.waitForFunction(() => {
    const b = document.querySelector<KibitzBoard>('kibitz-board')
    const s = b?.state
    if (!b || !s?.view || (!s.result && b.possible.length === 0)) return undefined
    return { legal: b.possible.map((x) => x.text), view: s.view, history: s.history?.length ?? 0, result: s.result }
  }, undefined, { polling: 'raf' }).then((h) => h.jsonValue())
  assert.ok(t)
  await drawn(page)
  return { legal: t.legal.flatMap((x) => parseStep(x) ?? []), view: t.view, history: t.history, ...(t.result && { result: t.result }) }
}

/** Waits until the board of a page has more decisions than so many. */
export async function decidedSince(page: Page, history: number): Promise<void> {
  await page.waitForFunction((n) => (document.querySelector<KibitzBoard>('kibitz-board')?.state?.history?.length ?? 0) > n, history)
}

/** The places that are pressed for a step, in their order. */
export function spotsOf(s: Step): string[] {
  if (s.op === 'edge') return [edgeSpot(s.to!, s.arg === 1)]
  return [s.from, s.to].flatMap((p) => (p ? [spotOf(p)] : []))
}

/** What of a stage is not whole on the first screen, of all that one plays with. */
export const outside = (page: Page): Promise<string[]> => page.evaluate(() => [...document.querySelectorAll<HTMLElement>('[data-part=bar0], [data-part=bar1], [data-part=board] .kb-picture, [data-part=say], [data-part=acts], .bar-clock')].flatMap((e) => {
  const r = e.getBoundingClientRect()
  return r.width > 0 && r.left >= -0.5 && r.top >= -0.5 && r.right <= innerWidth + 0.5 && r.bottom <= innerHeight + 0.5 ? [] : [`${e.className || e.localName}: ${JSON.stringify(r)}`]
}).concat(scrollY > 0 ? [`scrolled by ${scrollY}`] : []))

/** Ways to take a step. */
export type Way = 'click' | 'drag' | 'touch' | 'keys' | 'type'

/** The ways to press by which a walk-through is taken in a language, English or Czech: each language and each
 * way once, all of them with EVERY=1 (make walkthroughs). */
export const waysIn = (locale: string): readonly ('click' | 'touch' | 'keys')[] =>
  (['click', 'touch', 'keys'] as const).filter((way) => process.env['EVERY'] === '1' || (locale === 'en') === (way !== 'keys'))

/** Takes a step on the board of a page. Touch needs a context that has it. */
export async function take(page: Page, t: Turn, s: Step, way: Way): Promise<void> {
  const board = page.locator('kibitz-board').first()
  if (way === 'type') {
    const field = page.getByLabel('Type a move')
    if (!await field.isVisible()) await page.locator('[data-act=more]').click()
    await field.fill(stepName(t.view, s))
    await field.press('Enter')
    return
  }
  if (s.op === 'pass' || s.op === 'choose') {
    const b = page.locator('.kb-buttons button').nth(t.legal.filter((x) => x.op === 'pass' || x.op === 'choose').findIndex((x) => x.text === s.text))
    if (way === 'keys') await b.press('Enter')
    else if (way === 'touch') await b.tap()
    else await b.click()
    return
  }
  const spots = spotsOf(s)
  if (way === 'keys') {
    for (const spot of spots) {
      await walkTo(page, spot)
      await page.keyboard.press('Enter')
      await drawn(page)
    }
    return
  }
  const at = async (spot: string) => {
    const e = board.locator(`.kb-spot[data-spot="${spot}"]`)
    await e.scrollIntoViewIfNeeded()
    const box = await boxOf(e)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const [first, second] = spots
  if (way === 'drag' && first && second) {
    await at(second)
    const from = await at(first)
    const to = await at(second)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 2 })
    await page.mouse.move(to.x, to.y)
    await page.mouse.up()
    return
  }
  for (const spot of spots) {
    const p = await at(spot)
    if (way === 'touch') await page.touchscreen.tap(p.x, p.y)
    else await page.mouse.click(p.x, p.y)
    await drawn(page)
  }
}

/** Goes to a place of the board by arrow keys from where the keyboard is. */
async function walkTo(page: Page, spot: string): Promise<void> {
  await page.locator('kibitz-board .kb-spot[tabindex="0"]').first().focus()
  const ways = await page.evaluate((to) => {
    const rows = [...document.querySelectorAll('kibitz-board [role=row]')].map((r) => [...r.children].map((c) => c.getAttribute('data-spot')))
    const y = rows.findIndex((r) => r.includes(to))
    const now = document.activeElement?.getAttribute('data-spot') ?? ''
    return { x: rows[y]?.indexOf(to) ?? -1, down: y - rows.findIndex((r) => r.includes(now)) }
  }, spot)
  for (let n = 0; n < Math.abs(ways.down); n++) await page.keyboard.press(ways.down > 0 ? 'ArrowDown' : 'ArrowUp')
  await page.keyboard.press('Home') // rows of lines are not all as long
  for (let n = 0; n < ways.x; n++) await page.keyboard.press('ArrowRight')
  await drawn(page)
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-spot')), spot)
}

/** Asks the API as a page does. */
export async function ask<T>(page: Page, path: string): Promise<T> {
  const r = await page.request.get(`/api/v1/${path}`)
  assert.ok(r.ok(), `${path}: ${r.status()}`)
  return (await r.json()) as T
}

/** Sends the API what a page would send. */
export async function post(page: Page, path: string, data: unknown): Promise<{ status: number; body: unknown }> {
  const r = await page.request.post(`/api/v1/${path}`, { data })
  return { status: r.status(), body: (await r.json().catch(() => undefined)) as unknown }
}

/** A phone, and a screen on a desk. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
export const desktop = { viewport: { width: 1440, height: 900 } }

/** Ways to press in each of two languages, on what has them. */
export const visits = ['en', 'cs'].flatMap((locale) => waysIn(locale).map((way) => [locale, way, way === 'touch' ? phone : desktop] as const))
