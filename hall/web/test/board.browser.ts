import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { boards, looks } from '../src/games/list.ts'
import { drawn, openBrowser, slow } from './browser.ts'
import { openGallery, type Site } from './site.ts'

let browser: Browser
let site: Site

before(async () => {
  ;[site, browser] = await Promise.all([openGallery(), openBrowser()])
})

after(async () => {
  await browser.close()
  site.close()
})

/** Opens the gallery; whatever the browser complains of fails the test. */
async function open(query: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 }, reducedMotion: 'reduce', ...options })
  page.on('pageerror', (e) => assert.fail(e))
  page.on('console', (m) => { if (m.type() === 'error') assert.fail(m.text()) })
  await slow(page)
  await page.goto(`${site.url}/?${query}`)
  await page.waitForFunction(() => window.ready)
  await drawn(page)
  return page
}

/** The middle of a spot on the screen. */
async function at(page: Page, name: string, spot: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(`#${name} [data-spot="${spot}"]`).boundingBox()
  assert.ok(box, `${name} has no spot ${spot}`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function click(page: Page, name: string, spot: string): Promise<void> {
  const p = await at(page, name, spot)
  await page.mouse.click(p.x, p.y)
  await drawn(page)
}

/** Presses keys, and lets what they change be drawn. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
  await drawn(page)
}

async function drag(page: Page, name: string, from: string, to: string, button: 'left' | 'right' = 'left'): Promise<void> {
  const [p, q] = [await at(page, name, from), await at(page, name, to)]
  await page.mouse.move(p.x, p.y)
  await page.mouse.down({ button })
  await page.mouse.move((p.x + q.x) / 2, (p.y + q.y) / 2, { steps: 3 })
  await page.mouse.move(q.x, q.y, { steps: 2 })
  await page.mouse.up({ button })
  await drawn(page)
}

const answers = (page: Page, name: string) => page.evaluate((n) => window.exhibits[n]?.answers as { prompt: number; steps: string[] }[], name)

/** The next step of the recorded game. */
const recorded = (page: Page, name: string) => page.evaluate((n) => {
  const x = window.exhibits[n]!
  const f = x.frames.slice(x.next).find((y) => y.kind === 'delta')
  const e = (f?.data as { entries?: { steps?: string[]; notices?: { kind: string; move?: string }[] }[] } | undefined)?.entries?.[0]
  return e?.steps?.[0] ?? e?.notices?.find((y) => y.move)?.move ?? ''
}, name)

/** The next steps of the first seat in the recorded game. */
const own = (page: Page, name: string, count: number) => page.evaluate(([n, k]) => {
  const x = window.exhibits[n]!
  const entries = x.frames.slice(x.next).flatMap((f) => (f.kind === 'delta' ? (f.data as { entries?: { by: string; steps?: string[] }[] }).entries ?? [] : []))
  return entries.filter((e) => e.by === 'first').flatMap((e) => e.steps ?? []).slice(0, k)
}, [name, count] as const)

const step = async (page: Page, name: string): Promise<boolean> => {
  const more = await page.evaluate((n) => window.step(n), name)
  await drawn(page)
  return more
}

test('every board shows its pieces, lines and a name', async () => {
  const page = await open('')
  const bad = await page.evaluate(() => Object.entries(window.exhibits).flatMap(([name, x]) => {
    const v = x.board.state?.view
    const pieces = [...(v?.pieces ?? '')].filter((c) => c !== '.').length
    const have = x.board.querySelectorAll('.kb-piece').length
    const lines = x.board.querySelectorAll('.kb-lines > *').length
    const label = x.board.querySelector('.kb-picture')?.getAttribute('aria-label')
    return pieces === have && lines === (v?.lines?.length ?? 0) && label === 'Board: Ann – Bob' ? [] : [`${name}: ${have} of ${pieces} pieces, ${lines} lines, ${label}`]
  }))
  assert.deepEqual(bad, [])
  assert.equal(await page.locator('kibitz-board').count(), 21)
  await page.close()
})

test('a stone is placed by a click, by a finger, by keys and by its name', async () => {
  const page = await open('only=othello')
  const legal = await page.locator('#othello .kb-hints > *').count()
  assert.ok(legal > 5)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 3_600_000) // time goes by as it is told, and frames with it
  const fault = page.locator('#othello .kb-fault')
  const later = async (ms: number) => {
    await page.clock.runFor(ms)
    return fault.textContent()
  }
  for (const spot of ['0,0', '0,1']) { // what was said of a press is said for 20 s
    const to = await at(page, 'othello', spot)
    await page.mouse.click(to.x, to.y)
    assert.equal(await later(15_000), 'That move is not possible')
  }
  assert.equal(await later(10_000), '')
  await page.clock.resume()
  await click(page, 'othello', '5,0')
  assert.deepEqual(await answers(page, 'othello'), [{ prompt: 1, steps: ['p5,0'] }])
  await page.close()

  const phone = await open('only=othello', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  const p = await at(phone, 'othello', '6,1')
  await phone.touchscreen.tap(p.x, p.y)
  await drawn(phone)
  assert.deepEqual(await answers(phone, 'othello'), [{ prompt: 1, steps: ['p6,1'] }])
  await phone.close()

  const keys = await open('only=othello')
  await press(keys, 'Tab')
  assert.equal(await keys.evaluate(() => document.activeElement?.getAttribute('data-spot')), '3,6', 'the keyboard begins at the latest move')
  assert.match(await keys.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''), /^d7, (black|white) stone, last move$/)
  await press(keys, 'ArrowDown', 'ArrowRight')
  assert.match(await keys.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''), /^e8, empty, possible$/)
  await press(keys, 'Enter')
  assert.deepEqual(await answers(keys, 'othello'), [{ prompt: 1, steps: ['p4,7'] }])
  await keys.close()

  const typed = await open('only=othello')
  await typed.getByLabel('Type a move').fill('zz')
  await press(typed, 'Enter')
  assert.equal(await typed.locator('#othello .kb-fault').textContent(), 'That move is not possible')
  await typed.getByLabel('Type a move').fill('G1')
  await press(typed, 'Enter')
  assert.deepEqual(await answers(typed, 'othello'), [{ prompt: 1, steps: ['p6,0'] }])
  await typed.close()
})

