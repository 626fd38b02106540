// Games of all kinds in a real hall: a guest plays a built-in engine on the page of a room by
// every way to move, another one looks on. Nothing on his stage moves, from the first position
// to the result. Short ones are played to their end or ten steps, of the others one in each way.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { game as names } from '../words/lang/en.json'
import { noteBoxes, stages } from './boxes.ts'
import { drawn, says } from './browser.ts'
import { shortGames } from './short.ts'
import { openVenue } from './venue.ts'
import { ask, openPage, openRoom, playBot, resign, take, turn, type Way } from './visit.ts'

const venue = openVenue()

/** What is played: by the page of its options, or in a room that the form opens, where the
 * game needs options to be short. */
const games = shortGames.map((game) => ({ game, tile: Object.entries(names).find(([id]) => id === game)?.[1] }))

/** How a page calls who plays, as a pattern: records say the level, pages its character too. */
const called = (name: string): string => name === 'Level 1' ? 'Mouse \\(level 1\\)' : name

/** The reason at the end of a sentence on a result. */
const reason = (text: string): string | undefined => /\([^()]+\)$/.exec(text.trim())?.[0]

const ways: readonly Way[] = ['click', 'drag', 'touch', 'keys', 'type']

interface Game {
  readonly state: string
  readonly plies: number
  readonly seats: readonly { readonly name: string }[]
  readonly result: { readonly points: readonly [number, number]; readonly reason: string }
}

/** The pages of both: each goes from game to game. */
let pages: Promise<readonly [Page, Page]> | undefined
const bothPages = async (): Promise<readonly [Page, Page]> => {
  const [mine, theirs] = [await venue.visit({ hasTouch: true }), await venue.visit()]
  await mine.addInitScript(noteBoxes)
  return [await openPage(mine), await openPage(theirs)]
}

for (const [n, x] of games.entries()) {
  test(`${x.game} is played against a built-in engine, and watched`, async () => {
    const [width, height] = stages[n % stages.length]!
    const [page, other] = await (pages ??= bothPages())
    await page.setViewportSize({ width, height })
    if (x.tile) {
      await playBot(page, x.game, 1)
    } else {
      await openRoom(page, x.game, { clock: 'inf' })
      await page.getByRole('button', { name: 'Take this seat' }).first().click()
      await page.locator('.seat[data-place="0"] button[value=stand]').waitFor()
      await page.locator('#engine-1').selectOption('bot=1')
      await page.getByRole('button', { name: 'Seat engine' }).click()
      await page.locator('.seat[data-place="1"] button[value=stand]').waitFor()
      await page.getByRole('button', { name: 'I am ready' }).click()
      await page.getByRole('button', { name: 'Not ready' }).waitFor() // before that nothing begins
      await page.getByRole('button', { name: 'Start', exact: true }).click()
    }
    const watched = x.tile === undefined // a game of one click is private
    const look = watched ? other : undefined
    await look?.goto(new URL(page.url()).pathname)
    const made = await playOn(page, n, x.tile ? ways.length : 2 * ways.length)
    assert.ok(made >= 2, `${made} steps`)

    const room = new URL(page.url()).pathname.slice('/rooms/'.length)
    await page.locator('.outcome').waitFor()
    await drawn(page)
    const boxes = await page.evaluate(() => window.boxes)
    assert.equal(boxes.length, 1, `${width}x${height}: ${boxes.slice(0, 2).join('\n--\n')}`)
    const { room: { last } } = await ask<{ room: { last: { id: string } } }>(page, `rooms/${room}`)
    const g = await ask<Game>(page, `games/${last.id}`)
    assert.equal(g.state, 'over')
    const outcome = await page.locator('.outcome').innerText()
    const [a, b] = g.result.points
    if (a === b) assert.match(outcome, /^Draw/)
    else assert.ok(outcome.startsWith(a > b ? 'You won' : 'You lost'), `${outcome}: ${a} to ${b}`)
    assert.match(outcome, /\(.+\)/, 'no reason is told')
    let others = ''
    for (const p of look ? [page, look] : [page]) {
      const shown = await p.waitForFunction(() => {
        const s = document.querySelector<KibitzBoard>('kibitz-board')?.state
        return s?.result && { result: s.result, for: s.for, plies: s.history?.length, pieces: s.view?.pieces }
      }).then((h) => h.jsonValue())
      assert.ok(shown)
      assert.deepEqual([shown.result.points, shown.result.reason], [g.result.points, g.result.reason])
      assert.equal(shown.for, p === page ? 'first' : 'public')
      if (p === look) {
        others = (await p.locator('.outcome').innerText()).trim()
        assert.match(others, a === b ? /^Draw/ : new RegExp(`^${called(g.seats[a > b ? 0 : 1]!.name)} wins`))
        assert.equal(reason(others), reason(outcome))
        if (x.game.startsWith('phantomgo')) assert.match(shown.pieces ?? '', /^\.+$/, 'a spectator sees no stone')
      }
    }
    await page.reload() // who comes after the game reads its moves
    assert.ok(await page.locator('#moves li a').count() >= g.plies)
    await page.getByRole('link', { name: 'Review' }).click()
    await says(page.locator('#ply'), /^(\d+) \/ \1$/)
    await page.waitForLoadState() // the list comes after the number
    assert.ok(await page.locator('#moves li').count() >= g.plies)
    if (others) assert.equal(await page.locator('.outcome').innerText(), others)
    await look?.goto('about:blank')
  })
}

/** Takes a step whenever the board asks, each in another way, until the game is over or so many
 * were taken, and then resigns; returns how many there were. */
async function playOn(page: Page, first: number, most: number): Promise<number> {
  for (let n = 0; ; n++) {
    const t = await turn(page)
    if (t.result) return n
    if (n === most) {
      await resign(page)
      return n
    }
    const step = t.legal[(n * 7) % t.legal.length]
    assert.ok(step)
    await take(page, t, step, ways[(first + n) % ways.length]!)
    await page.waitForFunction((k) => {
      const b = document.querySelector<KibitzBoard>('kibitz-board')
      return b?.state?.result || (b?.state?.history?.length ?? 0) > k || b?.state?.view?.attempts?.length
    }, t.history).catch((e: unknown) => assert.fail(`${step.text}, ${ways[(first + n) % ways.length]}: ${String(e)}`))
  }
}

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
