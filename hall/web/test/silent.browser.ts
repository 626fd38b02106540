// Nothing that is pressed is silent: whatever a press has to wait for, the page shows that it was taken.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { fillRoom, openGuest, start } from './rooms.ts'
import { openVenue } from './venue.ts'
import { openPage, resign, take, turn } from './visit.ts'

const venue = openVenue()

/** How long the hall takes for anything while something is pressed, in milliseconds: what is seen in half of that has
 * not waited for it. Half of all presses are seen as soon as a person sees anything; others are on a machine that is busy. */
const [slowness, soon] = [2000, 100]

/** Names of the buttons of a page, one of each kind; those of menus and of what is folded too. */
const kinds = (p: Page): Promise<string[]> => p.evaluate(() => {
  const found = new Map<string, string>()
  for (const e of document.querySelectorAll<HTMLElement>('button, a.button, summary, [role=tab]')) {
    const kind = [e.localName, e.id, e.dataset['act'], e.dataset['step'] && 'step', e.getAttribute('name'), e.className, e.closest('form')?.getAttribute('action'), e.getAttribute('role')].join('|')
    if (!found.has(kind)) found.set(kind, kind)
    e.dataset['kind'] ??= kind
  }
  return [...found.keys()]
})

/** Presses a button, and tells after how long something was seen of it; undefined for one that cannot be pressed now. */
const pressed = (p: Page, kind: string): Promise<number | undefined> => p.evaluate(async ([name, most]) => {
  const e = document.querySelector<HTMLElement>(`[data-kind="${CSS.escape(name)}"]`)
  for (let x = e?.parentElement; x; x = x.parentElement) {
    if (x instanceof HTMLDetailsElement && !e!.matches('summary')) x.open = true
    if (x.popover !== null && !x.matches(':popover-open')) x.showPopover()
  }
  if (!e?.checkVisibility({ visibilityProperty: true }) || (e as HTMLButtonElement).disabled) return undefined
  await new Promise((done) => setTimeout(done, 50))
  let seen: number | undefined
  const from = performance.now()
  const see = () => { seen ??= performance.now() - from }
  const watch = new MutationObserver((list) => {
    if (list.some((m) => !(m.target as Element).parentElement?.closest('.bar, .kb-voice, [mini], #own-line'))) see() // not what goes on by itself
  })
  watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  for (const event of ['focusin', 'toggle', 'scroll', 'pagehide', 'hashchange']) addEventListener(event, see, { capture: true, once: true })
  const at = location.href
  e.click()
  for (let waited = 0; seen === undefined && waited < most; waited += 20) {
    await new Promise((done) => setTimeout(done, 20))
    if (location.href !== at) see()
  }
  watch.disconnect()
  return seen ?? Infinity
}, [kind, slowness / 2] as const)

/** Presses one button of each kind of a page that is opened anew for each; names what was silent. */
async function silent(c: BrowserContext, path: string, ready: (p: Page) => Promise<unknown>): Promise<string[]> {
  const open = async () => {
    const p = await openPage(c)
    await p.goto(path)
    await ready(p)
    return p
  }
  const first = await open()
  const all = await kinds(first)
  await first.close()
  const quiet: string[] = []
  const times: number[] = []
  for (const kind of all) {
    const p = await open()
    await kinds(p)
    await p.route('**/*', async (r) => { // what is sent does not come: the next one finds all as it was
      await new Promise((done) => setTimeout(done, slowness))
      await (r.request().method() === 'GET' ? r.continue() : r.abort()).catch(() => undefined)
    })
    const seen = await pressed(p, kind)
    if (seen !== undefined) times.push(seen)
    if (seen === Infinity) quiet.push(kind)
    await p.close()
  }
  times.sort((a, b) => a - b)
  assert.ok(times.length >= 7 && times[times.length >> 1]! <= soon, `${path}: ${times.join()}`)
  return quiet
}

/** A room where it is one's turn; a pause that was pressed on the page before is over. */
async function ready(p: Page): Promise<void> {
  const state = await p.waitForFunction(() => {
    const paused = document.querySelector('[data-paused]') !== null
    return paused || document.querySelector<KibitzBoard>('kibitz-board')?.possible.length ? { paused } : undefined
  })
  if ((await state.jsonValue())!.paused) await p.evaluate(() => document.querySelector<HTMLElement>('[data-act=resume]')!.click())
  await turn(p)
}

for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
  test(`nothing that is pressed is silent: ${viewport.width}x${viewport.height}`, async () => {
    const c = await venue.visit({ viewport, permissions: ['clipboard-read', 'clipboard-write'] })
    const p = await openGuest(c)
    const there = (x: Page) => x.waitForLoadState('networkidle')
    for (const path of ['/', '/play/gomoku']) assert.deepEqual(await silent(c, path, there), [], path)
    const room = await fillRoom(p, 'othello', ['person', 'bot=1'])
    const id = await start(p, room)
    await p.goto(`/rooms/${room}`)
    const t = await turn(p)
    await take(p, t, t.legal[0]!, 'click')
    await turn(p)
    assert.deepEqual(await silent(c, `/rooms/${room}`, ready), [], 'a room')
    await resign(p)
    await p.locator('.outcome').first().waitFor({ state: 'attached' })
    assert.deepEqual(await silent(c, `/games/${id}`, (x) => x.locator('.kb-spot').first().waitFor({ state: 'attached' })), [], 'a game')
    await c.close()
  })
}
