// Takes pictures of the gallery: node build/pictures.mjs FOLDER [QUERY]

import { openBrowser } from './browser.ts'
import { openGallery } from './site.ts'

const boards = process.argv.includes('boards') // each board by itself too
const [folder = 'build/pictures', query = ''] = process.argv.slice(2)
const site = await openGallery()
const browser = await openBrowser()
for (const [kind, width, height] of [['desktop', 1360, 900], ['phone', 390, 844]] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme, deviceScaleFactor: 1 })
    page.on('console', (m) => console.log(kind, colorScheme, m.text()))
    page.on('pageerror', (e) => console.log(kind, colorScheme, e))
    await page.goto(`${site.url}/?${query}`)
    await page.waitForFunction(() => window.ready)
    await page.screenshot({ path: `${folder}/${kind}-${colorScheme}.png`, fullPage: true })
    await page.close()
  }
}
if (boards) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 560, height: 900 }, colorScheme, deviceScaleFactor: 1.5 })
    await page.goto(`${site.url}/?${query}`)
    await page.waitForFunction(() => window.ready)
    for (const name of await page.evaluate(() => Object.keys(window.exhibits))) {
      await page.locator(`#${name}`).screenshot({ path: `${folder}/${name}-${colorScheme}.png` })
    }
    await page.close()
  }
}
await browser.close()
site.close()
