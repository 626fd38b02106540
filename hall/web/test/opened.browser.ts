// All that opens over a page or in it: menus, sheets, tips, the card at the end, what is folded. The
// templates are searched for it, so that nothing new is left out; each is opened on a phone, on a
// phone on its side and on a desktop, on the first of them in both themes, and has no obstacle.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { colours, obstacles, openVenue } from './venue.ts'
import { enter, logIn, openPage, openRoom, playBot, post, renewed, resign, seat, turn } from './visit.ts'

const venue = openVenue()

const sizes = [{ width: 390, height: 844 }, { width: 844, height: 390 }, { width: 1440, height: 900 }] as const

/** Where parts of templates that are no pages stand. */
const within: Readonly<Record<string, string>> = { playparts: '.sheet ', stageparts: 'main > ', roomparts: '.page-room ' }

/** What stands in the head of all pages, though its part is named for another. */
const inHead: readonly string[] = ['own-seek']

/** What presses nothing of its own name, but opens. */
const openers: Readonly<Record<string, string>> = { 'dialog#sheet': '.tile[data-game=gomoku] .gear', 'main > div[id^="tip-"]': '.say-line button.word' }

/** What of the templates opens, by what finds it on a page. */
function parts(): string[] {
  const out: string[] = []
  for (const file of readdirSync('pages/html')) {
    const text = readFileSync(`pages/html/${file}`, 'utf8')
    const name = file.replace('.html', '')
    const page = text.includes('{{define "main"') ? `.page-${name} ` : within[name] ?? ''
    for (const [whole, tag, attributes] of text.matchAll(/<(\w+)\b([^<>]*)>/g)) {
      const id = /\sid="([^"]*)"/.exec(attributes!)?.[1] ?? ''
      const kind = /\sclass="([^"]*)"/.exec(attributes!)?.[1] ?? ''
      if (!/^(details|dialog)$/.test(tag!) && !/\spopover(\s|$)/.test(attributes!) && !/\bfloat\b/.test(kind)) continue
      const [fixed] = id.split('{{')
      if (fixed && fixed === id) out.push(`${inHead.includes(id) ? '.own-line ' : page}${tag}#${id}`)
      else if (fixed) out.push(`${page}${tag}[id^="${fixed}"]`)
      else if (kind) out.push(`${page}${tag}[class="${kind}"]`)
      else assert.fail(`${file}: ${whole} has neither id nor class`)
    }
  }
  assert.ok(out.length > 20)
  assert.equal(new Set(out).size, out.length, `two that open are not told apart: ${out.join(', ')}`)
  return out
}

const all = parts()
/** What was opened, at each size. */
const opened = sizes.map(() => new Set<string>())

/** What opens a part, if it can be pressed now; the part itself if it is open. */
async function openerOf(page: Page, at: string): Promise<Locator | undefined> {
  const part = page.locator(at).first()
  const own = Object.entries(openers).find(([what]) => at.endsWith(what))?.[1]
  const is = await part.evaluate((e) => [e.localName, e.id, e.hasAttribute('popover') ? 'popover' : ''])
  const press = is[0] === 'details' ? part.locator('> summary') : own ? page.locator(own) : is[2] ? page.locator(`[popovertarget="${is[1]}"]`) : part
  const first = press.filter({ visible: true }).first()
  return await first.count() ? first : undefined
}

/** Opens all of a page that was not open yet, one after the other and what is in it with it. */
async function openAll(page: Page, tried: Set<string>, inside = 'html'): Promise<void> {
  const there = await page.evaluate(([list, left, s]) => {
    const within = document.querySelector(s)!
    return list.filter((at) => {
      const e = document.querySelector(at)
      return e && e !== within && within.contains(e) && (left.includes(at) || left.some((x) => e.querySelector(x)))
    })
  }, [all, all.filter((at) => !tried.has(at)), inside] as const)
  for (const at of there) {
    const again = tried.has(at) // for what is in it
    const press = await openerOf(page, at)
    if (!press) continue
    const before = opened.some((x) => x.has(at))
    tried.add(at)
    const first = page.locator(at).first()
    const fold = await first.evaluate((e) => e.localName === 'details')
    const was = fold && await first.evaluate((e) => (e as HTMLDetailsElement).open)
    const floats = await first.evaluate((e) => e.matches('[popover], dialog'))
    const now = floats ? `${at}:is(:popover-open, [open])` : at // of tips there are several
    const part = page.locator(now).first()
    if (fold ? !was : floats) await press.click()
    await part.filter({ visible: true }).waitFor()
    // What is wrong behind it would be wrong without it. Of sizes only colours and what scrolls differ, of themes only colours.
    for (const [colorScheme, rules] of again ? [] : before ? [['light', [...colours, 'scrollable-region-focusable']]] as const : [['light', undefined], ['dark', colours]] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await obstacles(page, rules && [...rules], now), [], `${at} at ${page.viewportSize()!.width}, ${colorScheme}`)
    }
    await openAll(page, tried, now)
    if (fold ? !was : floats) await (fold ? press.click() : page.keyboard.press('Escape'))
    if (floats) await part.waitFor({ state: 'hidden' })
  }
}

