// Rules and lessons in Chromium: every step of every lesson is done right and wrong, by mouse,
// finger and keyboard.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { parseStep } from '../src/step.ts'
import type { View } from '../src/wire.ts'
import { drawn, says } from './browser.ts'
import { load, sum } from './load.ts'
import { obstacles, openVenue } from './venue.ts'
import { openPage, spotsOf, take, type Turn, type Way } from './visit.ts'

/** Bytes of a page with a lesson as they are sent. */
const most = 85_000

const venue = openVenue()

interface Node {
  readonly step?: string
  readonly view?: View
  readonly legal?: readonly string[]
  readonly next?: readonly Node[]
  readonly end?: boolean
  readonly why?: string
}

interface Step {
  readonly key: string
  readonly for: string
  readonly do: string
  readonly right: string
  readonly other: string
  readonly barred: string
  readonly start: Node
}

/** The games that the list of lessons has, in its order. */
async function taught(page: Page): Promise<string[]> {
  await page.goto('/learn')
  return page.locator('.learn-list a').evaluateAll((list) => list.map((a) => (a as HTMLElement).dataset['game']!))
}

async function open(page: Page, game: string): Promise<Step[]> {
  await page.goto(`/learn/${game}`)
  await page.waitForFunction(() => (document.querySelector<KibitzBoard>('kibitz-board')?.possible.length ?? 0) > 0)
  return JSON.parse(await page.locator('#steps').textContent() ?? '') as Step[]
}

const go = (page: Page, n: number) => page.locator('#pips button').nth(n).click()
const act = (page: Page, name: string) => page.locator(`.lesson [data-act=${name}]`)

/** All lines from a board on to where they end. */
function lines(n: Node): Node[][] {
  if (!n.next?.length) return [[]]
  return n.next.flatMap((x) => lines(x).map((rest) => [x, ...rest]))
}

/** Waits until the board asks the learner. */
async function asked(page: Page): Promise<Turn> {
  const t = await page.waitForFunction(() => {
    const b = document.querySelector<KibitzBoard>('kibitz-board')!
    return b.possible.length > 0 && b.state?.view ? { legal: b.possible.map((x) => x.text), view: b.state.view, history: 0 } : undefined
  }).then((h) => h.jsonValue())
  await drawn(page)
  return { ...t!, legal: t!.legal.flatMap((x) => parseStep(x) ?? []) }
}

/** Makes the learner's decisions of a line; those of the other side come by themselves. */
async function follow(page: Page, s: Step, line: readonly Node[], way: Way): Promise<void> {
  let at: Node = s.start
  for (const n of line) {
    if (at.view?.seat === s.for) await press(page, n, way)
    at = n
  }
}

async function press(page: Page, n: Node, way: Way): Promise<void> {
  const t = await asked(page)
  await take(page, t, parseStep(n.step!)!, way)
}

/** A step that is allowed and stands in no line, if there is one. */
const stray = (n: Node): string | undefined => n.legal?.find((x) => !n.next?.some((y) => y.step === x))

/** The lines of a step, the right ones last; by keys one for each thing that is said. */
function chosen(s: Step, way: Way): Node[][] {
  const all = lines(s.start).toSorted((a, b) => Number(a.at(-1)?.why === undefined) - Number(b.at(-1)?.why === undefined))
  const why = (l: Node[] | undefined) => l?.at(-1)?.why
  return way === 'keys' ? all.filter((l, i) => all.findIndex((x) => why(x) === why(l)) === i) : all
}

for (const way of ['click', 'keys'] as const) {
  test(`every step of every lesson, right and wrong, by ${way}`, async () => {
    const c = await venue.visit()
    const page = await openPage(c)
    const games = await taught(page)
    assert.ok(games.length >= 10)
    for (const game of games) {
      const steps = await open(page, game)
      assert.ok(steps.length >= 5 && steps.length <= 6, `${game} has ${steps.length} steps`)
      for (const [i, s] of steps.entries()) {
        const name = `${game}, ${s.key}`
        await go(page, i)
        assert.equal(await page.locator('#do').innerText(), s.do)
        const other = stray(s.start)
        if (other) {
          await press(page, { step: other }, way)
          await says(page.locator('#said'), s.other)
        }
        for (const line of chosen(s, way)) {
          const last = line.at(-1)!
          await follow(page, s, line, way)
          if (last.why !== undefined) {
            await says(page.locator('#said'), last.why)
            assert.equal(await page.locator('#said').getAttribute('data-kind'), 'wrong')
            // Never a dead end: the board asks again, at once for whoever does not wait.
            if (last.view && way === 'keys') await page.keyboard.press('Enter')
            else if (last.view) await act(page, 'on').click()
            const t = await asked(page)
            assert.deepEqual(t.legal.map((x) => x.text), s.start.legal, name)
            continue
          }
          await says(page.locator('#said'), s.right)
          assert.match(await page.locator('.lesson .kb-voice').innerText(), /\S/, name)
          assert.equal(await page.locator('#said').getAttribute('data-kind'), 'right', name)
          assert.ok(await page.locator('#pips button').nth(i).evaluate((e) => e.classList.contains('done')), name)
          await act(page, 'on').click()
          if (i === steps.length - 1) await page.locator('#lesson-end').waitFor()
          else await says(page.locator('#do'), steps[i + 1]!.do)
          await go(page, i)
        }
      }
    }
    await c.close()
  })
}