test('a piece walks by two clicks and by a drag, and a shot follows', async () => {
  const page = await open('only=amazons')
  const move = await recorded(page, 'amazons')
  const [from, to] = move.slice(1).split('>') as [string, string]
  await click(page, 'amazons', from)
  assert.ok(await page.locator('#amazons .kb-hints > *').count() > 0)
  assert.equal(await page.locator('#amazons .kb-square.kb-picked').count(), 1)
  await click(page, 'amazons', from)
  assert.equal(await page.locator('#amazons .kb-hints > *').count(), 0)
  await drag(page, 'amazons', from, to)
  assert.deepEqual(await answers(page, 'amazons'), [{ prompt: 1, steps: [move] }])
  while (!(await page.locator('#amazons .kb-status').textContent())?.includes('Shoot')) assert.ok(await step(page, 'amazons'))
  await step(page, 'amazons')
  const shot = await recorded(page, 'amazons')
  await click(page, 'amazons', shot.slice(1))
  assert.deepEqual((await answers(page, 'amazons')).at(-1)?.steps, [shot])
  // The next turn is planned whole, while the other side thinks.
  await step(page, 'amazons')
  const whole = await own(page, 'amazons', 2)
  for (const spot of whole.flatMap((x) => x.slice(1).split('>'))) await click(page, 'amazons', spot)
  assert.equal(await page.locator('#amazons .kb-early:is(circle)').count(), 2)
  assert.match(await page.locator('#amazons .kb-status').textContent() ?? '', /Planned: [a-j]\d+-[a-j]\d+ \/[a-j]\d+$/)
  while ((await answers(page, 'amazons')).length < 4) assert.ok(await step(page, 'amazons'))
  assert.deepEqual((await answers(page, 'amazons')).slice(2).flatMap((x) => x.steps), whole)
  await page.close()
})

test('a whole turn can be typed, its second step is sent when it is asked for', async () => {
  const page = await open('only=amazons')
  const names = await page.evaluate(() => {
    const x = window.exhibits['amazons']!
    const v = x.board.state!.view!
    const name = (text: string) => text.split(',').map(Number).reduce((s, k, i) => s + (i === 0 ? v.columns![k] : v.rows![k]), '')
    const steps = x.frames.slice(x.next).filter((f) => f.kind === 'delta').slice(0, 2).map((f) => (f.data as { entries: { steps: string[] }[] }).entries[0]!.steps[0]!)
    return `${steps[0]!.slice(1).split('>').map(name).join('-')} /${name(steps[1]!.slice(1))}`
  })
  await page.getByLabel('Type a move').fill(names)
  await press(page, 'Enter')
  await step(page, 'amazons')
  await step(page, 'amazons')
  const list = await answers(page, 'amazons')
  assert.equal(list.length, 2)
  assert.deepEqual(list.map((a) => a.prompt), [1, 2])
  assert.deepEqual(list.map((a) => a.steps[0]?.[0]), ['s', 'x'])
  await page.close()
})

