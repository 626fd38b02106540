// A room by the keyboard alone, as a blind player has it: how many keys there are to the
// first move, what keys on the board tell, and that the place on the page is not lost.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { pointName, stepName } from '../src/names.ts'
import { parseStep } from '../src/step.ts'
import cs from '../words/lang/cs.json'
import { says, until } from './browser.ts'
import { note } from './heard.ts'
import { fillRoom, openGuest, start } from './rooms.ts'
import { openVenue } from './venue.ts'
import { decidedSince, openPage, post, take, turn } from './visit.ts'

const venue = openVenue()

/** Presses the Tab key until something has the focus; how often. */
async function tabTo(p: Page, what: string): Promise<number> {
  for (let n = 1; n < 40; n++) {
    await p.keyboard.press('Tab')
    if (await p.evaluate((w) => document.activeElement?.matches(w) ?? false, what)) return n
  }
  throw new Error(`${what} is not reached`)
}

/** Presses a key and returns what is said then. */
async function hear(p: Page, key: string): Promise<string> {
  await p.evaluate(() => { for (const e of document.querySelectorAll('.kb-voice > *')) e.textContent = '' })
  await p.keyboard.press(key)
  const said = await p.waitForFunction(() => document.querySelector('.kb-voice [aria-live=polite]')?.textContent || undefined).then((h) => h.jsonValue()) as string
  await p.evaluate(() => { window.heard = [] })
  return said
}

/** Goes from the first page to the first move by keys alone, and tells how many that took. */
async function firstMove(p: Page, toBoard: string, keysSaid: RegExp): Promise<number> {
  await p.goto('/')
  let keys = await tabTo(p, '.skip') + 1
  await p.keyboard.press('Enter')
  keys += await tabTo(p, '[data-act=play]') + 1
  await p.keyboard.press('Enter')
  await p.waitForURL(/\/rooms\//)
  await turn(p)
  keys += await tabTo(p, '.skip') + 1
  assert.equal(await p.locator('.skip').innerText(), toBoard)
  await p.keyboard.press('Enter')
  const more = await tabTo(p, '.kb-spot')
  assert.equal(more, 1, 'something stands between the way to the board and the board')
  keys += more
  assert.match(await hear(p, '?'), keysSaid)
  assert.equal(await hear(p, 'm'), 'd3, c4, f5, e6')
  keys += 3
  await p.keyboard.press('/')
  await p.keyboard.type('f5')
  assert.equal(await p.locator('.kb-field-text').inputValue(), 'f5')
  await p.keyboard.press('Enter')
  await p.waitForFunction(() => (document.querySelector('kibitz-board') as unknown as { state?: { history?: unknown[] } }).state?.history?.length === 2)
  return keys
}

test('the first move takes at most twelve keys in another language too, and says what it did', async () => {
  const c = await venue.visit({ locale: 'cs' })
  await c.addInitScript(note)
  const p = await openPage(c)
  const keys = await firstMove(p, 'Na desku', /^Klávesy: l poslední tah/)
  assert.ok(keys <= 12, `${keys} keys`)
  await turn(p)
  await p.waitForFunction((end) => window.heard.at(-1)?.text.endsWith(end), cs.board['turn.yours'])
  assert.match((await p.evaluate(() => window.heard)).map((x) => x.text).join('. '), new RegExp(`^guest-\\w+: f5, ${cs.board['say.turned'].replace('{count}', '1')}\\. guest-\\w+: 4, ${cs.board['level.2']}: 1\\.`))
  await c.close()
})

test('the first move takes at most twelve keys from the first page on, and keys tell the rest', async () => {
  const c = await venue.visit()
  await c.addInitScript(note)
  const p = await openPage(c)
  const keys = await firstMove(p, 'To the board', /^Keys: l last move/)
  console.log(`${keys} keys to the first move`)
  assert.ok(keys <= 12, `${keys} keys`)
  await turn(p)
  // One's own move, what it has turned and the score are one message, the answer is another, unless it came at once.
  await p.waitForFunction(() => window.heard.at(-1)?.text.endsWith('Your turn'))
  assert.match((await p.evaluate(() => window.heard)).map((x) => x.text).join('. '), /^guest-\w+: f5, 1 turned\. guest-\w+: 4, Rabbit: 1\. Rabbit: [a-h][1-8], \d turned\. guest-\w+: \d, Rabbit: \d\. Your turn$/)
  await p.locator('.kb-spot[tabindex="0"]').focus()
  const last = await hear(p, 'l')
  assert.match(last, /^Rabbit: [a-h][1-8]$/)
  assert.equal(await hear(p, 'l'), last, 'the same key twice is answered twice')
  assert.match(await hear(p, 'z'), /^guest-\w+: f5\. Rabbit: [a-h][1-8]$/)
  assert.match(await hear(p, 's'), /^guest-\w+: \d, Rabbit: \d$/)
  assert.match(await hear(p, 'p'), /^(black|white) stone: .*\. (black|white) stone: [a-h][1-8]/)
  assert.match(await hear(p, 'c'), /^Rabbit: no clock, guest-\w+: no clock$/)
  assert.equal(await hear(p, 'o'), 'Rabbit')
  assert.equal(await hear(p, 't'), 'There is nothing to tell.')
  // Letters are no keys for who does not want that.
  await p.evaluate(() => document.querySelector('kibitz-board')!.toggleAttribute('no-keys', true))
  await p.locator('.kb-spot[tabindex="0"]').focus()
  await p.evaluate(() => { window.heard = [] })
  for (const key of ['l', 'k', '?']) await p.keyboard.press(key)
  await p.waitForTimeout(400)
  assert.deepEqual([await p.evaluate(() => window.heard), await p.locator('#more').isVisible()], [[], false])
  await p.keyboard.press('ArrowLeft')
  assert.ok(await p.evaluate(() => document.activeElement?.matches('.kb-spot')), 'arrows are keys still')
  await p.goto('/settings')
  await p.getByLabel('No letter keys on boards').check()
  await p.getByRole('button', { name: 'Save' }).click()
  await p.goBack()
  await p.goto((await p.locator('.own-game').getAttribute('href'))!)
  await p.locator('kibitz-board[no-keys]').waitFor({ state: 'attached' })
  await c.close()
})

/** What each decision of a game is called when it is said. */
const sayings = (p: Page) => p.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')!.state!).then((s) => (s.history ?? []).flatMap((e) => (e.steps ?? []).flatMap((x) => {
  const step = parseStep(x)!
  if (step.op === 'flip') return []
  if (step.op === 'deal') return [`${pointName(s.view!, step.to!)}: `]
  return [step.op === 'pass' ? `${s.names[e.by === 'first' ? 0 : 1]} passes` : `${s.names[e.by === 'first' ? 0 : 1]}: ${stepName(s.view!, step)}`]
})))