test('a lesson by finger goes on by itself, and ends where the game is played', async () => {
  const c = await venue.visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await openPage(c)
  for (const game of await taught(page)) {
    const steps = await open(page, game)
    let presses = 0
    for (const s of steps) {
      await says(page.locator('#do'), s.do)
      const line = lines(s.start).find((l) => l.at(-1)?.why === undefined)!
      let at = s.start
      for (const n of line) {
        if (at.view?.seat === s.for) {
          const t = await asked(page)
          const step = parseStep(n.step!)!
          await take(page, t, step, 'touch')
          presses += Math.max(1, spotsOf(step).length)
          const confirm = page.locator('.lesson .kb-buttons .kb-first')
          if (await confirm.count() > 0) { // points of a fine board are aimed at
            await confirm.tap()
            presses++
          }
        }
        at = n
      }
      await says(page.locator('#said'), s.right)
      if (s !== steps[0]) await act(page, 'on').tap()
    }
    await page.locator('#lesson-end').waitFor()
    assert.ok(presses <= 36, `${game}: ${presses} presses`)
    assert.equal(await page.locator('#pips .done').count(), steps.length)
    await act(page, 'play').tap()
    await page.waitForURL(/\/rooms\//)
  }
  await c.close()
})

test('what cannot be done is explained, a step can be shown, skipped and begun again', async () => {
  const c = await venue.visit()
  const page = await openPage(c)
  for (const game of await taught(page)) {
    const steps = await open(page, game)
    const t = await asked(page)
    const places = new Set(t.legal.flatMap((s) => spotsOf(s)))
    const spots = await page.locator('kibitz-board .kb-spot').evaluateAll((list) => list.map((e) => e.getAttribute('data-spot')!))
    const away = spots.find((s) => !places.has(s))
    if (away) {
      await page.locator(`kibitz-board .kb-spot[data-spot="${away}"]`).focus()
      await page.keyboard.press('Enter')
      await says(page.locator('#said'), steps[0]!.barred)
    }
    for (const [i, s] of steps.entries()) {
      await says(page.locator('#do'), s.do)
      await act(page, i % 2 ? 'skip' : 'show').click()
      if (i % 2) continue
      await says(page.locator('#said'), s.right)
      await act(page, 'on').click()
    }
    await page.locator('#lesson-end').waitFor()
    assert.ok(await act(page, 'play').evaluate((e) => e === document.activeElement || !document.querySelector('.lesson')!.contains(document.activeElement)))
    await act(page, 'again').click()
    await says(page.locator('#do'), steps[0]!.do)
    assert.equal(await page.locator('#pips .done').count(), 0)
  }
  await c.close()
})

test('pages of lessons are light and have no obstacles', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const c = await venue.visit({ colorScheme: theme })
    const page = await openPage(c)
    for (const game of ['', ...await taught(page)]) {
      const path = game ? `/learn/${game}` : '/learn'
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 844 })
        await page.goto(path)
        if (game) await asked(page)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(wide <= 0, `${path} is ${wide} too wide at ${width}`)
        if (game && width === 390) assert.ok(await page.evaluate(() => document.querySelector('.lesson kibitz-board')!.getBoundingClientRect().bottom < innerHeight), `${path}: the board is below the fold`)
        // Of the themes only colours differ, and of the widths where things stand.
        if (width === 1280 ? theme === 'light' : width === 390) assert.deepEqual(await obstacles(page, theme === 'light' ? undefined : ['color-contrast', 'link-in-text-block']), [], `${path}, ${theme}, ${width}`)
      }
    }
    await c.close()
  }
  const c = await venue.visit()
  const page = await openPage(c)
  for (const game of await taught(page)) {
    const fresh = await venue.visit({ viewport: { width: 1280, height: 900 } })
    const p = await openPage(fresh)
    const l = await load(p, `/learn/${game}`, true)
    const { packed } = sum(l)
    assert.ok(packed > 30_000 && packed < most, `${game}: ${packed} bytes`)
    assert.ok(await p.evaluate(() => [...document.querySelectorAll('.rule kibitz-board')].every((b) => b.querySelector('.kb-picture'))), game)
    assert.ok(l.shift < 0.02, `${game} moved by ${l.shift}`)
    await fresh.close()
  }
  await c.close()
})

test('boards of a lesson and of rules speak the language of the page', async () => {
  const c = await venue.visit({ locale: 'cs' })
  const page = await openPage(c)
  const [game] = await taught(page)
  await open(page, game!)
  const names = await page.locator('kibitz-board .kb-picture').evaluateAll((list) => list.map((e) => e.getAttribute('aria-label')?.replace(/:.*/, '')))
  assert.ok(names.length >= 6, names.join())
  assert.deepEqual([...new Set(names)], ['Deska'])
  await c.close()
})

test('without scripts: text, pictures and solutions', async () => {
  const c = await venue.visit({ javaScriptEnabled: false })
  const page = await openPage(c)
  await page.goto('/learn')
  const count = await page.locator('.learn-list a').count()
  for (let n = 0; n < count; n++) {
    await page.goto('/learn')
    await page.locator('.learn-list a').nth(n).click()
    assert.ok(await page.locator('.lesson-plain li').count() >= 5)
    assert.equal(await page.locator('.lesson-plain img').count(), await page.locator('.lesson-plain li').count())
    assert.ok(!await page.locator('.lesson-live').isVisible())
    await page.locator('.lesson-plain summary').first().click()
    assert.match(await page.locator('.lesson-plain details p').first().innerText(), /\S · \S/)
    assert.ok(await page.locator('.rule img').count() >= 6)
  }
  await c.close()
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
