// A room by the keyboard alone, as a blind player has it: how many keys there are to the
// first move, what keys on the board tell, and that the place on the page is not lost.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { pointName, stepName } from '../src/names.ts'
import { parseStep } from '../src/step.ts'
import cs from '../words/lang/cs.json'
import en from '../words/lang/en.json'
import { says, until } from './browser.ts'
import { note } from './heard.ts'
import { fillRoom, openGuest, start } from './rooms.ts'
import { openVenue } from './venue.ts'
import { decidedSince, openPage, post, renewed, take, turn } from './visit.ts'

const venue = openVenue()

/** Presses the Tab key until something has the focus; how often. */
async function tabTo(p: Page, what: string): Promise<number> {
  for (let n = 1; n < 150; n++) {
    await p.keyboard.press('Tab')
    if (await p.evaluate((w) => document.activeElement?.matches(w) ?? false, what)) return n
  }
  throw new Error(`${what} is not reached`)
}

/** Presses Shift and Tab until something has the focus. */
async function backTo(p: Page, what: string): Promise<void> {
  for (let n = 1; n < 40; n++) {
    await p.keyboard.press('Shift+Tab')
    if (await p.evaluate((w) => document.activeElement?.matches(w) ?? false, what)) return
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

/** Somebody who has a keyboard alone; keys are counted. */
class Typist {
  count = 0
  readonly #p: Page
  constructor(p: Page) { this.#p = p }

  async tabTo(what: string): Promise<void> { this.count += await tabTo(this.#p, what) }

  async press(key: string): Promise<void> {
    this.count++
    await this.#p.keyboard.press(key)
  }

  /** Types a move from the board on: the slash, the move, and Enter. */
  async move(name: string): Promise<void> {
    await this.press('/')
    this.count++ // typing a text is one
    await this.#p.keyboard.type(name)
    assert.equal(await this.#p.locator('#more .kb-field-text').inputValue(), name)
    await this.press('Enter')
  }
}

const history = (p: Page) => p.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.history?.length ?? 0)
const onBoard = (p: Page) => p.evaluate(() => document.activeElement?.matches('.kb-spot') ?? false)
const allHeard = (p: Page) => p.evaluate(() => window.heard.map((x) => x.text))

const number = (text: string) => text.replace(/\{\w+\}/g, '\\d+')

for (const [locale, w] of [['en', en], ['cs', cs]] as const) {
  const { board, script, analysis } = w
  const rabbit = board['level.2']
  test(`the first move takes at most twelve keys, its turns, answer and score are heard, clocks, score and last move asked, a move taken back, the game played to its end and learned from by keys: ${locale}`, async () => {
    const c = await venue.visit({ locale })
    await c.addInitScript(note)
    const p = await openPage(c)
    await p.goto('/')
    assert.match(`${await p.title()}. ${await p.locator('h1').innerText()}`, new RegExp(`^${w.front.title} · Kibitz\\. \\S+ ${w.front.what.replace('{n} ', '')}$`), 'what it is')
    const keys = new Typist(p)
    await keys.tabTo('.skip')
    await keys.press('Enter')
    await keys.tabTo('[data-act=play]')
    await keys.press('Enter')
    await p.waitForURL(/\/rooms\//)
    await turn(p)
    const greeting = `${w.game.othello}. ${board['you.black']}. ${board['turn.yours']}. ${script['keys.how']}`
    assert.deepEqual(await until(() => allHeard(p), (list) => list.length > 0), [greeting])
    await keys.tabTo('.skip')
    assert.equal(await p.locator('.skip').innerText(), w.nav.toboard)
    await keys.press('Enter')
    const before = keys.count
    await keys.tabTo('.kb-spot')
    assert.equal(keys.count, before + 1, 'something stands between the way to the board and the board')
    assert.equal(await hear(p, '?'), script.keys)
    assert.equal(await hear(p, 'm'), 'd3, c4, f5, e6')
    keys.count += 2
    await keys.move('f5')
    await decidedSince(p, 1)
    console.log(`${keys.count} keys to the first move`)
    assert.ok(keys.count <= 12, `${keys.count} keys`)

    // One's own move, what it has turned and the score are one message, the answer is another, unless it came at once.
    await turn(p)
    await p.waitForFunction((end) => window.heard.at(-1)?.text.endsWith(end), board['turn.yours'])
    const score = (n: string) => `guest-\\w+: ${n}, ${rabbit}: \\d+`
    const turned = number(board['say.turned'])
    const heard = await allHeard(p)
    assert.match(heard.join('. '), new RegExp(`^guest-\\w+: f5, ${turned}\\. ${score('4')}\\. ${rabbit}: [a-h][1-8], ${turned}\\. ${score('\\d+')}\\. ${board['turn.yours']}$`))
    assert.ok(heard.length <= 2 && new RegExp(score('4')).test(heard[0]!), `messages: ${heard.join(' | ')}`)
    assert.ok(await onBoard(p), 'the keyboard is no longer on the board')
    const last = await hear(p, 'l')
    assert.match(last, new RegExp(`^${rabbit}: [a-h][1-8]$`))
    assert.equal(await hear(p, 'l'), last, 'the same key twice is answered twice')
    assert.match(await hear(p, 'z'), new RegExp(`^guest-\\w+: f5\\. ${rabbit}: [a-h][1-8]$`))
    assert.match(await hear(p, 's'), new RegExp(`^${score('\\d+')}$`))
    assert.match(await hear(p, 'p'), new RegExp(`^(${board['piece.black']}|${board['piece.white']}): .*\\. (${board['piece.black']}|${board['piece.white']}): [a-h][1-8]`))
    assert.match(await hear(p, 'c'), new RegExp(`^${rabbit}: ${script.noclock}, guest-\\w+: ${script.noclock}$`))
    assert.equal(await hear(p, 'o'), rabbit)
    assert.equal(await hear(p, 't'), script['keys.none'])

    await tabTo(p, '.acts [data-act=undo]')
    await p.keyboard.press('Enter')
    await p.waitForFunction((x) => window.heard.some((y) => y.text.includes(x)), board['say.back'])
    assert.equal((await turn(p)).history, 0)
    assert.ok(await p.evaluate(() => document.activeElement?.matches('[data-act=undo]')), 'the place on the page is lost')
    await backTo(p, '.kb-spot')
    for (let t = await turn(p); !t.result; t = await turn(p)) {
      assert.ok(await onBoard(p), `the keyboard is not on the board after ${t.history} decisions`)
      await keys.move(stepName(t.view, t.legal[t.history % t.legal.length]!))
      await decidedSince(p, t.history)
    }
    const ended = await p.waitForFunction(() => document.querySelector('.kb-voice [aria-live=assertive]')?.textContent || undefined).then((h) => h.jsonValue())
    assert.match(ended!, new RegExp(`(${[board['say.youwon'], board['say.youlost'], board['say.drawn']].map((x) => x.replace(/\{.*/, '')).join('|')}) ?\\d+–\\d+ \\([^)]+\\)$`))
    assert.ok(await history(p) > 20)

    // Its review, and what there is to learn from it.
    await p.locator('.outcome').first().waitFor({ state: 'attached' }) // the hall has written the game down
    await tabTo(p, '#card [data-act=review]')
    await p.keyboard.press('Enter')
    await p.waitForURL(/\/games\/\w+\?review/)
    const learn = p.locator('#review').getByRole('button', { name: analysis['review.learn.own'], exact: true })
    await learn.waitFor()
    await learn.evaluate((e) => { e.dataset['learn'] = '' })
    await tabTo(p, '[data-learn]')
    await p.keyboard.press('Enter')
    const told = p.locator('#review [data-aloud]')
    await says(told, new RegExp(`^${number(analysis['review.find'].replace(/ \{move\}.*/, ''))} [a-h][1-8]\\.`))
    const t = await turn(p)
    assert.ok(await onBoard(p), 'who learns is on the board')
    const names = t.legal.map((x) => stepName(t.view, x))
    assert.equal(await hear(p, 'm'), names.join(', '))
    const played = / ([a-h][1-8])\.$/.exec(await told.innerText())![1]!
    await p.keyboard.press('/')
    await p.keyboard.type(played)
    await p.keyboard.press('Enter')
    await says(told, analysis['review.wrong'].replace('{n}', '2'))
    assert.ok(await onBoard(p), 'and is there again')
    await c.close()
  })
}

test('letters are no keys for who does not want that', async () => {
  const c = await venue.visit()
  await c.addInitScript(note)
  const p = await openGuest(c)
  const room = await fillRoom(p, 'othello', ['person', 'bot=1'])
  await start(p, room)
  await p.goto(`/rooms/${room}`)
  await turn(p)
  await until(() => allHeard(p), (list) => list.length > 0)
  await p.evaluate(() => document.querySelector('kibitz-board')!.toggleAttribute('no-keys', true))
  await p.locator('.kb-spot[tabindex="0"]').focus()
  await p.evaluate(() => { window.heard = [] })
  for (const key of ['l', 'k', '?']) await p.keyboard.press(key)
  await p.waitForTimeout(400)
  assert.deepEqual([await allHeard(p), await p.locator('#more').isVisible()], [[], false])
  await p.keyboard.press('ArrowLeft')
  assert.ok(await onBoard(p), 'arrows are keys still')
  await p.goto('/settings')
  await p.getByLabel('No letter keys on boards').check()
  await renewed(p, () => p.getByRole('button', { name: 'Save' }).click())
  await p.goto(`/rooms/${room}`)
  await p.locator('kibitz-board[no-keys]').waitFor({ state: 'attached' })
  assert.deepEqual(await until(() => allHeard(p), (list) => list.length > 0), ['Othello. You are black. Your turn'], 'of keys that are none nothing is said')
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
