// Measures what a page with twenty live boards costs: script time per move event, and
// the time from an event to its picture. node build/measure.mjs [MOST MILLISECONDS]

import { openBrowser } from './browser.ts'
import { openGallery } from './site.ts'

const most = Number(process.argv[2] ?? 2)
const site = await openGallery()
const browser = await openBrowser()
const page = await browser.newPage({ viewport: { width: 1360, height: 900 } })
await page.goto(`${site.url}/?mini=1&only=othello,gomoku,renju-barred,connect6,amazons,amazons-shoot,nogo,dotsandboxes,phantomgo,surakarta,darkchess,darkchess-begin&copies=20`)
await page.waitForFunction(() => window.ready)
const cdp = await page.context().newCDPSession(page)
await cdp.send('Performance.enable')
const metric = async (name: string) => (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === name)?.value ?? 0

const boards = await page.evaluate(() => Object.keys(window.exhibits).length)
const [script, layout, style] = [await metric('ScriptDuration'), await metric('LayoutDuration'), await metric('RecalcStyleDuration')]
const { events, waits } = await page.evaluate(async () => {
  const waits: number[] = []
  let events = 0
  for (let n = 0; n < 25; n++) {
    for (const name of Object.keys(window.exhibits)) {
      const x = window.exhibits[name]!
      while (x.frames[x.next]?.kind === 'seat') x.next++
      const begin = performance.now()
      if (!window.step(name)) continue
      events++
      await new Promise((r) => requestAnimationFrame(r))
      waits.push(performance.now() - begin)
    }
  }
  return { events, waits: waits.sort((a, b) => a - b) }
})
const per = ((await metric('ScriptDuration')) - script) * 1000 / events
const rest = ((await metric('LayoutDuration')) - layout + (await metric('RecalcStyleDuration')) - style) * 1000 / events
console.log(`${boards} boards, ${events} moves: ${per.toFixed(2)} ms of script, ${rest.toFixed(2)} ms of style and layout for a move`)
console.log(`from event to picture: median ${waits[events >> 1]?.toFixed(1)} ms, 95% ${waits[Math.floor(events * 0.95)]?.toFixed(1)} ms`)
await browser.close()
site.close()
if (!(per < most)) {
  console.error(`more than ${most} ms of script for a move`)
  process.exitCode = 1
}