// Stones that are placed, pieces that move, pieces that are turned over.
for (const [game, consequence] of [['nogo:size=4', /Mouse: [a-d][1-4]\. Your turn/], ['surakarta:nocapture=12', /Mouse: .*\. Your turn/], ['darkchess:noeat=8', /^[a-d][1-8]: (red|black) \w+\. You are (red|black)/]] as const) {
  test(`a whole game by keys alone, each move of which is said once: ${game}`, async () => {
    const c = await venue.visit({ viewport: { width: 1000, height: 800 }, reducedMotion: 'reduce' })
    await c.addInitScript(note)
    const p = await openGuest(c)
    const room = await fillRoom(p, game, ['person', 'bot=1'])
    await start(p, room)
    await p.goto(`/rooms/${room}`)
    await turn(p)
    await p.locator('.kb-spot[tabindex="0"]').focus()
    let t = await turn(p)
    for (let n = 0; !t.result; n++) {
      if (n === 10) { // what is turned over makes a game long: it ends by resigning
        await p.locator('[data-act=resign]').focus()
        await p.keyboard.press('Enter')
        await p.keyboard.press('Enter')
        await p.locator('#card').waitFor()
        break
      }
      await take(p, t, t.legal[(n * 7) % t.legal.length]!, 'keys')
      await decidedSince(p, t.history)
      t = await turn(p)
      if (!t.result) assert.ok(await p.evaluate(() => document.activeElement?.matches('.kb-spot')), 'the focus is lost')
      if (game.startsWith('darkchess') && n === 0) await says(p.locator('.kb-status'), /^Your turn/)
    }
    await p.waitForFunction(() => /^You (won|lost)|^Draw/.test(window.heard.at(-1)?.text.split('. ').at(-1) ?? ''))
    const heard = await p.evaluate(() => window.heard)
    const parts = heard.flatMap((x) => x.text.split('. ')).map((x) => x.replace(/, .*/, ''))
    const want = await sayings(p)
    assert.ok(want.length >= 6, want.join())
    for (const words of new Set(want)) {
      const times = (list: readonly string[]) => list.filter((x) => (words.endsWith(': ') ? x.startsWith(words) : x === words)).length
      assert.equal(times(parts), times(want), `${words}, of ${heard.map((x) => x.text).join(' | ')}`)
    }
    assert.ok(heard.some((x) => consequence.test(x.text)), heard.map((x) => x.text).join(' | '))
    heard.slice(1).forEach((x, i) => assert.ok(x.at - heard[i]!.at >= 290, `${x.text} cuts ${heard[i]!.text} short`))
    // Who was on the board is on the card then, and goes on from there.
    assert.ok(await p.evaluate(() => document.activeElement?.id === 'card'), 'the focus is not on the card')
    await p.locator('.outcome').waitFor() // the hall has written the game down
    await tabTo(p, '#card [data-act=rematch]')
    const id = await p.locator('kibitz-board').getAttribute('game')
    await p.keyboard.press('Enter')
    await p.locator(`kibitz-board[game]:not([game="${id}"])`).waitFor()
    await turn(p)
    await c.close()
  })
}