test('a move chosen before its turn is shown and made in time', async () => {
  const page = await open('only=othello')
  const mine = await recorded(page, 'othello')
  await click(page, 'othello', mine.slice(1))
  await step(page, 'othello')
  const next = await page.evaluate(() => {
    const x = window.exhibits['othello']!
    const deltas = x.frames.slice(x.next).filter((f) => f.kind === 'delta').map((f) => (f.data as { entries: { by: string; steps: string[] }[] }).entries[0]!)
    return deltas.find((e) => e.by === 'first')!.steps[0]!
  })
  await click(page, 'othello', next.slice(1))
  assert.equal(await page.locator('#othello .kb-ghost.kb-early').count(), 1)
  assert.match(await page.locator('#othello .kb-status').textContent() ?? '', /Planned: /)
  while ((await answers(page, 'othello')).length < 2) assert.ok(await step(page, 'othello'))
  assert.deepEqual((await answers(page, 'othello')).at(-1)?.steps, [next])
  await page.close()
})

test('where moves are to be confirmed they wait', async () => {
  const page = await open('only=gomoku&moves=confirm')
  await click(page, 'gomoku', '0,0')
  assert.deepEqual(await answers(page, 'gomoku'), [])
  assert.equal(await page.locator('#gomoku .kb-ghost.kb-pending').count(), 1)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await drawn(page)
  assert.equal(await page.locator('#gomoku .kb-ghost').count(), 0)
  await click(page, 'gomoku', '1,0')
  await page.getByRole('button', { name: 'Confirm' }).click()
  assert.deepEqual(await answers(page, 'gomoku'), [{ prompt: 1, steps: ['p1,0'] }])
  await page.close()
})

test('choices of swap2 are buttons, a pass is one', async () => {
  const page = await open('only=swap2,phantomgo')
  await page.locator('#swap2').getByRole('button', { name: 'Place two more stones' }).click()
  assert.deepEqual((await answers(page, 'swap2'))[0]?.steps, ['c2'])
  await page.locator('#phantomgo').getByRole('button', { name: 'Pass' }).click()
  assert.deepEqual((await answers(page, 'phantomgo'))[0]?.steps, ['-'])
  await page.close()
  const confirms = await open('only=swap2,phantomgo&moves=confirm')
  for (const [name, choice, step] of [['swap2', 'Place two more stones', 'c2'], ['phantomgo', 'Pass', '-']] as const) {
    const button = confirms.locator(`#${name}`).getByRole('button', { name: choice })
    await button.click()
    assert.deepEqual(await answers(confirms, name), [])
    await confirms.locator(`#${name} .kb-first.primary`).filter({ hasText: choice }).waitFor() // with the next frame
    await button.click()
    assert.deepEqual((await answers(confirms, name))[0]?.steps, [step])
  }
  await confirms.close()
})

test('an attempt that is refused is marked and said, and another follows', async () => {
  const page = await open('only=phantomgo')
  const tried = await page.locator('#phantomgo .kb-tried').count()
  assert.ok(tried > 0)
  let said = ''
  for (let n = 0; n < 60 && !said; n++) {
    assert.ok(await step(page, 'phantomgo'))
    said = await page.locator('#phantomgo .kb-fault').textContent() ?? ''
  }
  assert.match(said, /is refused/)
  assert.ok(await page.locator('#phantomgo .kb-tried').count() > 0)
  await page.close()
})

