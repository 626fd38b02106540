// What can be done in a room beside moves: one row of equal cells that act at once, hints
// against engines, the card at the end of a game, titles of tabs, sounds.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { boards } from '../src/games/list.ts'
import type { Ask } from '../src/wire.ts'
import { boxOf, drawn, says, until } from './browser.ts'
import { command, fillRoom, openGuest, start, together } from './rooms.ts'
import { look, unpainted } from './stage.ts'
import { obstacles, openVenue } from './venue.ts'
import { ask, openPage, post, resign, seated, take, turn } from './visit.ts'

declare global {
  interface Window {
    /** How many tones were made. */
    tones: number
  }
}

const venue = openVenue()
const languages = ['en', 'zh-Hant', 'zh-Hans', 'cs', 'es'] as const
const sizes = [[320, 568], [390, 844], [844, 390], [1280, 720]] as const

/** Begins a game of a person against an engine, or of two guests, in a room of the first. */
async function begin(page: Page, game: string, seats: readonly string[] = ['person', 'bot=1'], settings: Readonly<Record<string, unknown>> = {}): Promise<{ room: string; game: string }> {
  const room = await fillRoom(page, game, seats, settings)
  const id = await start(page, room)
  return { room: `/rooms/${room}`, game: id }
}

/** Two guests sit in a game, each on a page of the room. */
async function pair(game: string, settings: Readonly<Record<string, unknown>> = {}): Promise<{ a: Page; b: Page; contexts: BrowserContext[]; id: string; room: string }> {
  const contexts = [await venue.visit(), await venue.visit()]
  const [a, b] = [await openGuest(contexts[0]!), await openGuest(contexts[1]!)]
  const { room, id } = await together(a, b, game, settings)
  return { a, b, contexts, id, room }
}

/** The cells of the row of acts, and what of them does not fit; also when resigning is asked
 * once more, which it is for 3 s: then all happens in one go. */
const cells = (page: Page, armed = false) => page.evaluate((press) => {
  if (press) document.querySelector<HTMLElement>('.acts [data-act=resign]')!.click()
  const row = document.querySelector<HTMLElement>('#room-acts')!
  const box = document.querySelector('[data-part=acts]')!.getBoundingClientRect()
  const list = [...row.querySelectorAll<HTMLElement>('.acts > [data-act]')].filter((e) => e.getBoundingClientRect().width > 0)
  const all = {
    asks: row.querySelectorAll('.acts [data-armed]').length,
    width: row.getBoundingClientRect().width,
    cells: list.map((e) => {
      const r = e.getBoundingClientRect()
      const label = e.querySelector<HTMLElement>('.label')!
      const l = label.getBoundingClientRect()
      const icon = e.querySelector('.icon')!.getBoundingClientRect()
      const seen = l.width > 2
      return {
        act: e.dataset['act']!, w: r.width, name: e.textContent?.trim() ?? '', tip: e.title, seen, icon: icon.width > 0,
        over: icon.width > 0 && seen && icon.bottom <= l.top + 2, size: parseFloat(getComputedStyle(label).fontSize),
        cut: seen && (l.left < r.left || l.right > r.right || l.top < r.top || l.bottom > r.bottom || label.scrollWidth > label.clientWidth + 1 && getComputedStyle(label).display !== 'inline'),
        lines: seen ? Math.round(l.height / parseFloat(getComputedStyle(label).lineHeight)) : 1,
        out: r.left < box.left - 0.5 || r.right > box.right + 0.5 || r.top < box.top - 0.5 || r.bottom > box.bottom + 0.5,
        small: r.width < 24 || r.height < 40, bare: parseFloat(getComputedStyle(e).borderTopWidth) < 1,
      }
    }),
  }
  if (press) document.body.click()
  return { ...all, forgotten: row.querySelectorAll('.acts [data-armed]').length === 0 }
}, armed)

type Cells = Awaited<ReturnType<typeof cells>>

/** What is wrong with a row of acts. */
function wrongCells(x: Cells, want: readonly string[], short: boolean, armed = false): string[] {
  const out: string[] = []
  const acts = x.cells.map((c) => c.act)
  if (acts.join() !== want.join()) out.push(`acts are ${acts.join()}`)
  const widths = x.cells.map((c) => c.w)
  if (Math.max(...widths) - Math.min(...widths) > 1) out.push(`cells differ: ${widths.join()}`)
  for (const c of x.cells) {
    const bad = (what: string) => out.push(`${c.act} "${c.name}" (${c.w.toFixed(0)} of ${x.width.toFixed(0)}) ${what}`)
    if (c.cut) bad('is cut')
    if (c.lines > 1) bad('is wrapped')
    if (c.out) bad('stands outside of the row')
    if (c.small) bad('is too small')
    if (c.bare) bad('has no edge')
    if (c.name === '' || c.tip === '') bad('has no name')
    if (short || x.width < 311.5) {
      if (!c.icon || c.seen) bad('is to be an icon alone')
    } else if (x.width >= 399.5) {
      if (c.icon || !c.seen || c.size < (armed ? 14 : 16)) bad('is to be a label')
    } else if (!c.over || c.size !== 13) bad('is to be an icon over a label')
  }
  return out
}

