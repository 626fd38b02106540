// Spectators of games that hide something: neither the page nor anything that the hall
// sent to it holds what only players know, and what lies face down is alike in every page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { meant } from '../src/names.ts'
import { drawn, until } from './browser.ts'
import { openVenue } from './venue.ts'
import { ask, decidedSince, openPage, openRoom, resign, seat, take, turn } from './visit.ts'

const venue = openVenue()

/** A spectator with all that reached the browser. */
interface Spectator {
  readonly page: Page
  /** Bodies of answers, but of streams. */
  readonly bodies: string[]
  /** Events of streams, with their kinds. */
  readonly events: string[]
}

async function spectate(c: BrowserContext, room: string): Promise<Spectator> {
  const page = await openPage(c)
  const [bodies, events]: [string[], string[]] = [[], []]
  const cdp = await c.newCDPSession(page)
  await cdp.send('Network.enable')
  cdp.on('Network.eventSourceMessageReceived', (e) => events.push(`${e.eventName} ${e.eventId} ${e.data}`))
  page.on('response', (r) => {
    if (r.url().includes('/assets/') || (r.headers()['content-type'] ?? '').startsWith('text/event-stream')) return
    r.text().then((text) => bodies.push(`${JSON.stringify(r.headers())} ${text}`), () => undefined)
  })
  await page.goto(room)
  return { page, bodies, events }
}

/** Waits until an event of a stream was received. */
async function heard(s: Spectator, what: RegExp): Promise<void> {
  const come = await until(() => Promise.resolve(s.events.some((e) => what.test(e))), (x) => x)
  assert.ok(come, `no event like ${what}: ${s.events.join('\n')}`)
}

interface Watched {
  readonly contexts: readonly BrowserContext[]
  readonly players: readonly [Page, Page]
  readonly look: Spectator
  readonly game: string
}

/** Two people begin a game, and a third looks on from before the first move. */
async function begin(game: string): Promise<Watched> {
  const contexts = await Promise.all([0, 1, 2].map(() => venue.visit({ reducedMotion: 'reduce' })))
  const [a, b] = [await openPage(contexts[0]!), await openPage(contexts[1]!)]
  const room = await openRoom(a, game, { clock: 'inf' })
  await seat(a, b, room)
  await a.getByRole('button', { name: 'Start', exact: true }).click()
  await turn(a)
  // Both are known to be there: who looks on from now on begins at the same event in each game.
  for (const p of [a, b]) await p.locator('#bar-top[data-here=here]').waitFor()
  const look = await spectate(contexts[2]!, room)
  await heard(look, /^view /) // or the first move may already be in it
  return { contexts, players: [a, b], look, game: await a.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')!.state!.game) }
}

/** How many decisions the board of a page shows. */
const decided = (p: Page) => p.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.history?.length ?? 0)

/** Plays moves and waits until the spectator was told of each. */
async function play(w: Watched, moves: readonly string[]): Promise<void> {
  for (const [k, word] of moves.entries()) {
    const page = w.players[k & 1]!
    const t = await turn(page)
    const step = meant(t.view, t.legal, word)
    assert.ok(step, `${word} is not legal`)
    // Counted by each page itself: a piece that is turned over is two decisions.
    const before = await Promise.all([page, w.look.page].map(async (p) => [p, await decided(p)] as const))
    await take(page, t, step, 'type')
    for (const [p, n] of before) {
      await decidedSince(p, n).catch(async (e: unknown) => {
        throw new Error(`${word} is not shown to ${p === page ? 'the player' : 'the spectator'}: ${await p.locator('main').innerText()}`, { cause: e })
      })
    }
  }
  await drawn(w.look.page)
}

/** What is another in each game whatever is played: identifiers, names of guests, times. */
const plain = (text: string) => text.replace(/guest-[a-z0-9]{8}/g, 'guest').replace(/[0-9a-f]{16,}/g, 'ID').replace(/accounts\/\d+/g, 'accounts/N')
  .replace(/"(at|used|left|total|error)":\d+,?/g, '').replace(/(data-text="[^"]*"|<span class="used">[^<]*<\/span>|style="[^"]*"|\bkb\d+)/g, '')
  .replace(/ (width|height)="\d+"/g, '')

/** All that is in a page, but for pictures of curves of time, for what a slow machine changes
 * (whether somebody, or the hall itself, was away for a moment, and whether the board came so
 * late that it was said for what it waits), and for the line below the board said once more
 * where it is cut, which is a matter of how wide a guest's name is. */
const content = (p: Page) => p.evaluate(() => {
  const root = document.documentElement.cloneNode(true) as Element
  for (const e of root.querySelectorAll('#curves, #connection, #hall-away, script, time')) e.remove()
  for (const e of root.querySelectorAll('#whole, #no-game')) e.textContent = ''
  for (const e of root.querySelectorAll('[data-here]')) e.removeAttribute('data-here')
  const voices = [...root.querySelectorAll('.kb-voice')] // two moves are said together when they come together
  const said = voices.map((e) => e.textContent).join(' ')
  for (const e of voices) e.remove()
  return { said, dom: root.outerHTML }
})

