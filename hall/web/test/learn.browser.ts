// Rules and lessons in Chromium: every line of every lesson is decided, right and wrong, within the page,
// one step by mouse, one by keys, and what is right of all by finger.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { wayOf } from '../src/draw/loops.ts'
import { layoutOf } from '../src/layout.ts'
import { parseStep } from '../src/step.ts'
import type { View } from '../src/wire.ts'
import { drawn, patience, says } from './browser.ts'
import { load, sum } from './load.ts'
import { obstacles, openVenue } from './venue.ts'
import { openPage, spotsOf, take, type Way } from './visit.ts'

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
  await drawn(page) // a board knows what is possible before its first frame
  return JSON.parse(await page.locator('#steps').textContent() ?? '') as Step[]
}

const go = (page: Page, n: number) => page.locator('#pips button').nth(n).click()
const act = (page: Page, name: string) => page.locator(`.lesson [data-act=${name}]`)

/** Given to a page before it is loaded: the other side answers at once, and what follows a
 * line waits until it is asked for, however slow the machine is. */
function unhurried(): void {
  const later = window.setTimeout.bind(window)
  window.setTimeout = ((fn: () => void, ms = 0) => later(fn, ms > 1000 ? 2 ** 31 - 1 : 0)) as typeof window.setTimeout
}

/** All lines from a board on to where they end. */
function lines(n: Node): Node[][] {
  if (!n.next?.length) return [[]]
  return n.next.flatMap((x) => lines(x).map((rest) => [x, ...rest]))
}

const isRight = (line: readonly Node[]): boolean => line.at(-1)?.why === undefined

/** Waits until the board asks the learner and is drawn, and tells where a spot is on the
 * screen; it gets the focus if it is to be pressed by a key. */
const spotAt = (page: Page, spot: string, focus: boolean) => page.evaluate(async ([name, keys, most]) => {
  const board = document.querySelector<KibitzBoard>('.lesson kibitz-board')!
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  for (const end = Date.now() + most; board.possible.length === 0;) {
    if (Date.now() > end) throw new Error('the board does not ask')
    await frame()
  }
  await frame()
  await frame()
  const e = board.querySelector<SVGElement>(`.kb-spot[data-spot="${name}"]`)
  if (!e) throw new Error(`no spot ${name}`)
  if (keys) e.focus()
  else e.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  const r = e.getBoundingClientRect()
  return { x: r.x + r.width / 2, y: r.y + r.height / 2 }
}, [spot, focus, patience] as const)

/** What may be decided now, when the board asks. */
const asked = (page: Page) => page.waitForFunction(() => {
  const list = document.querySelector<KibitzBoard>('.lesson kibitz-board')!.possible.map((x) => x.text)
  return list.length > 0 ? list : undefined
}).then((h) => h.jsonValue()).then((list) => list!)

async function press(page: Page, text: string, way: Way): Promise<void> {
  const step = parseStep(text)!
  const spots = spotsOf(step)
  if (spots.length === 0) { // a pass or a choice
    const legal = (await asked(page)).flatMap((x) => parseStep(x) ?? [])
    await drawn(page)
    return take(page, { legal, history: 0, view: {} as View }, step, way)
  }
  for (const spot of spots) {
    const p = await spotAt(page, spot, way === 'keys')
    if (way === 'keys') await page.keyboard.press('Enter')
    else if (way === 'touch') await page.touchscreen.tap(p.x, p.y)
    else await page.mouse.click(p.x, p.y)
  }
}

/** The learner's decisions of a line; those of the other side come by themselves. */
const own = (s: Step, line: readonly Node[]): string[] => line.filter((_, i) => (i === 0 ? s.start : line[i - 1]!).view?.seat === s.for).map((n) => n.step!)

/** Waits until the page says something of what was pressed. */
async function said(page: Page, want: string, name: string): Promise<void> {
  assert.equal(await page.evaluate(async ([text, most]) => {
    const e = document.querySelector<HTMLElement>('#said')!
    for (const end = Date.now() + most; e.innerText !== text && Date.now() < end;) await new Promise((done) => requestAnimationFrame(done))
    return e.innerText
  }, [want, patience] as const), want, name)
}

/** A step that is allowed and stands in no line, if there is one. */
const stray = (n: Node): string | undefined => n.legal?.find((x) => !n.next?.some((y) => y.step === x))

/** The lines of a step, the right ones last; by keys a wrong one and a right one. */
function chosen(s: Step, way: Way): Node[][] {
  const all = lines(s.start).toSorted((a, b) => Number(isRight(a)) - Number(isRight(b)))
  return way === 'keys' ? all.filter((l, i) => all.findIndex((x) => isRight(x) === isRight(l)) === i) : all
}