test('acts are at most four equal cells whose labels fit, in five languages', async () => {
  const host = await venue.visit()
  const h = await openGuest(host)
  const { room } = await begin(h, 'othello')
  const p = await pair('othello', { undo: true })
  const wrong: string[] = []
  const page = await openPage(host)
  const looks: readonly (readonly [Page, string, readonly string[]])[] = [[page, room, ['resign', 'hint', 'undo', 'more']], [p.a, `/rooms/${p.room}`, ['resign', 'draw', 'undo', 'more']]]
  for (const [on, path, want] of looks) {
    for (const lang of languages) {
      await on.request.post('/look', { form: { lang, to: '/settings' }, headers: { Origin: venue.hall.url } })
      await on.setViewportSize({ width: 1280, height: 720 })
      await on.goto(path)
      await on.locator('[data-part=board] .kb-picture[viewBox]').waitFor()
      await unpainted(on)
      for (const [width, height] of [...sizes, [412, 732], ...(lang === 'en' ? [[430, 932], [1024, 768], [900, 500], [2560, 1440]] as const : [])] as const) { // the narrowest of each kind
        await on.setViewportSize({ width, height })
        await drawn(on)
        const short = width > height && height < 500
        const at = `${lang} ${width}x${height}: `
        const before = await cells(on)
        wrong.push(...wrongCells(before, want, short).map((x) => at + x))
        const armed = await cells(on, true)
        wrong.push(...wrongCells(armed, want, short, true).map((x) => `${at}armed: ${x}`))
        if (armed.cells.some((c, i) => Math.abs(c.w - before.cells[i]!.w) > 0.5)) wrong.push(`${at}a cell has another width when it asks once more`)
        if (armed.asks !== 1 || !armed.forgotten) wrong.push(`${at}resigning is not asked once more, or not forgotten`)
      }
    }
  }
  assert.deepEqual(wrong, [])
  for (const c of [host, ...p.contexts]) await c.close()
})

/** The numbers of a seed, in 0..n-1. */
function drawing(seed: number): (n: number) => number {
  let x = seed * 2654435769 + 1
  return (n) => {
    x = (x + 0x6d2b79f5) | 0
    let t = Math.imul(x ^ (x >>> 15), 1 | x)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % n
  }
}

/** A game as its players agree on it: who moves, what is asked. */
class Model {
  readonly by: number[] = []
  /** What is asked, and with how many moves the game is to go on if moves are taken back. */
  asks?: { by: number; what: 'draw' | 'undo'; keep: number } | undefined
  declined: Set<string> = new Set()
  /** Who has offered a draw, and has not yet had ten turns since. */
  drew: Set<number> = new Set()
  over = false

  get turn(): number {
    return this.by.length % 2
  }

  /** What a seat can do on its page. */
  can(seat: number): string[] {
    const out = this.turn === seat ? ['move'] : []
    if (this.asks) return [...out, ...(this.asks.by === seat ? ['withdraw'] : ['accept', 'decline'])]
    if (!this.drew.has(seat)) out.push('draw')
    if (this.by.includes(seat) && !this.declined.has(`${seat}undo`)) out.push('undo')
    return out
  }

  do(seat: number, what: string): void {
    const asked = this.asks
    switch (what) {
      case 'move':
        if (asked && asked.by !== seat) this.decline(asked)
        this.declined.delete(`${seat}undo`)
        this.by.push(seat)
        break
      case 'draw': case 'undo':
        if (what === 'draw') this.drew.add(seat)
        this.asks = { by: seat, what, keep: this.by.lastIndexOf(seat) }
        break
      case 'withdraw':
        this.asks = undefined
        break
      case 'decline':
        if (asked) this.decline(asked)
        break
      case 'accept':
        this.asks = undefined
        if (asked?.what === 'draw') this.over = true
        else if (asked) {
          this.by.length = asked.keep
          this.declined.clear()
        }
    }
  }

  private decline(x: { by: number; what: string }): void {
    this.declined.add(x.by + x.what)
    this.asks = undefined
  }
}

/** What a page shows of a game. */
const standing = (page: Page) => page.evaluate(() => {
  const seen = (id: string) => (document.getElementById(id)?.getBoundingClientRect().width ?? 0) > 0
  const s = document.querySelector<KibitzBoard>('kibitz-board')?.state
  return `${s?.history?.length ?? 0} moves${seen('offer') ? ', asked' : ''}${seen('asking') ? ', asking' : ''}${s?.result ? ', over' : ''}`
})

/** How many orders are played: more by ORDERS=50, as long as one likes. */
const orders = Number(process.env['ORDERS'] ?? 5)