test('clocks are told when they come to ten minutes, a minute, half of one and ten seconds; the end at once', async () => {
  const c = await venue.visit()
  await c.addInitScript(note)
  const p = await openGuest(c)
  const room = await fillRoom(p, 'othello', ['person', 'bot=1'], { clocks: ['5999', 'inf'] })
  await start(p, room)
  await p.goto(`/rooms/${room}`)
  await turn(p)
  for (const s of [605, 600, 400, 60, 30, 25, 10]) {
    await p.evaluate((left) => { // as if so much were left
      const b = document.querySelector<KibitzBoard>('kibitz-board')!
      window.heard = []
      b.show({ ...b.state!, at: Date.now(), clocks: [{ ...b.state!.clocks![0], left }, b.state!.clocks![1]] })
    }, s * 1000 + 500)
    if ([600, 60, 30, 10].includes(s)) await p.waitForFunction((t) => window.heard.some((x) => x.text.endsWith(`: ${t}`)), { 600: '10 minutes', 60: '1 minute', 30: '30 seconds', 10: '10 seconds' }[s], { timeout: 20_000 })
    else await p.waitForTimeout(800)
    assert.ok(await p.evaluate(() => window.heard.length) <= 1, `${s} s`)
  }
  await p.locator('[data-act=resign]').click()
  await p.locator('[data-act=resign]').click()
  await says(p.locator('.kb-voice [aria-live=assertive]'), /You lost \(resignation\)$/)
  await c.close()
})

test('a button beside the board stays as it is while the page makes itself ready', async () => {
  const c = await venue.visit()
  const p = await openGuest(c)
  const room = await fillRoom(p, 'phantomgo', ['person', 'bot=1'])
  await start(p, room)
  await p.goto(`/rooms/${room}`)
  await turn(p)
  const pass = await p.locator('.kb-buttons button').elementHandle()
  await pass!.focus()
  await p.waitForTimeout(1000)
  assert.ok(await pass!.evaluate((e) => e.isConnected && document.activeElement === e), 'it was made anew')
  await c.close()
})

test('twenty times the page is drawn anew, and the focus stays', async () => {
  const c = await venue.visit()
  const p = await openGuest(c)
  const room = await fillRoom(p, 'othello', ['person', 'bot=1'])
  await start(p, room)
  await p.goto(`/rooms/${room}`)
  await turn(p)
  const told = (n: number) => p.waitForFunction((k) => document.querySelectorAll('.talk .text').length === k, n)
  for (const [from, what] of [[0, '.kb-spot[tabindex="0"]'], [10, '[data-act=resign]'], [15, '.talk']] as const) {
    await p.locator(what).focus()
    for (let n = from; n < (what === '.talk' ? 20 : what === '[data-act=resign]' ? 15 : 10); n++) {
      await until(async () => (await post(p, `rooms/${room}/chat`, { channel: 'all', text: `line ${n}` })).status, (status) => status < 300) // ten in ten seconds
      await told(n + 1)
      assert.ok(await p.evaluate((w) => document.activeElement?.matches(w), what), `${what} has lost the focus`)
    }
  }
  await c.close()
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