/** What is pressed for a decision: its spots, or a button by its number. */
const pressed = (n: Node, text: string): string[] | number => {
  const spots = spotsOf(parseStep(text)!)
  return spots.length > 0 ? spots : n.legal!.filter((x) => ['pass', 'choose'].includes(parseStep(x)!.op)).indexOf(text)
}

/** One line of a step: what is pressed in it, what is said of it, whether it is right, and whether its end is a board. */
interface Line {
  readonly presses: readonly (readonly string[] | number)[]
  readonly want: string
  readonly right: boolean
  readonly ends: boolean
}

/** All lines of a step: one of a decision that stands in none, those that are wrong, those that are right. */
function all(s: Step): Line[] {
  const other = stray(s.start)
  return [...(other ? [{ presses: [pressed(s.start, other)], want: s.other, right: false, ends: false }] : []), ...chosen(s, 'click').map((line) => {
    const { why, view } = line.at(-1)!
    const mine = line.flatMap((n, i) => { const from = i === 0 ? s.start : line[i - 1]!; return from.view?.seat === s.for ? [pressed(from, n.step!)] : [] })
    return { presses: mine, want: why ?? s.right, right: why === undefined, ends: view !== undefined }
  })]
}

/** Decides all lines of a step within the page, as keys do: what is said of each is as it should be, what is
 * possible after one that is wrong, and where one that is right leads. */
const walk = (page: Page, i: number, list: readonly Line[], legal: readonly string[], next: string) => page.evaluate(async ([at, lines, start, then, most]) => {
  const board = document.querySelector<KibitzBoard>('.lesson kibitz-board')!
  const [said, task, on] = ['#said', '#do', '.lesson [data-act=on]'].map((x) => document.querySelector<HTMLElement>(x)!) as [HTMLElement, HTMLElement, HTMLElement]
  const pip = document.querySelectorAll<HTMLElement>('#pips button')[at]!
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  for (const line of lines) {
    const until = async (what: string, good: () => boolean) => {
      for (const end = Date.now() + most; !good(); await frame()) if (Date.now() > end) throw new Error(`${task.innerText}: ${line.want} ${what}: ${JSON.stringify([said.innerText, board.possible.map((x) => x.text)])}`)
    }
    said.textContent = ''
    for (const spots of line.presses) {
      await until('is not asked', () => board.possible.length > 0)
      for (let n = 0; n < 2; n++) await frame()
      if (typeof spots === 'number') board.querySelectorAll<HTMLElement>('.kb-buttons button')[spots]!.click()
      else for (const spot of spots) {
        const e = board.querySelector<SVGElement>(`.kb-spot[data-spot="${spot}"]`)!
        e.focus()
        e.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
      }
    }
    await until('is not said', () => said.innerText === line.want && said.dataset['kind'] === (line.right ? 'right' : 'wrong'))
    if (line.ends) on.click()
    if (line.right) {
      await until('has no voice', () => /\S/.test(document.querySelector<HTMLElement>('.lesson .kb-voice')?.innerText ?? ''))
      await until('leads elsewhere', () => pip.classList.contains('done') && (then === '' ? !document.getElementById('lesson-end')!.hidden : task.innerText === then))
      pip.click()
    } else await until('is a dead end', () => board.possible.map((x) => x.text).join() === start.join()) // never: the board asks again, at once for whoever does not wait
  }
}, [i, list, legal, next, patience] as const)

test('every step of every lesson, all its lines, and two of the first steps by mouse and keys', async () => {
  const c = await venue.visit()
  await c.addInitScript(unhurried)
  const page = await openPage(c)
  const games = await taught(page)
  assert.ok(games.length >= 10)
  for (const game of games) {
    const steps = await open(page, game)
    assert.ok(steps.length >= 5 && steps.length <= 6, `${game} has ${steps.length} steps`)
    for (const [i, s] of steps.entries()) {
      await go(page, i)
      assert.equal(await page.locator('#do').innerText(), s.do)
      await walk(page, i, all(s), s.start.legal!, steps[i + 1]?.do ?? '')
    }
    for (const [i, way] of (['click', 'keys'] as const).entries()) {
      const s = steps[i]!
      await go(page, i)
      for (const line of chosen(s, 'keys')) {
        const mine = own(s, line)
        for (const step of mine) await press(page, step, way)
        await said(page, line.at(-1)!.why ?? s.right, `${game}, ${s.key}, by ${way}`)
        // By a key it goes on from the board, unless what was decided is a button.
        if (!line.at(-1)!.view) continue
        if (way === 'click') await act(page, 'on').click()
        else if (spotsOf(parseStep(mine.at(-1)!)!).length > 0) await page.keyboard.press('Enter')
        else await act(page, 'on').press('Enter')
        if (isRight(line)) await says(page.locator('#do'), steps[i + 1]!.do)
        else assert.deepEqual(await asked(page), s.start.legal, game)
      }
    }
  }
  await c.close()
})

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test('what is right goes on by itself, and what is wrong begins again', async () => {
  const c = await venue.visit(phone)
  const page = await openPage(c)
  const steps = await open(page, 'othello')
  const wrong = (s: Step) => lines(s.start).find((l) => !isRight(l) && l.at(-1)!.view)
  const i = steps.findIndex(wrong)
  const s = steps[i]!
  await go(page, i)
  for (const line of [wrong(s)!, lines(s.start).find(isRight)!]) {
    for (const step of own(s, line)) await press(page, step, 'touch')
    await said(page, line.at(-1)!.why ?? s.right, s.key)
    if (!isRight(line)) assert.deepEqual(await asked(page), s.start.legal)
  }
  await says(page.locator('#do'), steps[i + 1]!.do)
  await c.close()
})