test('two games of Phantom Go of other moves are one to a spectator', async () => {
  const found: { dom: string; said: string; events: string[]; bodies: string[] }[] = []
  const games = [['e5', 'c3', 'e4', 'g7', 'c7'], ['a1', 'j9', 'b2', 'h8', 'j1']] as const
  for (const moves of games) {
    const w = await begin('phantomgo')
    await play(w, moves)
    const own = await w.players[0].evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')!.state!.view!.pieces)
    assert.equal([...own].filter((c) => c !== '.').length, 3, 'who plays sees the stones')
    const { dom, said } = await content(w.look.page)
    found.push({ dom: plain(dom), said, events: w.look.events.filter((e) => /^(view|delta|over|seat) /.test(e)).map(plain), bodies: w.look.bodies.map(plain) })
    await Promise.all(w.contexts.map((c) => c.close()))
  }
  const [a, b] = found as [typeof found[0], typeof found[0]]
  assert.ok(a!.events.length >= 5 && a!.bodies.length > 0, 'what is watched has not been heard')
  assert.deepEqual(a!.events, b!.events)
  const [left, right] = [a, b].map((x) => x!.dom.split('<')) as [string[], string[]]
  const at = left.findIndex((x, i) => x !== right[i])
  assert.ok(at < 0 && left.length === right.length, `the pages differ: ${left[at]} | ${right[at]}`)
  for (const [n, x] of found.entries()) {
    for (const text of [...x.bodies, ...x.events, x.said]) for (const move of games[n]!) assert.doesNotMatch(text, new RegExp(`\\b${move}\\b`), 'a move is told')
  }
})

test('pieces of dark chess that lie face down are alike to everybody', async () => {
  const w = await begin('darkchess')
  const flips = ['a8', 'c6', 'b3', 'd1', 'b7', 'd5']
  await play(w, flips)
  const [a] = w.players
  const { history } = await turn(a) // the latest flip, which is the other one's, has come here too, and all of it to who looks on
  await decidedSince(w.look.page, history - 1)
  await drawn(w.look.page)
  const seen = await a.evaluate(() => {
    const v = document.querySelector<KibitzBoard>('kibitz-board')!.state!.view!
    return { pieces: v.pieces, width: v.width, columns: v.columns!, rows: v.rows! }
  })
  const turned = flips.map((f) => seen.rows.indexOf(f.slice(1)) * seen.width + seen.columns.indexOf(f[0]!))
  assert.ok(turned.every((i) => seen.pieces[i] !== 'X'), 'nothing has been turned')
  assert.equal([...seen.pieces].filter((c) => c === 'X').length, 26)

  // Frames: a piece is told by the event of its flip, not before.
  const deltas = w.look.events.filter((e) => /^(view|delta) /.test(e)).map((e) => JSON.parse(e.slice(e.indexOf('{'))) as { view?: { pieces: string }; cells?: { i: number; c: string }[]; history?: unknown[]; entries?: unknown[] })
  let known = 0
  for (const d of deltas) {
    known += d.history?.length ?? d.entries?.length ?? 0
    const open = new Set(turned.slice(0, known))
    for (const c of d.cells ?? []) assert.ok(open.has(c.i) || c.c.startsWith('X'), `cell ${c.i} is told after ${known} moves`)
    if (d.view) [...d.view.pieces].forEach((c, i) => assert.ok(open.has(i) || c === 'X', `cell ${i} is told after ${known} moves`))
  }
  assert.ok(known >= flips.length, `${known} moves were heard of`)

  for (const page of [a, w.look.page]) {
    const hidden = await page.evaluate((open) => {
      const b = document.querySelector<KibitzBoard>('kibitz-board')!
      const v = b.state!.view!
      const spots = [...b.querySelectorAll('.kb-spot')].filter((e) => {
        const [x, y] = e.getAttribute('data-spot')!.split(',').map(Number) as [number, number]
        return !open.includes(y * v.width + x)
      })
      const bare = (e: Element) => e.outerHTML.replace(/-?\d+(\.\d+)?/g, '')
      return {
        labels: [...new Set(spots.map((e) => e.getAttribute('aria-label')!.replace(/^\w+, /, '')))],
        pieces: [...b.querySelectorAll('.kb-piece')].map(bare),
      }
    }, turned)
    assert.equal(hidden.labels.length, 1, hidden.labels.join(' | '))
    const count = new Map<string, number>()
    for (const p of hidden.pieces) count.set(p, (count.get(p) ?? 0) + 1)
    assert.ok([...count.values()].includes(26), `pieces that lie face down differ: ${[...count.values()].join(' ')}`)
  }

  // What was turned is what the record tells afterwards.
  await resign(a)
  await w.look.page.locator('.outcome').waitFor()
  const record = await ask<{ steps: { by: number; m: string }[] }>(w.look.page, `games/${w.game}/record`)
  assert.deepEqual(record.steps.filter((x) => x.by < 0).map((x) => x.m), flips.map((f, n) => `${f}(${seen.pieces[turned[n]!]})`))
  await Promise.all(w.contexts.map((c) => c.close()))
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