test('orders of acts and moves on both sides: no move is eaten, no act is lost', async () => {
  let [moves, acts, games] = [0, 0, 0]
  const queue = Array.from({ length: orders }, (_, i) => i + 1)
  const play = async () => {
    const p = await pair('gomoku:size=9', { undo: true, draw: true, abort: true })
    const pages = [p.a, p.b]
    let first = 0 // whose page has the first seat
    for (let seed = queue.shift(); seed !== undefined; seed = queue.shift()) {
      const pick = drawing(seed)
      const m = new Model()
      const log: string[] = []
      const at = (seat: number) => pages[(first + seat) % 2]!
      for (let n = 0; n < 8 && !m.over; n++) {
        const choices = [0, 1].flatMap((s) => m.can(s).map((what) => [s, what] as const))
        const [seat, what] = choices[pick(choices.length)]!
        log.push(`${seat} ${what}`)
        const page = at(seat)
        if (what === 'move') {
          const t = await turn(page)
          await take(page, t, t.legal[pick(t.legal.length)]!, 'click')
          moves++
        } else {
          await page.locator(`[data-act=${what}]:visible`).click()
          acts++
        }
        m.do(seat, what)
        for (const s of [0, 1]) {
          const asked: string = !m.over && m.asks ? (m.asks.by === s ? ', asking' : ', asked') : ''
          const want: string = `${m.by.length} moves${asked}${m.over ? ', over' : ''}`
          assert.equal(await until(() => standing(at(s)), (x) => x === want), want, `seed ${seed}, seat ${s}, after ${log.join('; ')}: ${await at(s).locator('#act-fault').textContent()}`)
        }
      }
      if (!m.over) {
        const loser = at(pick(2))
        for (const x of ['[data-act=withdraw]:visible', '[data-act=decline]:visible']) if (await loser.locator(x).count()) await loser.locator(x).click()
        await resign(loser)
        acts++
      }
      games++
      for (const page of pages) await page.locator('#card [data-act=rematch]').click()
      for (const page of pages) await page.waitForFunction(() => { const s = document.querySelector<KibitzBoard>('kibitz-board')?.state; return s?.view && !s.result && (s.history?.length ?? 0) === 0 })
      first = 1 - first
    }
    for (const c of p.contexts) await c.close()
  }
  await Promise.all(Array.from({ length: Math.ceil(orders / 25) }, play))
  console.log(`${games} games, ${moves} moves, ${acts} acts`)
  assert.equal(games, orders)
  assert.ok(moves > 1.6 * orders && acts > 2 * orders, `${moves} moves, ${acts} acts`)
})

test('a press during which the room has news is a press', async () => {
  const p = await pair('gomoku:size=9', {})
  await resign(p.a)
  for (const page of [p.a, p.b]) await page.locator('.acts[data-phase=done]').waitFor({ state: 'attached' })
  await p.a.locator('#card [data-act=rematch]').hover()
  await p.a.mouse.down()
  const news = p.a.waitForResponse((r) => r.url().includes('/live?'))
  await p.b.locator('#card [data-act=rematch]').click()
  await news
  await p.a.waitForTimeout(2300)
  await p.a.mouse.up()
  for (const page of [p.a, p.b]) await page.waitForFunction(() => { const s = document.querySelector<KibitzBoard>('kibitz-board')?.state; return s?.view && !s.result })
  for (const c of p.contexts) await c.close()
})

test('against an engine a move is taken back at once, on either turn', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const { room } = await begin(page, 'othello', ['person', 'bot=1'], { undo: true })
  await page.goto(room)
  const t = await turn(page)
  await take(page, t, t.legal[0]!, 'click')
  const u = await turn(page)
  assert.ok(u.history >= 2)
  const seen = await page.evaluate(() => new Promise<{ moves: number; asks: number }[]>((done) => {
    const board = document.querySelector<KibitzBoard>('kibitz-board')!
    const list: { moves: number; asks: number }[] = []
    board.addEventListener('kibitz-state', () => {
      const s = board.state
      if (list.push({ moves: s?.history?.length ?? 0, asks: s?.asks?.length ?? 0 }) && list.at(-1)!.moves === 0) done(list)
    })
    document.querySelector<HTMLElement>('.acts [data-act=undo]')!.click()
  }))
  assert.ok(seen.every((x) => x.asks === 0 && x.moves <= u.history), `the engine is asked, or moves first: ${JSON.stringify(seen)}`)
  assert.equal((await turn(page)).history, 0)
  assert.equal(await page.locator('.acts [data-act=undo]').getAttribute('aria-disabled'), 'true')

  // While the engine thinks, too: it has an hour, and stops at once.
  const slow = await begin(page, 'nogo', ['person', 'bot=9'], { clocks: ['inf', '3600'], undo: true })
  await page.goto(slow.room)
  const v = await turn(page)
  await take(page, v, v.legal[0]!, 'click')
  await page.waitForFunction(() => { const s = document.querySelector<KibitzBoard>('kibitz-board')?.state; return s?.view?.seat === 'second' && document.querySelector('.acts [data-act=undo]:not([aria-disabled])') })
  await page.waitForTimeout(1000)
  const [moves, ms] = await page.evaluate(() => new Promise<[number, number]>((done) => {
    const board = document.querySelector<KibitzBoard>('kibitz-board')!
    const [moves, began] = [board.state!.history!.length, performance.now()]
    board.addEventListener('kibitz-state', () => { if (!board.state!.history?.length) done([moves, performance.now() - began]) })
    document.querySelector<HTMLElement>('.acts [data-act=undo]')!.click()
  }))
  console.log(`taken back while the engine thinks after ${Math.round(ms)} ms`)
  assert.ok(moves === 1 && ms < 3000, `${moves} moves, ${ms} ms`) // 300 are meant; a busy machine takes longer
  assert.equal((await turn(page)).history, 0)
  await c.close()
})

