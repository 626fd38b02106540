// Every page and every board, on a desktop light and dark, on a phone light, beside pictures
// of how they are meant to look, test/screens. `npm run screens -- --update` takes the
// pictures anew.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { drawn, openBrowser, slow } from './browser.ts'
import { compare } from './compare.ts'
import { openHall, type Hall } from './hall.ts'
import { makeUp, type MadeUp } from './madeup.ts'
import { crop, decode, encode, type Picture } from './png.ts'
import { openGallery, type Site } from './site.ts'
import { openPage, visit } from './visit.ts'

/** More than this is a failure: of what is drawn, and of the height. */
const most = { share: 0.03, taller: 0.02 }

const update = process.argv.includes('--update')
const folder = 'test/screens'
const out = 'build/screens'
const scale = 0.5

let hall: Hall
let site: Site
let browser: Browser
let madeUp: MadeUp
const faults: string[] = []
const taken = new Set<string>()

before(async () => {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  ;[hall, site, browser] = await Promise.all([openHall(), openGallery(), openBrowser()])
  madeUp = await makeUp(browser, hall, faults)
})

after(async () => {
  await browser?.close()
  await hall?.close()
  site?.close()
})

/** Compares a picture with the committed one, and tells what differs. */
function judge(name: string, got: Picture): string[] {
  taken.add(`${name}.png`)
  const path = `${folder}/${name}.png`
  if (update) {
    writeFileSync(path, encode(got))
    return []
  }
  const keep = (what: string, p: Picture) => {
    const file = `${out}/${name}${what}.png`
    writeFileSync(file, encode(p, 256))
    return `web/${file}`
  }
  if (!existsSync(path)) return [`${name} has no committed picture; it looks like ${keep('', got)}`]
  const d = compare(decode(encode(got)), decode(readFileSync(path))) // both with few colours
  if (process.env['TELL']) console.log(name, d.share.toFixed(4), d.taller.toFixed(4))
  if (d.share <= most.share && d.taller <= most.taller) return []
  return [`${name}: ${(d.share * 100).toFixed(1)} % is another, ${(d.taller * 100).toFixed(1)} % of the size: see ${keep('', got)} and ${keep('-diff', d.picture)}`]
}

/** Makes what is another each time the same, before it is drawn. It runs in pages. */
function fix(): void {
  const texts: readonly (readonly [RegExp, string])[] = [
    [/guest-[a-z0-9]{8}/g, 'guest-abcdefgh'],
    [/\b[0-9a-f]{16,}\b/g, '0123456789abcdef01234567'],
    [/127\.0\.0\.1:\d+/g, '127.0.0.1:8080'],
    [/\b\d+([.,]\d+)? (ms|s)\b/g, '1 $2'],
  ]
  const plain = (text: string) => texts.reduce((t, [from, to]) => t.replace(from, to), text)
  const say = (e: Element, text: string) => { if (e.textContent !== text) e.textContent = text }
  const all = () => {
    for (const e of document.querySelectorAll('time, .curve text[x="44"]')) say(e, '1 Mar 2026')
    document.querySelector('[data-block="5"]')?.remove() // each day has another puzzle
    for (const e of document.querySelectorAll('.used')) say(e, '0.5')
    for (const e of document.querySelectorAll<HTMLInputElement>('input[readonly]')) if (e.value !== plain(e.value)) e.value = plain(e.value)
    const nodes = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT)
    for (let n = nodes.nextNode(); n; n = nodes.nextNode()) {
      const text = plain(n.nodeValue ?? '')
      if (text !== n.nodeValue) n.nodeValue = text
    }
  }
  new MutationObserver(all).observe(document, { subtree: true, childList: true, characterData: true })
}

/** Takes a picture of a whole page. */
async function shoot(page: Page, masks: readonly string[] = []): Promise<Picture> {
  return decode(await page.screenshot({ fullPage: true, animations: 'disabled', mask: ['.chart', ...masks].map((m) => page.locator(m)), maskColor: '#808080' }))
}

/** How wide it is, and in which themes: in the dark only colours differ. */
const screens = [['desktop', 1280, ['light', 'dark']], ['phone', 390, ['light']]] as const

/** Pages: where they are, who looks, and what of them is another on each machine. */
interface Shown {
  readonly name: string
  readonly path: string
  readonly who?: 'admin' | 'ann' | 'bob'
  readonly masks?: readonly string[]
  readonly wait?: string
  /** How many of a room's places are told to be away. */
  readonly away?: number
}

