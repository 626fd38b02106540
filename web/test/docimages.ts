// Takes the pictures of docs/images: node build/docimages.mjs FOLDER

import { openBrowser } from './browser.ts'
import { openGallery } from './site.ts'

const folder = process.argv[2] ?? '../docs/images'
const names = ['othello', 'gomoku-won', 'connect6', 'nogo', 'phantomgo', 'surakarta', 'amazons', 'dotsandboxes', 'darkchess']
const site = await openGallery()
const browser = await openBrowser()
for (const [colorScheme, file] of [['light', 'boards.png'], ['dark', 'boards-dark.png']] as const) {
  const page = await browser.newPage({ viewport: { width: 1080, height: 900 }, colorScheme, reducedMotion: 'reduce' })
  await page.goto(`${site.url}/?mini=1&only=${names.join(',')}`)
  await page.waitForFunction(() => window.ready)
  await page.evaluate((list) => {
    const main = document.querySelector('main')!
    document.querySelectorAll('h2').forEach((h) => h.remove())
    main.style.gridTemplateColumns = 'repeat(3, 1fr)'
    main.style.gap = '16px'
    main.append(...list.map((n) => document.getElementById(n)!.parentElement!))
    document.getElementById('darkchess')!.setAttribute('turned', '1')
  }, names)
  await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))
  await page.locator('main').screenshot({ path: `${folder}/${file}` })
  await page.close()
}
const page = await browser.newPage({ viewport: { width: 480, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce' })
await page.goto(`${site.url}/?only=${names.join(',')}`)
await page.waitForFunction(() => window.ready)
for (const name of names) await page.locator(`#${name}`).screenshot({ path: `${folder}/board-${name.replace('-won', '')}.png` })
await browser.close()
site.close()