test('an engine\'s opponent is advised: near what, what, why, and what else; never in rated games or against people', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const wrong: string[] = []
  for (const game of Object.keys(boards)) {
    const { room, game: id } = await begin(page, game)
    await page.goto(room)
    const t = await turn(page)
    const hint = page.locator('.acts [data-act=hint]')
    const at = async (level: number) => {
      await hint.click()
      await page.waitForFunction((n) => (document.querySelector<HTMLElement>('#hint')?.dataset['level'] ?? '') === String(n), level)
      await drawn(page)
      return { text: (await page.locator('#hint').textContent()) ?? '', near: await page.locator('.kb-near-best').count(), best: await page.locator('.kb-advised').count(), name: await page.locator('#hint').getAttribute('title') }
    }
    const [a, b, d, e] = [await at(1), await at(2), await at(3), await at(4)]
    if (a.near === 0 || a.best !== 0) wrong.push(`${game}: the first hint marks ${a.near} places and ${a.best} moves`)
    if (b.best !== 1 && game !== 'amazons' && game !== 'connect6' || b.near !== 0 || !/^Best: \S/.test(b.text)) wrong.push(`${game}: the second hint: ${JSON.stringify(b)}`)
    if (!/[+-]?\d/.test(d.text) || /, then\W*$/.test(d.text)) wrong.push(`${game}: the third hint says ${d.text}`)
    const listed = e.text.split(' · ')
    const least = game === 'gomoku' || game === 'darkchess' ? 1 : 2 // on an empty board all first moves are one
    if (listed.length < least || listed.some((x) => !/^\S.* [+#-]{0,2}\d/.test(x)) || e.best < least) wrong.push(`${game}: the fourth hint marks ${e.best} and says ${e.text}`)
    if (game === 'othello') {
      if ((await boxOf(page.locator('.kb-advised').first())).width < 10) wrong.push('the best move cannot be seen')
    }
    const seat = await ask<Ask>(page, `games/${id}/seat`)
    if (seat.hints !== 4) wrong.push(`${game}: ${seat.hints} hints are counted`)
    await take(page, t, t.legal.find((s) => s.text === seat.hint?.steps?.[0]) ?? t.legal[0]!, 'click')
    await page.waitForFunction(() => document.querySelector('#hint')?.textContent === '' && document.querySelectorAll('.kb-advised, .kb-near-best').length === 0)
    if (game !== 'othello') continue // the game that was left is none of the next one's
    await resign(page)
    await page.locator('#card [data-hints="4"]').filter({ hasText: '4 hints' }).waitFor()
    const kept = await ask<{ seats: { hints?: number }[] }>(page, `games/${id}`)
    if (kept.seats[0]?.hints !== 4 || kept.seats[1]?.hints) wrong.push(`${game}: the game remembers ${JSON.stringify(kept.seats)}`)
  }
  assert.deepEqual(wrong, [])
  await c.close()
  const p = await pair('othello')
  assert.equal(await p.a.locator('[data-act=hint]').count(), 0)
  assert.equal((await post(p.a, `games/${p.id}/acts`, { act: 'hint' })).status, 409)
  for (const x of p.contexts) await x.close()
})

test('engines move when told', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const { room } = await begin(page, 'nogo', ['bot=9', 'person'], { clocks: ['3600', 'inf'] })
  await page.goto(room)
  await page.locator('.acts[data-phase=playing]').waitFor({ state: 'attached' })
  await page.waitForFunction(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.view) // before that it does not think
  await page.waitForTimeout(3000)
  const made = () => page.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.history?.length ?? 0)
  assert.equal(await made(), 0, 'the engine has an hour, and moved by itself')
  const press = async (what: string) => {
    await page.locator('[data-act=more]').click()
    await page.locator(`#more ${what}`).click()
  }
  const pressed = Date.now()
  await press('[data-act=now]')
  const t = await turn(page)
  const now = Date.now() - pressed
  await press('[data-act=now]')
  await says(page.locator('#act-fault'), /cannot be asked/)
  await press('[data-limit="2000"]')
  await says(page.locator('#act-fault'), '') // the limit is set before the engine is asked
  await take(page, t, t.legal[0]!, 'click')
  await page.waitForFunction((n) => (document.querySelector<KibitzBoard>('kibitz-board')?.state?.history?.length ?? 0) >= n + 2, t.history)
  const limited = await page.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')!.state!.history!.at(-1)!.used ?? 0) // as the referee has measured it
  console.log(`told to move: ${now} ms with two presses; within 2 s: ${limited} ms`)
  assert.ok(now < 10_000, `after ${now} ms`)
  assert.ok(limited > 1000 && limited < 15_000, `after ${limited} ms`)
  await c.close()
})