const pages = (): readonly Shown[] => [
  { name: 'front', path: '/', wait: '.best' },
  { name: 'play', path: '/play/gomoku' },
  { name: 'watch', path: '/watch' },
  { name: 'rooms', path: '/rooms' },
  { name: 'room-waiting', path: madeUp.paths.waiting, who: 'ann', away: 0 },
  { name: 'room-running', path: madeUp.paths.running, who: 'bob', wait: '#curves .curve-line', away: 1 },
  { name: 'room-watched', path: madeUp.paths.running, wait: '#curves .curve-line', away: 2 },
  { name: 'room-hidden', path: madeUp.paths.hidden, away: 2 },
  { name: 'room-over', path: madeUp.paths.over, who: 'ann', away: 1 },
  { name: 'viewer', path: madeUp.paths.game, wait: '#moves [aria-current]' },
  { name: 'viewer-hidden', path: madeUp.paths.hiddengame },
  { name: 'embed', path: madeUp.paths.embed },
  { name: 'games', path: '/games' },
  { name: 'analysis', path: '/analysis?game=amazons' },
  { name: 'import', path: '/games/import', who: 'admin' },
  { name: 'players', path: '/players' },
  { name: 'player', path: '/players/Ann' },
  { name: 'engines', path: '/engines' },
  { name: 'engine', path: '/engines/bot=3' },
  { name: 'tournaments', path: '/tournaments' },
  { name: 'tournament', path: madeUp.paths.tournament },
  { name: 'tournament-log', path: `${madeUp.paths.tournament}/log` },
  { name: 'tournament-director', path: madeUp.paths.entering, who: 'admin' },
  { name: 'settings', path: '/settings' },
  { name: 'account', path: '/account', who: 'ann' },
  { name: 'bots', path: '/bots', who: 'ann' },
  { name: 'admin-users', path: '/admin/users', who: 'admin' },
  { name: 'admin-engines', path: '/admin/engines', who: 'admin' },
  { name: 'admin-workers', path: '/admin/workers', who: 'admin', masks: ['main td', 'main dd'] },
  { name: 'admin-audit', path: '/admin/audit', who: 'admin' },
  { name: 'login', path: '/login' },
  { name: 'register', path: '/register' },
  { name: 'not-found', path: '/none' },
]

test('pages look as they are meant to', async () => {
  const wrong: string[] = []
  for (const who of [undefined, 'ann', 'bob', 'admin'] as const) {
    const c = await visit(browser, hall, faults, { deviceScaleFactor: scale, reducedMotion: 'reduce', ...(who && { storageState: await madeUp[who].context().storageState() }) })
    await c.addInitScript(fix)
    const page = await openPage(c)
    for (const x of pages().filter((p) => p.who === who)) {
      await page.setViewportSize({ width: screens[0][1], height: 900 })
      await page.goto(x.path)
      if (x.wait) await page.locator(x.wait).first().waitFor({ state: 'attached' })
      if (x.away !== undefined) await page.waitForFunction((n) => document.querySelectorAll('#room-seats .warn').length === n, x.away)
      await page.waitForFunction(() => [...document.querySelectorAll<KibitzBoard>('kibitz-board')].every((b) => b.matches(':defined') && (b.state || b.clientHeight === 0 || !b.getAttribute('game') && document.querySelector('#no-game:not([hidden])')))).catch(async (e: unknown) => {
        throw new Error(`a board of ${x.name} shows nothing: ${await page.locator('kibitz-board').evaluateAll((list) => list.map((b) => b.outerHTML.slice(0, 200)).join(' '))}`, { cause: e })
      })
      await page.evaluate(() => Promise.all([document.fonts.ready, ...[...document.images].filter((i) => i.getClientRects().length > 0).map((i) => i.decode().catch(() => undefined))]))
      for (const [kind, width, themes] of screens) {
        await page.setViewportSize({ width, height: 900 })
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme })
          await drawn(page)
          wrong.push(...judge(`${x.name}-${kind}-${theme}`, await shoot(page, x.masks)))
        }
      }
    }
    await c.close()
  }
  assert.deepEqual(wrong, [])
})

test('boards look as they are meant to', async () => {
  const wrong: string[] = []
  const page = await browser.newPage({ deviceScaleFactor: scale, reducedMotion: 'reduce' })
  await slow(page)
  for (const [kind, width, themes] of screens) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(site.url)
    await page.waitForFunction(() => window.ready)
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme })
      await drawn(page)
      const places = await page.evaluate(() => Object.keys(window.exhibits).map((name) => {
        const r = document.getElementById(name)!.getBoundingClientRect()
        return { name, x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height }
      }))
      const all = await shoot(page)
      for (const p of places) wrong.push(...judge(`board-${p.name}-${kind}-${theme}`, crop(all, Math.floor(p.x * scale), Math.floor(p.y * scale), Math.round(p.width * scale), Math.round(p.height * scale))))
    }
  }
  await page.close()
  assert.deepEqual(wrong, [])
})

test('no picture is left of what is shown no more', () => {
  const left = readdirSync(folder).filter((f) => f.endsWith('.png') && !taken.has(f))
  if (update) left.forEach((f) => rmSync(`${folder}/${f}`))
  else assert.deepEqual(left, [])
  assert.deepEqual(faults, [])
})