test('what decided a game, and where nobody may play, is shown', async () => {
  const page = await open('only=gomoku-won,connect6-won,renju-foul,renju-barred,nogo,surakarta')
  assert.equal(await page.locator('#gomoku-won .kb-won').count(), 5)
  assert.equal(await page.locator('#gomoku-won .kb-row').count(), 1)
  assert.equal(await page.locator('#connect6-won .kb-won').count(), 6)
  assert.equal(await page.locator('#renju-foul .kb-fell').count(), 1)
  assert.match(await page.locator('#renju-foul .kb-status').textContent() ?? '', /Bob wins \(black made two open threes/)
  assert.ok(await page.locator('#renju-barred .kb-barred').count() > 0)
  assert.ok(await page.locator('#nogo .kb-barred').count() > 0)
  // Before anybody presses there, it is said why not.
  for (const [name, why] of [['renju-barred', /^\w+, empty, forbidden: double (three|four)$/], ['nogo', /^\w+, empty, forbidden: stones would be left without liberty$/]] as const) {
    const barred = await page.locator(`#${name} .kb-spot[aria-label*=forbidden]`).evaluateAll((list) => list.map((e) => e.getAttribute('aria-label') ?? ''))
    assert.equal(barred.length, await page.locator(`#${name} .kb-barred`).count(), name)
    for (const label of barred) assert.match(label, why)
  }
  assert.match(await page.locator('#renju-barred .kb-notes').innerText(), /^double (three|four): [a-o]\d+/)
  const spot = (await page.locator('#nogo .kb-spot[aria-label*=forbidden]').first().getAttribute('data-spot'))!
  await page.locator(`#nogo [data-spot="${spot}"]`).scrollIntoViewIfNeeded()
  await click(page, 'nogo', spot)
  assert.match(await page.locator('#nogo .kb-fault').innerText(), /^\w+, forbidden: stones would be left without liberty$/)
  assert.equal(await page.locator('#surakarta .kb-way').count(), 1)
  await page.close()
})

test('a capture of Surakarta runs along its arc, discs turn; nothing moves where less motion is asked for', async () => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const page = await open('only=surakarta,othello,darkchess-begin,amazons', { reducedMotion })
    const { moving, left } = await page.evaluate(async () => {
      const out: Record<string, string[]> = {}
      let name = ''
      let begun: Animation[] = []
      const running = new Set<string>()
      // What is set in motion is noted when it begins: on a busy machine it may be over
      // before anybody looks.
      const animate = Element.prototype.animate
      Element.prototype.animate = function (frames, options) {
        const a = animate.call(this, frames, options)
        begun.push(a)
        const t = a.effect!.getComputedTiming()
        const list = (a.effect as KeyframeEffect).getKeyframes()
        if (window.exhibits[name]!.board.contains(this)) out[name]!.push(`${list.length > 2 ? 'run' : /scale\(1\.22/.test(String(list[0]!['transform'])) ? 'land' : /scaleX/.test(String(list[0]!['transform'])) ? 'turn' : list[1]!['opacity'] === '0' ? 'fade' : 'walk'} ${list[0]!.easing === 'linear' ? '' : 'eased '}${t.duration} ${t.endTime}`)
        return a
      }
      for (name of Object.keys(window.exhibits)) {
        out[name] = []
        begun = []
        for (let n = 0; n < 40; n++) {
          const before = begun
          begun = []
          window.step(name)
          await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))
          if (begun.length > 0) for (const a of before) if (a.playState === 'running') running.add(name)
        }
      }
      return { moving: out, left: [...running] }
    })
    if (reducedMotion === 'reduce') assert.deepEqual(Object.values(moving), [[], [], [], []])
    else {
      assert.deepEqual(left, [], 'a move that comes ends the one that runs')
      const kinds = Object.fromEntries(Object.entries(moving).map(([name, list]) => [name, list.map((x) => [x.split(' ')[0], Number(x.split(' ').at(-2)), Number(x.split(' ').at(-1))] as const)]))
      for (const [name, kind, most] of [['surakarta', 'walk', 160], ['surakarta', 'run', 700], ['darkchess-begin', 'walk', 160], ['darkchess-begin', 'turn', 180], ['othello', 'turn', 240], ['amazons', 'walk', 160], ['amazons', 'land', 120]] as const) {
        const ends = kinds[name]!.filter((x) => x[0] === kind).map((x) => x[2])
        assert.ok(ends.length > 0, `${name}: no ${kind}: ${moving[name]!.join(', ')}`)
        if (kind === 'run') for (const ms of ends) assert.ok(ms >= 140 && ms <= most && ms % 10 === 0, `${name}: a run takes ${ms} ms`)
        else if (name === 'othello') assert.ok(Math.max(...ends) <= most, ends.join())
        else assert.equal(Math.max(...ends), most, `${name}, ${kind}: ${ends.join()}`)
      }
      assert.deepEqual([...new Set(Object.values(kinds).flat().filter((x) => x[0] === 'fade').map((x) => x[1]))], [120])
      const waits = new Set(kinds['othello']!.filter((x) => x[0] === 'turn').map((x) => x[2] - x[1]).filter((x) => x % 40 === 0))
      assert.ok(waits.has(0) && waits.has(40), `rings turn one after another: ${[...waits].join()}`)
      // Who looks on at more than four moves a second sees them stand at once.
      assert.deepEqual(await page.evaluate(async () => {
        const x = window.exhibits['amazons']!
        x.board.show({ ...x.board.state!, for: 'public' })
        const out: number[] = []
        let now = performance.now()
        performance.now = () => now
        const animate = Element.prototype.animate
        Element.prototype.animate = function (...of) {
          out[out.length - 1]!++
          return animate.apply(this, of)
        }
        for (const later of [400, 240, 260]) {
          now += later
          out.push(0)
          const n = x.board.state!.history!.length
          while (x.board.state!.history!.length === n) window.step('amazons')
          await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))
        }
        return out
      }), [1, 0, 1])
    }
    await page.close()
  }
})