test('learning', async () => {
  const c = await venue.visit({ viewport: { width: 390, height: 844 } })
  const page = await openGuest(c)
  // White is to stop three in a row: who does not loses.
  const moves = ['p7,7', 'p7,8', 'p8,7', 'p8,8', 'p0,14', 'p6,6', 'p9,7']
  const { room, game: id } = await begin(page, 'gomoku', ['bot=1', 'person'], { opening: moves })
  await page.goto(room)
  const asks: unknown[] = []
  page.on('request', (r) => { if (r.url().endsWith('/acts')) asks.push(r.postDataJSON()) })
  await turn(page)
  const more = page.locator('.acts [data-act=more]')
  await more.click()
  const learning = page.locator('#more [data-act=learning]')
  assert.equal(await learning.getAttribute('aria-pressed'), 'false')
  const kept = page.waitForResponse((r) => r.url().endsWith('/look'))
  await learning.click()
  await kept
  // What was on its way when it was pressed shows the switch as it was; what comes after a line of the chat is newer.
  assert.ok((await post(page, `${room.slice(1)}/chat`, { channel: 'all', text: 'now' })).status < 300)
  await page.locator('.talk .text', { hasText: 'now' }).waitFor({ state: 'attached' })
  assert.equal(await learning.getAttribute('aria-pressed'), 'true')
  await page.keyboard.press('Escape')
  const sure = page.locator('#sure')
  const blunder = async () => {
    const t = await turn(page)
    await take(page, t, t.legal.find((s) => s.text === 'p14,0')!, 'click')
    await sure.waitFor()
  }
  await blunder()
  assert.match((await sure.textContent()) ?? '', /Sure\? That cost \d+ % of your chances\./)
  assert.deepEqual(await page.evaluate(() => {
    const [line, e] = [document.querySelector('[data-part=acts]')!.getBoundingClientRect(), document.querySelector('#sure')!]
    return [e, ...e.children].map((x) => x.getBoundingClientRect()).filter((r) => r.top < line.top - 0.5 || r.bottom > line.bottom + 0.5 || r.left < line.left - 0.5 || r.right > line.right + 0.5).length
  }), 0, 'the question stands in the place of the acts')
  assert.deepEqual(await obstacles(page), [])
  await sure.getByRole('button', { name: 'Take back' }).click()
  await page.waitForFunction(() => document.querySelector<HTMLElement>('#sure')?.hidden)
  assert.equal((await turn(page)).history, moves.length)
  await blunder()
  await sure.getByRole('button', { name: 'Keep it' }).click()
  await sure.waitFor({ state: 'hidden' })
  assert.equal(asks.filter((x) => (x as { act: string }).act === 'judge').length, 2)
  const seat = await ask<Ask>(page, `games/${id}/seat`)
  assert.equal(seat.hints ?? 0, 0, 'a question is no hint')
  await page.reload()
  assert.equal(await page.locator('#more [data-act=learning]').getAttribute('aria-pressed'), 'true', 'the switch stays')
  const hidden = await begin(page, 'phantomgo')
  await page.goto(hidden.room)
  await turn(page)
  assert.equal(await page.locator('[data-act=learning]').count(), 0)
  assert.equal((await post(page, `games/${hidden.game}/acts`, { act: 'judge' })).status, 409)
  await c.close()
})

const viewports = [...new Set((JSON.parse(readFileSync('test/fit.json', 'utf8')) as { viewport: string }[]).map((x) => x.viewport))]

test('the card at the end stands beside the board or below it, on every screen', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const wrong: string[] = []
  const all = [...viewports, '568x320', '360x740', '1536x864']
  const some = sizes.map(([w, h]) => `${w}x${h}`)
  for (const [game, lang, screens] of [['othello', 'en', all], ['darkchess', 'en', all], ...languages.slice(1).map((l) => ['othello', l, [...some, '667x375']] as const)] as const) {
    await page.request.post('/look', { form: { lang, to: '/settings' }, headers: { Origin: venue.hall.url } })
    const { room } = await begin(page, game)
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.goto(room)
    await turn(page)
    await resign(page)
    await page.locator('#card:visible').waitFor()
    if (screens === all) assert.deepEqual(await obstacles(page), [])
    await unpainted(page)
    for (const viewport of screens) {
      const [width, height] = viewport.split('x').map(Number) as [number, number]
      await page.setViewportSize({ width, height })
      await drawn(page)
      const x = await look(page)
      const [card, board] = [x.parts['card'], x.parts['board']]
      const bad = (what: string) => wrong.push(`${viewport} ${game} ${lang}: ${what}`)
      if (!card || !board) {
        bad('no card')
        continue
      }
      const across = Math.min(card.x + card.w, board.x + board.w) - Math.max(card.x, board.x)
      const down = Math.min(card.y + card.h, board.y + board.h) - Math.max(card.y, board.y)
      if (across > 0.5 && down > 0.5) bad(`the card lies on the board: ${across.toFixed(0)} x ${down.toFixed(0)}`)
      if (card.x < -0.5 || card.y < -0.5 || card.x + card.w > width + 0.5 || card.y + card.h > height + 0.5) bad(`the card is off the screen: ${JSON.stringify(card)}`)
      const cut = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>('#card button, #card a, #card-said')].filter((e) => {
        const r = e.getBoundingClientRect()
        const k = document.getElementById('card')!.getBoundingClientRect()
        return r.width > 0 && (r.width < 24 || r.height < 18 || r.left < k.left || r.right > k.right + 0.5 || r.top < k.top || r.bottom > k.bottom + 0.5 || e.scrollWidth > e.clientWidth + 1)
      }).map((e) => e.textContent))
      if (cut.length > 0) bad(`cut in the card: ${cut.join(' | ')}`)
    }
  }
  assert.deepEqual(wrong, [])
  await c.close()
})