test('a lesson by finger ends where the game is played', async () => {
  const c = await venue.visit(phone)
  await c.addInitScript(unhurried)
  const page = await openPage(c)
  for (const game of await taught(page)) {
    const steps = await open(page, game)
    await fits(page, game)
    assert.ok(await page.evaluate(() => document.querySelector('.lesson kibitz-board')!.getBoundingClientRect().bottom < innerHeight), `${game}: the board is below the fold`)
    let presses = 0
    for (const s of steps) {
      await says(page.locator('#do'), s.do)
      for (const step of own(s, lines(s.start).find(isRight)!)) {
        await press(page, step, 'touch')
        await drawn(page)
        presses += Math.max(1, spotsOf(parseStep(step)!).length)
        const confirm = page.locator('.lesson .kb-buttons .kb-first')
        if (await confirm.count() > 0) { // points of a fine board are aimed at
          await confirm.tap()
          presses++
        }
      }
      await said(page, s.right, `${game}, ${s.key}`)
      await act(page, 'on').tap()
    }
    await page.locator('#lesson-end').waitFor()
    assert.ok(presses <= 36, `${game}: ${presses} presses`)
    assert.equal(await page.locator('#pips .done').count(), steps.length)
    await act(page, 'play').tap()
    await page.waitForURL(/\/rooms\//, { waitUntil: 'commit' })
  }
  await c.close()
})

test('a finger that runs a piece of Surakarta goes along the arc, and the piece with it', async () => {
  const c = await venue.visit(phone)
  const page = await openPage(c)
  const cdp = await c.newCDPSession(page)
  const steps = await open(page, 'surakarta')
  const i = steps.findIndex((s) => s.key === 'run')
  const s = steps[i]!
  await go(page, i)
  await says(page.locator('#do'), s.do)
  const [end] = lines(s.start).find(isRight)!
  const step = parseStep(end!.step!)!
  const { x: left, y: up } = await spotAt(page, spotsOf(step)[0]!, false) // in sight
  const way = wayOf(layoutOf(end!.view!, 0, 'beside'), end!.view!.path!)
  assert.ok(way.length > 15, 'no arc is on the way')
  const [a, b] = await page.evaluate((list) => {
    const m = document.querySelector<SVGSVGElement>('.lesson .kb-picture')!.getScreenCTM()!
    return [list.map(([x, y]) => { const q = new DOMPoint(x, y).matrixTransform(m); return { x: q.x, y: q.y } }), scrollY] as const
  }, way)
  assert.ok(Math.hypot(a[0]!.x - left, a[0]!.y - up) < 2, 'the way does not begin at the piece')
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', p?: { x: number; y: number }) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: p ? [p] : [] })
  const far = () => page.evaluate(() => [...document.querySelectorAll('.lesson .kb-body[transform]')].map((e) => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] as const }))
  await touch('touchStart', a[0])
  for (const [n, p] of a.entries()) {
    if (n === 0) continue
    await touch('touchMove', p)
    if (n % 4 !== 0) continue
    await drawn(page)
    const [at, ...more] = await far()
    assert.ok(at && more.length === 0 && Math.hypot(at[0] - p.x, at[1] - p.y) < 3, `place ${n} of the way: the piece is at ${String(at)}, the finger at ${p.x}, ${p.y}`)
  }
  await touch('touchEnd')
  await said(page, s.right, s.key)
  assert.equal(await page.evaluate(() => scrollY), b, 'the page has scrolled under the finger')
  await c.close()
})

/** What is opened over a page, as it reads. */
const tip = (page: Page) => page.locator('.tip:popover-open')

