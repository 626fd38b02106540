// A renju player on a phone of 360 px: the choices of swap2 in words, two presses a stone, and
// no stone that was not aimed at.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { spotOf } from '../src/step.ts'
import { boxOf, drawn } from './browser.ts'
import { openVenue } from './venue.ts'
import { decidedSince, openPage, turn } from './visit.ts'

const venue = openVenue()

const stones = (p: Page) => p.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')!.state!.history?.length ?? 0)

test('renju with swap2 at 360 px: three choices in words, two presses a stone, none goes wrong', async () => {
  const c = await venue.visit({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true })
  const p = await openPage(c)
  await p.goto('/play/gomoku')
  for (const [name, value] of [['level', '1'], ['colour', 'second'], ['option.rule', 'renju'], ['option.opening', 'swap2']]) await p.locator(`label.chip:has([name="${name}"][value="${value}"])`).tap()
  await p.locator('[data-act=play]').tap()
  await p.waitForURL(/\/rooms\//)
  let placed = 0
  while (placed < 12) {
    const t = await turn(p)
    if (t.result) { // Mouse can win in few moves
      const old = await p.evaluate(() => document.querySelector('kibitz-board')!.getAttribute('game'))
      await p.locator('#card [data-act=rematch]').tap()
      await p.waitForFunction((id) => document.querySelector('kibitz-board')!.getAttribute('game') !== id, old)
      continue
    }
    if (t.legal[0]!.op === 'choose') {
      assert.deepEqual((await p.locator('.kb-buttons button').allInnerTexts()).sort(), ['Place two more stones', 'Play white', 'Take black'])
      for (const e of await p.locator('.kb-buttons button').all()) assert.ok((await boxOf(e)).height >= 44)
      await p.getByRole('button', { name: 'Take black' }).tap()
      await decidedSince(p, t.history)
      continue
    }
    const step = t.legal[(placed * 37 + 11) % t.legal.length]!
    const box = await boxOf(p.locator(`.kb-spot[data-spot="${spotOf(step.to!)}"]`))
    await p.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    await drawn(p)
    assert.equal(await stones(p), t.history, 'one press has made a move')
    assert.equal(await p.locator('.kb-ghost').count(), 1)
    const name = t.view.columns![step.to![0]]! + t.view.rows![step.to![1]]!
    await p.getByRole('button', { name: `Play ${name}`, exact: true }).tap()
    await decidedSince(p, t.history)
    assert.equal(await p.evaluate((n) => document.querySelector<KibitzBoard>('kibitz-board')!.state!.history![n]!.steps![0], t.history), step.text)
    placed++
  }
  await c.close()
  assert.deepEqual(venue.faults, [])
})