test('the card says all of how a game ended, in two lines on the narrowest phones, in four elsewhere, and moves nothing', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const wrong: string[] = []
  for (const [game, lang] of languages.map((l, n) => [n % 2 === 0 ? 'dotsandboxes' : 'darkchess', l] as const)) {
    await page.request.post('/look', { form: { lang, to: '/settings' }, headers: { Origin: venue.hall.url } })
    const { board } = JSON.parse(readFileSync(`words/lang/${lang}.json`, 'utf8')) as { board: Record<string, string> }
    const why = Object.entries(board).filter(([key]) => key.startsWith('why.'))
    const uncounted = /^why\.(forbidden|five|six|noeatflip)/ // ends of games that count nothing
    const said = ['say.youwon', 'say.youlost', 'say.drawn'].flatMap((key) => why.map(([name, x]) => board[key]!.replace('{score}', uncounted.test(name) ? '' : ' 38–26').replace('{why}', x)))
    assert.ok(said.length >= 45)
    const { room } = await begin(page, game)
    await page.setViewportSize({ width: 320, height: 568 })
    await page.goto(room)
    await turn(page)
    await resign(page)
    await page.locator('#card:visible').waitFor()
    for (const [width, height] of [[320, 568], [360, 640], [390, 844], [844, 390], [667, 375], [1440, 900]] as const) {
      await page.setViewportSize({ width, height })
      await drawn(page)
      wrong.push(...(await page.evaluate((list) => {
        const e = document.getElementById('card-said')!
        const parts = () => [...document.querySelectorAll<HTMLElement>('[data-part]:not([data-part=card], [data-part=rail], [data-part=left])')].map((x) => JSON.stringify(x.getBoundingClientRect())).join()
        const [before, was] = [parts(), e.textContent]
        const bad = list.flatMap((text) => {
          e.textContent = text
          const k = document.getElementById('card')!.getBoundingClientRect()
          const low = [...document.querySelectorAll('#card button, #card a')].some((x) => x.getBoundingClientRect().bottom > k.bottom + 0.5)
          return [...(e.scrollHeight > e.clientHeight + 1 ? [`cut: ${text}`] : []), ...(k.bottom > innerHeight + 0.5 || low ? [`too high: ${text}`] : []), ...(parts() === before ? [] : [`it moves: ${text}`])]
        })
        e.textContent = was
        return bad
      }, said)).map((x) => `${width} ${game} ${lang}: ${x}`))
    }
  }
  assert.deepEqual(wrong.slice(0, 40), [], `${wrong.length} things`)
  await c.close()
})