test('arrows are drawn with the right button and disappear with a move', async () => {
  const page = await open('only=othello')
  await drag(page, 'othello', '0,0', '3,3', 'right')
  await drag(page, 'othello', '5,5', '5,5', 'right')
  assert.equal(await page.locator('#othello .kb-own').count(), 2)
  await drag(page, 'othello', '0,0', '3,3', 'right')
  assert.equal(await page.locator('#othello .kb-own').count(), 1)
  await step(page, 'othello')
  assert.equal(await page.locator('#othello .kb-own').count(), 0)
  await page.close()
})

test('a board can be turned, and its spots turn with it', async () => {
  for (const turned of [1, 2, 3]) {
    const page = await open(`only=darkchess-begin&turned=${turned}`)
    await click(page, 'darkchess-begin', '3,7')
    assert.deepEqual((await answers(page, 'darkchess-begin'))[0]?.steps, ['f3,7'])
    const box = await page.locator('#darkchess-begin .kb-picture').boundingBox()
    assert.ok(box && (turned === 2 ? box.height > box.width * 0.8 : box.width > box.height))
    await page.close()
  }
})

test('with the button for it a finger draws arrows', async () => {
  const page = await open('only=othello', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  const button = page.getByRole('button', { name: 'Draw arrows' })
  await button.tap()
  await page.locator('.kb-arrows[aria-pressed=true]').waitFor()
  const box = await page.locator('#othello .kb-picture').boundingBox()
  assert.ok(box)
  const at = (x: number, y: number) => ({ x: box.x + box.width * x, y: box.y + box.height * y })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(0.3, 0.3)] })
  for (const k of [0.4, 0.5, 0.6]) await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(k, k)] })
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await page.locator('#othello .kb-own').first().waitFor()
  assert.equal((await answers(page, 'othello')).length, 0)
  await button.click()
  await page.locator('.kb-arrows[aria-pressed=false]').waitFor()
  await page.close()
})

test('moves are announced, and the colour on turn is known when it is', async () => {
  const page = await open('only=darkchess-begin')
  assert.equal(await page.locator('.kb-status').textContent(), 'Your turn · no colour yet')
  await step(page, 'darkchess-begin')
  assert.match(await page.locator('[aria-live=polite]').textContent() ?? '', /^c4: red king(\. You are red)?$/)
  assert.match(await page.locator('.kb-status').textContent() ?? '', /^Bob to move · black$/)
  await page.close()
})

// Each recorded game is played to its end: its first steps and then every fifth by mouse and
// keys in turn, the others by keys that the page itself makes, which is as many boards drawn.
for (const name of Object.keys(boards).map((game) => (game === 'darkchess' ? 'darkchess-late' : game))) {
  test(`${name} is played to the end`, async () => {
    const page = await open(`only=${name}`)
    let [asked, pressed] = [0, 0]
    for (;;) {
      const want = await page.evaluate((id) => window.untilAsked(id), name)
      if (!want) break
      await drawn(page)
      await (pressed++ % 2 === 1 ? playByKeys : play)(page, name, want)
      const list = await answers(page, name)
      assert.deepEqual([list.length, list.at(-1)?.steps], [++asked, [want]])
      if (pressed >= 6) asked += await playOn(page, name, 4)
    }
    assert.ok(asked >= 3)
    assert.ok(await page.evaluate((x) => window.exhibits[x]!.board.state!.result !== undefined, name))
    await page.close()
  })
}