test('words that are not plain say what they mean: in the rules, to a finger and to keys', async () => {
  for (const [locale, word, meaning] of [
    ['en', 'komi', 'Points for White, because Black begins.'], ['zh-TW', '貼目', '因為黑方先下，白方多得的點數。'], ['zh-CN', '贴目', '因为黑方先下，白方多得的点数。'],
    ['cs', 'komi', 'Body pro bílého, protože začíná černý.'], ['es', 'komi', 'Puntos para las blancas, porque empiezan las negras.'],
  ] as const) {
    const c = await venue.visit({ ...phone, locale })
    const page = await openPage(c)
    await page.goto('/learn/phantomgo')
    const e = page.locator('.rule .word', { hasText: word })
    await e.tap()
    assert.equal(await tip(page).innerText(), meaning)
    if (locale === 'en') assert.deepEqual(await obstacles(page), [])
    await page.keyboard.press('Escape')
    assert.equal(await tip(page).count(), 0)
    await e.press('Enter')
    assert.equal(await tip(page).innerText(), meaning)
    const s = await e.evaluate((x) => ({ line: getComputedStyle(x).textDecoration, height: x.getBoundingClientRect().height }))
    assert.match(s.line, /underline.* dotted/)
    assert.ok(s.height >= 24, `${s.height} high`)
    // The same words stand at the end of the page.
    assert.deepEqual(await page.locator('.rule .tip').evaluateAll((list) => list.map((x) => x.textContent).sort()), await page.locator('#h-words + .terms dd').evaluateAll((list) => list.map((x) => x.textContent).sort()))
    await c.close()
  }
})

test('what cannot be done is explained, a step can be shown, skipped and begun again', async () => {
  const c = await venue.visit()
  await c.addInitScript(unhurried)
  const page = await openPage(c)
  for (const game of await taught(page)) {
    const steps = await open(page, game)
    const places = new Set((await asked(page)).flatMap((x) => spotsOf(parseStep(x)!)))
    await drawn(page)
    const spots = await page.locator('.lesson kibitz-board .kb-spot').evaluateAll((list) => list.map((e) => e.getAttribute('data-spot')!))
    const away = spots.find((s) => !places.has(s))
    if (away) {
      await press(page, `p${away}`, 'keys')
      await said(page, steps[0]!.barred, game)
    }
    for (const [i, s] of steps.entries()) {
      await says(page.locator('#do'), s.do)
      await act(page, i % 2 ? 'skip' : 'show').click()
      if (i % 2) continue
      await said(page, s.right, `${game}, ${s.key}`)
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

/** Nothing of a page is wider than its screen. */
async function fits(page: Page, name: string): Promise<void> {
  const [wide, at] = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, innerWidth] as const)
  assert.ok(wide <= 0, `${name} is ${wide} too wide at ${at}`)
}

test('pages of lessons are light and have no obstacles', async () => {
  const c = await venue.visit()
  for (const game of ['', ...await taught(await openPage(c))]) {
    const path = game ? `/learn/${game}` : '/learn'
    const fresh = await venue.visit({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' })
    const p = await openPage(fresh)
    const l = await load(p, path, game !== '')
    if (game) {
      const { packed } = sum(l)
      assert.ok(packed > 30_000 && packed < most, `${game}: ${packed} bytes`)
      assert.ok(await p.evaluate(() => [...document.querySelectorAll('.rule kibitz-board')].every((b) => b.querySelector('.kb-picture'))), game)
      assert.ok(l.shift < 0.02, `${game} moved by ${l.shift}`)
    }
    const some = ['', 'othello', 'dotsandboxes', 'darkchess'].includes(game) // of the others all but the board is made as these are
    assert.deepEqual(await obstacles(p, undefined, some ? undefined : '.lesson'), [], path)
    for (const width of [1280, 390, 320]) {
      await p.setViewportSize({ width, height: 844 })
      await drawn(p)
      await fits(p, path)
      // Each step of a lesson lies within its panel, and can be pressed.
      const steps = await p.evaluate(() => [...document.querySelectorAll('#pips button')].flatMap((e) => {
        const [r, box] = [e.getBoundingClientRect(), document.getElementById('pips')!.getBoundingClientRect()]
        return r.right <= box.right + 0.5 && r.width >= 24 && r.height >= 44 ? [] : [`${e.textContent} ends ${(r.right - box.right).toFixed(0)} behind it, ${r.width.toFixed(0)} wide`]
      }))
      assert.deepEqual(steps, [], `${path}, ${width}`)
    }
    if (some) { // Of the themes only colours differ, of the games only what is drawn.
      await p.emulateMedia({ colorScheme: 'dark' })
      await p.goto(path)
      if (game) await asked(p)
      assert.deepEqual(await obstacles(p, ['color-contrast', 'link-in-text-block']), [], `${path}, dark`)
    }
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
    await page.waitForURL(/\/learn\/\w/) // and until all of it is there: what follows is counted
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