test('the end is seen, read and heard at once; a rematch is one press, and all is new', async () => {
  const c = await venue.visit()
  await c.addInitScript(() => {
    window.tones = 0
    const param = { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {}, value: 0 }
    class Fake {
      currentTime = 0
      createGain = () => ({ gain: param, connect: () => ({ connect: () => {} }) })
      createOscillator() {
        const frequency = { value: 0 }
        return { frequency, type: '', connect: (x: unknown) => x, start: () => { window.tones++ }, stop: () => {} }
      }
    }
    Object.assign(window, { AudioContext: Fake })
  })
  const page = await openGuest(c)
  const { room } = await begin(page, 'othello', ['person', 'bot=1'], { undo: true })
  await page.goto(room)
  const t = await turn(page)
  assert.equal(await page.title(), '● Your turn – Mouse · Othello')
  await page.evaluate(() => {
    const list: string[] = []
    Object.assign(window, { titles: list })
    new MutationObserver(() => list.push(document.title)).observe(document.querySelector('title')!, { childList: true })
  })
  await take(page, t, t.legal[0]!, 'click')
  await turn(page)
  const titles = await page.evaluate(() => (window as unknown as { titles: string[] }).titles)
  assert.deepEqual(titles.slice(0, 2), ['○ Mouse · Othello', '● Your turn – Mouse · Othello'])
  await page.waitForFunction(() => window.tones > 0) // what makes them is fetched for the first

  // The result: in the words, in the title, in the card and heard in the same frame.
  const same = page.evaluate(() => new Promise<{ said: string; title: string; card: string }>((done) => {
    const board = document.querySelector<KibitzBoard>('kibitz-board')!
    board.addEventListener('kibitz-state', () => {
      if (!board.state?.result) return
      requestAnimationFrame(() => requestAnimationFrame(() => done({
        said: document.querySelector('.kb-status')!.textContent ?? '', title: document.title, card: document.getElementById('card')!.hidden ? '' : document.getElementById('card-said')!.textContent ?? '',
      })))
    })
  }))
  await page.waitForTimeout(100) // one that comes earlier than 80 ms after another is not heard
  const quiet = await page.evaluate(() => window.tones)
  await page.locator('.acts [data-act=resign]').focus()
  await page.keyboard.press('Enter')
  await page.evaluate(() => { // the second press has but 3 s
    if (!document.activeElement?.matches('[data-act=resign][data-armed]')) (document.activeElement as HTMLElement).click()
    ;(document.activeElement as HTMLElement).click()
  })
  const end = await same
  assert.deepEqual(end, { said: 'You lost (resignation)', title: 'Lost · Othello', card: 'You lost (resignation)' })
  await page.waitForFunction(() => document.activeElement?.id === 'card')
  assert.ok((await page.evaluate(() => window.tones)) > quiet, 'the end is not heard')

  await page.keyboard.press('Escape')
  await page.locator('#card').waitFor({ state: 'hidden' })
  await says(page.locator('.outcome'), 'You lost (resignation)')
  assert.deepEqual(await page.locator('.acts [data-act]:visible').evaluateAll((l) => l.map((e) => (e as HTMLElement).dataset['act'])), ['rematch', 'review', 'new'])
  await page.locator('.acts [data-act=rematch]').click() // the one press
  await page.waitForFunction(() => { const s = document.querySelector<KibitzBoard>('kibitz-board')?.state; return s?.view && !s.result && document.querySelector('.acts [data-act=resign]') })
  await page.waitForFunction(() => document.title.includes('Mouse') && document.querySelectorAll('.outcome').length === 0)
  const fresh = await page.evaluate(() => ({
    card: document.getElementById('card')!.hidden, fault: document.getElementById('act-fault')!.textContent, said: document.querySelector('.kb-status')!.textContent, inert: document.querySelector('[data-part=acts]')!.hasAttribute('inert'),
  }))
  assert.deepEqual({ ...fresh, said: '' }, { card: true, fault: '', said: '', inert: false })
  assert.doesNotMatch(fresh.said ?? '', /lost/)

  // Without being in the stage one is not taken away from where one reads.
  await page.locator('#say-text').focus()
  await page.evaluate(() => { for (let n = 0; n < 2; n++) document.querySelector<HTMLElement>('.acts [data-act=resign]')!.click() })
  await page.locator('#card:visible').waitFor()
  assert.equal(await page.evaluate(() => document.activeElement?.closest('#card') !== null), false)
  await page.locator('#card [data-act=rematch]').click()
  await page.locator('#card').waitFor({ state: 'hidden' })

  // Sounds are switched off, here and for later.
  await turn(page)
  await page.locator('[data-act=more]').click()
  const kept = page.waitForResponse((r) => r.url().endsWith('/look'))
  await page.locator('#more [data-act=sound]').click()
  await kept // for the page that is loaded anew
  await page.keyboard.press('Escape')
  const before = await page.evaluate(() => window.tones)
  const u = await turn(page)
  await take(page, u, u.legal[0]!, 'click')
  await turn(page)
  assert.equal(await page.evaluate(() => window.tones), before)
  await page.reload()
  assert.equal(await page.locator('.room[data-sounds]').count(), 0)
  await c.close()
})

