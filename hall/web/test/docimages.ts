// Takes the pictures of docs/images: node build/docimages.mjs FOLDER

import { writeFileSync } from 'node:fs'
import { boards } from '../src/games/list.ts'
import { drawn, openBrowser } from './browser.ts'
import { openHall } from './hall.ts'
import { makeUp } from './madeup.ts'
import { decode, encode } from './png.ts'
import { openGallery } from './site.ts'
import { openPage, visit } from './visit.ts'

const folder = process.argv[2] ?? '../../docs/images'
/** One board of each game. */
const names = Object.keys(boards).map((game) => (game === 'gomoku' ? 'gomoku-won' : game))
/** Keeps a picture with few colours, which is small. */
const save = (file: string, picture: Buffer) => writeFileSync(`${folder}/${file}`, encode(decode(picture), 200))

const site = await openGallery()
const browser = await openBrowser()
for (const [colorScheme, file] of [['light', 'boards.png'], ['dark', 'boards-dark.png']] as const) {
  const page = await browser.newPage({ viewport: { width: 1080, height: 900 }, colorScheme, reducedMotion: 'reduce' })
  await page.goto(`${site.url}/?mini=1&only=${names.join(',')}`)
  await page.waitForFunction(() => window.ready)
  await page.evaluate((list) => {
    const main = document.querySelector('main')!
    document.querySelectorAll('h2').forEach((h) => h.remove())
    main.style.gridTemplateColumns = `repeat(${Math.ceil(list.length / 2)}, 1fr)`
    main.style.gap = '16px'
    main.append(...list.map((n) => document.getElementById(n)!.parentElement!))
    document.getElementById('darkchess')!.setAttribute('turned', '1')
  }, names)
  await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))
  save(file, await page.locator('main').screenshot())
  await page.close()
}
const page = await browser.newPage({ viewport: { width: 480, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce' })
await page.goto(`${site.url}/?only=${names.join(',')}`)
await page.waitForFunction(() => window.ready)
for (const name of names) save(`board-${name.replace('-won', '')}.png`, await page.locator(`#${name}`).screenshot())
await pages()
await browser.close()
site.close()

/** Pages of a hall with made-up people and games. */
async function pages(): Promise<void> {
  const hall = await openHall()
  const m = await makeUp(browser, hall, [])
  const list: readonly (readonly [string, string, number, 'light' | 'dark', ('bob' | 'admin')?])[] = [
    ['front', '/', 1280, 'light'], ['front-dark', '/', 1280, 'dark'], ['front-phone', '/', 390, 'light'], ['front-phone-dark', '/', 390, 'dark'],
    ['play', '/play/gomoku', 390, 'light'], ['play-dark', '/play/gomoku', 390, 'dark'],
    ['room', m.paths.running, 1280, 'light'], ['room-dark', m.paths.running, 1280, 'dark'], ['room-phone', m.paths.running, 390, 'light'], ['room-phone-dark', m.paths.running, 390, 'dark'],
    ['room-waiting', m.paths.waiting, 1280, 'light'], ['room-over', m.paths.over, 1280, 'light'], ['room-hidden', m.paths.hidden, 1280, 'light'],
    ['game', m.paths.game, 1280, 'light'], ['game-dark', m.paths.game, 1280, 'dark'], ['game-phone', m.paths.game, 390, 'light'], ['game-phone-dark', m.paths.game, 390, 'dark'], ['embed', m.paths.embed, 390, 'light'], ['analysis', '/analysis?game=amazons', 1280, 'light'],
    ['games', '/games', 1280, 'light'], ['import', '/games/import', 1280, 'light', 'admin'],
    ['players', '/players', 1280, 'light'], ['player', '/players/Ann', 1280, 'light'], ['engines', '/engines', 1280, 'light'], ['engine', '/engines/bot=3', 1280, 'light'],
    ['tournaments', '/tournaments', 1280, 'light'], ['tournament', m.paths.tournament, 1280, 'light'], ['console', m.paths.entering, 1280, 'light', 'admin'],
    ['settings', '/settings', 1280, 'light'], ['account', '/account', 1280, 'light'], ['bots', '/bots', 1280, 'light'],
    ['login', '/login', 390, 'light'], ['users', '/admin/users', 1280, 'light', 'admin'], ['workers', '/admin/workers', 1280, 'light', 'admin'], ['audit', '/admin/audit', 1280, 'light', 'admin'],
  ]
  for (const [name, path, width, colorScheme, who = 'bob'] of list) {
    const c = await visit(browser, hall, [], { viewport: { width, height: 900 }, deviceScaleFactor: /^(front|room|game|tournament)(-dark)?$/.test(name) || width < 500 ? 1 : 0.75, colorScheme, reducedMotion: 'reduce', ...(name !== 'login' && { storageState: await m[who].context().storageState() }) })
    const page = await openPage(c)
    await page.goto(path)
    if (path === m.paths.running) await page.locator('#curves .curve-line').first().waitFor({ state: 'attached' })
    await page.waitForFunction(() => [...document.querySelectorAll('kibitz-board')].every((b) => b.matches(':defined') && (b.clientHeight === 0 || document.querySelector('#no-game:not([hidden])') || b.querySelector('.kb-ground *'))))
    await drawn(page)
    save(`page-${name}.png`, await page.screenshot())
    await c.close()
  }
  await hall.close()
}