/** Opens all of a page at each size, with each of its tabs. */
async function look(page: Page): Promise<void> {
  for (const [n, size] of sizes.entries()) {
    await page.setViewportSize(size)
    const tried = opened[n]!
    await openAll(page, tried)
    for (const tab of await page.locator('[role=tab]').all()) {
      if (!await tab.isVisible()) continue
      await tab.click()
      await openAll(page, tried)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

test('what opens on the pages of a visitor has no obstacle', async () => {
  const page = await openPage(await venue.visit())
  for (const path of ['/', '/play/darkchess', '/rooms', '/learn/surakarta', '/none']) {
    await page.goto(path)
    await look(page)
  }
  await page.goto('/learn/surakarta') // as without scripts
  await page.evaluate(() => { for (const e of document.querySelectorAll('main noscript')) e.outerHTML = e.textContent ?? '' })
  await look(page)
  await playBot(page, 'phantomgo', 1)
  await turn(page)
  await resign(page)
  await page.locator('#card [data-act=rematch]').click() // the first game of a kind offers its lesson where words are explained
  await page.locator('#card').waitFor({ state: 'hidden' })
  await turn(page)
  await look(page)
  await resign(page)
  await page.locator('#card [data-act=review]').waitFor()
  await look(page)
  await page.goto('/play/othello') // whoever looks for an opponent, on another page
  await page.locator('label.chip:has([name=with][value=anybody])').click()
  await page.locator('[data-act=play]').click()
  await page.waitForURL(/\/rooms\//)
  await page.goto('/analysis?game=othello')
  await look(page)
  await page.context().close()
})

test('what opens in a room of one\'s own, in games and for who administers has no obstacle', async () => {
  const page = await openPage(await venue.visit())
  const other = await openPage(await venue.visit())
  await logIn(page, 'admin', venue.hall.password)
  const room = await openRoom(page, 'darkchess', { clock: 'inf' }) // beside whose trays tabs have no room on a phone on its side
  await seat(page, other, room, () => enter(other, room))
  await other.getByLabel('Say something').fill('hello')
  await other.getByRole('button', { name: 'Send' }).click()
  await page.locator('.talk button').waitFor()
  await look(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await turn(page)
  await look(page)
  const stay = await openPage(page.context()) // whoever is away for five minutes loses
  await stay.goto(room)
  await page.goto(`${room}/plain`)
  await look(page)
  await page.goto(room)
  await stay.close()
  await page.setViewportSize({ width: 1440, height: 900 })
  await turn(page)
  await resign(page)
  await page.locator('.outcome').waitFor() // the hall has written it down
  await page.goto(await page.locator('#card [data-act=review]').getAttribute('href') ?? '')
  await look(page)
  await playBot(other, 'othello', 1)
  await turn(other)
  await page.goto(other.url()) // as who may decide it
  await look(page)
  await page.goto('/admin/engines')
  await page.getByLabel('Name').last().fill('edax')
  await renewed(page, () => page.locator('form[action="/admin/engines"] button.primary').last().click())
  const { body } = await post(page, 'tournaments', { name: 'Cup', game: 'othello', engines: ['bot=1', 'bot=2'] })
  const cup = `/tournaments/${(body as { id: string }).id}`
  for (const path of ['/admin/engines', '/games', '/tournaments', cup, '/analysis?game=darkchess']) {
    await page.goto(path)
    await look(page)
  }
  await Promise.all([page, other].map((p) => p.context().close()))
})

test('nothing that opens was left out, and nothing went wrong on the way', () => {
  assert.deepEqual(all.filter((at) => !opened.some((x) => x.has(at))), [])
  assert.deepEqual(venue.faults, [])
})