test('a rated game tells what it did to the rating; who looks on has names and score in the tab', async () => {
  const contexts = [await venue.visit(), await venue.visit(), await venue.visit()]
  const [a, b, look] = await Promise.all(contexts.map((c) => openPage(c))) as [Page, Page, Page]
  for (const [page, name] of [[a, 'Rita'], [b, 'Rolf']] as const) assert.equal((await post(page, 'account/register', { name, password: 'correct horse' })).status, 201)
  const room = await fillRoom(a, 'othello', ['person'], { rated: true, undo: false, lines: false, clocks: ['600', '600'] })
  await command(b, room, { do: 'enter' })
  await command(b, room, { do: 'sit', place: 1, kind: 'person' })
  for (const p of [a, b]) await p.goto(`/rooms/${room}`)
  await b.getByRole('button', { name: 'I am ready' }).click()
  await b.getByRole('button', { name: 'Not ready' }).waitFor()
  await seated(a, `/rooms/${room}`)
  await a.getByRole('button', { name: 'Start', exact: true }).click()
  await look.goto(`/rooms/${room}`)
  const t = await turn(a)
  assert.equal(await a.locator('.acts [data-act=undo], .acts [data-act=hint]').count(), 0)
  await take(a, t, t.legal[0]!, 'click')
  await turn(b)
  await look.waitForFunction(() => document.title === 'Rita – Rolf 4–1 · Othello')
  await b.waitForTimeout(3000) // which the end does not give back
  await resign(b)
  for (const [p, bar] of [[a, 'top'], [b, 'bottom'], [look, 'top']] as const) {
    await p.locator('#card').waitFor()
    assert.match(await p.locator(`#bar-${bar} .bar-clock`).innerText(), /^9:5[0-7]$/, 'the time of the last turn came back')
  }
  const clocks = (): Promise<string[]> => look.locator('.bar-clock').allInnerTexts()
  const stood = await clocks()
  await look.reload()
  await look.waitForFunction(() => [...document.querySelectorAll('.bar-clock')].every((e) => e.textContent !== ''))
  assert.deepEqual(await clocks(), stood, 'the time of the last turn came back after a reload')
  await says(a.locator('#card [data-rating]'), /^Rating 1,\d{3}$/)
  await look.reload() // the bars have them too, whoever stands where
  const rated = () => look.locator('.bar-name').evaluateAll((list) => list.map((e) => `${e.textContent} ${(e as HTMLElement).dataset['rating']}`))
  const first = await rated()
  assert.ok(first.every((x) => /^R\w+ 1,\d{3}$/.test(x)), first.join())
  for (const p of [a, b]) await p.locator('#card [data-act=rematch]').click()
  await b.waitForFunction(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.result === undefined) // the game before has one
  await turn(b)
  await resign(b)
  await says(a.locator('#card [data-rating]'), /^Rating 1,\d{3} \+\d+$/)
  await says(b.locator('#card [data-rating]'), /^Rating 1,\d{3} −\d+$/)
  await says(look.locator('#card-said'), 'Rita wins (resignation)')
  const turned = (await rated()).toReversed() // Rolf has had the first seat
  assert.deepEqual(turned.map((x) => x.split(' ')[0]), first.map((x) => x.split(' ')[0]))
  assert.ok(turned.every((x) => /^R\w+ 1,\d{3}$/.test(x)), turned.join())
  assert.equal(await look.locator('#card [data-act=rematch]').count(), 0)
  for (const c of contexts) await c.close()
})

test('a series', async () => {
  const c = await venue.visit({ viewport: { width: 390, height: 844 } })
  const page = await openGuest(c)
  const { room } = await begin(page, 'othello', ['person', 'bot=1'], { games: 3, pause: 60, exchange: false })
  await page.goto(room)
  await turn(page)
  await resign(page)
  await says(page.locator('#card'), /You lost/)
  await says(page.locator('#card'), /The next game begins within 60 s\./)
  assert.match(await page.locator('#room-news').innerText(), /Game 1 of 3, 0–1\. The next game begins within 60 s\./)
  await page.locator('#card').getByRole('button', { name: 'Go on now' }).click() // nobody waits a minute
  await page.waitForFunction(() => { const s = document.querySelector<KibitzBoard>('kibitz-board')?.state; return s?.view && !s.result })
  await page.locator('#card').waitFor({ state: 'hidden' })
  await says(page.locator('#room-head'), /Game 2 of 3, 0–1/)
  await c.close()
  // A draw is a half to each.
  const p = await pair('gomoku:size=9', { games: 3, pause: 60, exchange: false, draw: true })
  await take(p.a, await turn(p.a), (await turn(p.a)).legal[0]!, 'click')
  await turn(p.b)
  await p.a.locator('.acts [data-act=draw]').click()
  await p.b.locator('[data-act=accept]:visible').click()
  for (const x of [p.a, p.b]) assert.match(await until(() => x.locator('#room-news').innerText(), (t) => /Game/.test(t)), /Game 1 of 3, ½–½/)
  for (const x of p.contexts) await x.close()
})

test('what is in More: a typed move, the board turned, and nothing of it covers the board beside it', async () => {
  const c = await venue.visit()
  const page = await openGuest(c)
  const { room } = await begin(page, 'othello')
  await page.goto(room)
  const t = await turn(page)
  await page.locator('[data-act=more]').click()
  const [menu, board] = [await boxOf(page.locator('#more')), await boxOf(page.locator('kibitz-board .kb-picture'))]
  assert.ok(menu.x >= board.x + board.width, JSON.stringify([menu, board]))
  assert.deepEqual(await obstacles(page), [])
  const icons = await page.evaluate(() => ({ size: document.querySelector('.icons')!.outerHTML.length, missing: [...document.querySelectorAll('.icon use')].map((u) => u.getAttribute('href')!).filter((h) => !document.querySelector(h)) }))
  assert.ok(icons.size <= 6000, `the icons are ${icons.size} bytes`)
  assert.deepEqual(icons.missing, [])
  await page.locator('#more [data-act=turn]').click()
  assert.equal(await page.locator('#bar-bottom .bar-name').innerText(), 'Mouse')
  await page.locator('#more').waitFor({ state: 'hidden' })
  await drawn(page) // the board that is turned has other spots
  await page.locator('kibitz-board .kb-spot[tabindex="0"]').first().focus()
  await page.keyboard.type('d3')
  await page.keyboard.press('Enter')
  await page.waitForFunction((n) => (document.querySelector<KibitzBoard>('kibitz-board')?.state?.history?.length ?? 0) > n, t.history)
  await page.locator('#more').waitFor({ state: 'hidden' })
  await c.close()
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