/** Plays so many of one's own steps of the record within the page, or fewer to its end; says how many. */
const playOn = (page: Page, name: string, most: number) => page.evaluate(async ([id, n]) => {
  const frames = () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))
  const { board, answers } = window.exhibits[id]!
  for (let made = 0; made < n; made++) {
    const want = window.untilAsked(id)
    if (!want) return made
    await frames()
    const before = answers.length
    const pass = [...board.querySelectorAll('button')].find((e) => e.textContent === 'Pass')
    const spots = want === '-' ? [] : want.startsWith('e') ? [want.slice(1, -2) + (want.endsWith('1') ? '|' : '-')] : want.slice(1).split('>')
    if (want === '-') pass!.click()
    for (const spot of spots) {
      const e = board.querySelector<SVGElement>(`[data-spot="${spot}"]`)!
      e.focus()
      e.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
      await frames()
    }
    const { steps } = answers.at(-1) as { steps: string[] }
    if (answers.length !== before + 1 || steps.join() !== want) throw new Error(`${id}: ${steps.join()}, not ${want}`)
  }
  return n
}, [name, most] as const)

/** The spots of a step, in the order in which they are pressed. */
function spotsOf(text: string): string[] {
  if (text.startsWith('e')) return [text.slice(1, -2) + (text.endsWith('1') ? '|' : '-')]
  return text.slice(1).split('>')
}

async function play(page: Page, name: string, text: string): Promise<void> {
  if (text === '-') {
    await page.getByRole('button', { name: 'Pass' }).click()
    return
  }
  for (const spot of spotsOf(text)) await click(page, name, spot)
}

async function playByKeys(page: Page, name: string, text: string): Promise<void> {
  if (text === '-') {
    await page.getByRole('button', { name: 'Pass' }).press('Enter')
    return
  }
  for (const spot of spotsOf(text)) {
    await page.locator(`#${name} .kb-spot[tabindex="0"]`).focus()
    const ways = await page.evaluate(([id, to]) => {
      const rows = [...document.querySelectorAll(`#${id} [role=row]`)].map((r) => [...r.children].map((c) => c.getAttribute('data-spot')))
      const find = (s: string | null) => rows.map((r, y) => [r.indexOf(s), y] as const).find(([x]) => x >= 0)!
      return [...find(document.activeElement!.getAttribute('data-spot')), ...find(to!)]
    }, [name, spot] as const)
    const [x0, y0, x1, y1] = ways as [number, number, number, number]
    for (let y = y0; y !== y1; y += Math.sign(y1 - y0)) await page.keyboard.press(y1 > y0 ? 'ArrowDown' : 'ArrowUp')
    await page.keyboard.press('Home') // rows of lines are not all as long
    for (let x = 0; x < x1; x++) await page.keyboard.press('ArrowRight')
    assert.ok(x0 >= 0)
    await drawn(page)
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-spot')), spot)
    await press(page, 'Enter')
  }
}

test('stones have rings and dots for who does not tell them by their colours, in every game that has stones', async () => {
  const stones = Object.entries(looks).flatMap(([game, look]) => {
    const letters = Object.entries(look.pieces).flatMap(([letter, p]) => (p.figure === 'stone' || p.figure === 'disc' ? [[p.colour, letter] as const] : []))
    return letters.length > 0 ? [[game, new Map(letters)] as const] : []
  })
  assert.ok(stones.length >= 6, stones.join())
  const page = await open(`pieces=marked&only=${stones.map(([game]) => game).join()}`)
  for (const [game, letters] of stones) {
    // One of each colour is shown, wherever the game has come to.
    const drawnAs = await page.evaluate(([name, two]) => {
      const { board } = window.exhibits[name]!
      const v = board.state!.view!
      board.show({ ...board.state!, view: { ...v, pieces: two + v.pieces.slice(2), owners: `01${v.owners.slice(2)}` } })
      return new Promise<Record<string, string[]>>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(Object.fromEntries(['black', 'white'].map((colour) => {
        const s = getComputedStyle(board.querySelector(`.kb-stone.kb-is-${colour}`)!)
        return [colour, [s.stroke, s.strokeWidth, s.strokeDasharray, s.strokeLinecap]]
      }))))))
    }, [game, letters.get('black')! + letters.get('white')!] as const)
    assert.deepEqual(drawnAs, { black: ['rgb(255, 255, 255)', '5px', 'none', 'butt'], white: ['rgb(23, 24, 26)', '6px', '0px, 13.8px', 'round'] }, game)
  }
  await page.close()
})
