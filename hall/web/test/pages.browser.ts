// The pages of a hall in Chromium: people play by clicking, come back after a break, and
// find no obstacle on any page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KibitzBoard } from '../src/board.ts'
import { says } from './browser.ts'
import { misplaced, speakLonger } from './longer.ts'
import { colours, obstacles, openVenue } from './venue.ts'
import { logIn, openPage, playBot, post, resign, seat, turn } from './visit.ts'

const venue = openVenue()

test('a whole game against a built-in engine, begun by one click', async () => {
  const c = await venue.visit()
  const page = await openPage(c)
  await playBot(page, 'dotsandboxes', 1)
  const decided = () => page.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')?.state?.history?.length ?? 0)
  let n = 0
  while (n < 200 && await page.locator('.outcome').count() === 0) {
    const before = await decided()
    // The list of moves may be ahead of the board by one drawing.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    const spot = page.locator('kibitz-board .kb-spot[aria-label*="possible"]').first()
    await spot.or(page.locator('.outcome')).first().waitFor({ state: 'attached' })
    if (await page.locator('.outcome').count()) break
    await spot.focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction((k) => (document.querySelector<KibitzBoard>('kibitz-board')?.state?.history?.length ?? 0) > k || document.querySelector('.outcome'), before)
    n++
  }
  assert.ok(n >= 15, `the game was over after ${n} moves`)
  await page.getByRole('link', { name: 'Review' }).click()
  await page.waitForURL(/\/games\//)
  // Sixty lines are drawn in fewer turns: who closes a box goes on. Each turn is an entry.
  await says(page.locator('#ply'), /^(\d+) \/ \1$/)
  assert.equal(await page.locator('#moves li a').count(), 60)
  const turns = await page.locator('#moves li').count()
  assert.ok(turns < 60)
  await page.keyboard.press('Home')
  await says(page.locator('#ply'), `0 / ${turns}`)
  await page.keyboard.press('d')
  await page.keyboard.press('s')
  const lines = await page.locator('#moves li').evaluateAll((list) => list.slice(0, 11).reduce((n, li) => n + li.querySelectorAll('a').length, 0))
  await page.waitForURL(new RegExp(`ply=${lines}$`))
  await page.locator('#moves li [aria-current]').waitFor()
  const number = await page.locator('#moves li').evaluateAll((list) => list.findIndex((li) => li.querySelector('[aria-current]')) + 1)
  await says(page.locator('#ply'), `${number} / ${turns}`)
  await page.reload()
  await says(page.locator('#ply'), `${number} / ${turns}`)
  await c.close()
})

test('what a visitor reads has no word of command lines and programs', async () => {
  const c = await venue.visit()
  const page = await openPage(c)
  await playBot(page, 'othello', 2)
  const room = new URL(page.url()).pathname
  await resign(page)
  await page.locator('.card-acts [data-act=review]').waitFor()
  const game = (await page.locator('.card-acts [data-act=review]').getAttribute('href'))!
  const boss = await openPage(await venue.visit())
  await logIn(boss, 'admin', venue.hall.password)
  const cup = await post(boss, 'tournaments', { name: 'Cup', game: 'othello', format: 'roundrobin', each: 'tc=60', engines: ['bot=1 name=Ann', 'bot=1 name=Bob', 'bot=2'], open: true })
  assert.ok(cup.status < 300, JSON.stringify(cup))
  const paths = ['/', '/play/gomoku', '/play/darkchess?with=friend', '/rooms', room, `${room}/plain`, game, '/watch', '/games', '/players', '/engines', '/engines/bot=3', '/tournaments', `/tournaments/${(cup.body as { id: string }).id}`, '/learn', '/learn/renju', '/learn/othello', '/analysis', '/analysis?game=othello', '/settings', '/login', '/register', '/account', '/games/none']
  for (const path of paths) {
    await page.goto(path)
    const read = await page.evaluate(() => {
      const out: string[] = [document.title]
      for (const e of document.body.querySelectorAll('*')) {
        if (e.closest('script, style, noscript, code, pre, details:has(> summary + p:last-child)')) continue
        out.push(...['title', 'aria-label', 'alt', 'placeholder'].map((a) => e.getAttribute(a) ?? ''))
        for (const n of e.childNodes) if (n.nodeType === 3) out.push(n.textContent ?? '')
      }
      return out
    })
    assert.ok(read.join('').length > 100, path)
    assert.deepEqual(read.filter((x) => /\b(tc|st|bot|cmd|proto)=|[0-9a-f]{16}|\b(Level \d|seat [01]|elo0)\b/.test(x)), [], path)
  }
  await Promise.all([c.close(), boss.context().close()])
})

test('two people: a draw offered and declined, one goes and comes back, one resigns', async () => {
  const [ann, bob] = [await venue.visit(), await venue.visit()]
  const a = await openPage(ann)
  await a.goto('/rooms')
  await a.getByText('Open a room').click()
  await a.getByRole('button', { name: 'Open the room' }).click()
  await a.waitForURL(/\/rooms\//)
  const room = new URL(a.url()).pathname
  let b = await openPage(bob)
  await seat(a, b, room)
  await a.getByRole('button', { name: 'Start', exact: true }).click()

  const spot = a.locator('kibitz-board .kb-spot[aria-label*="possible"]').first()
  await spot.focus()
  await a.keyboard.press('Enter')
  await b.locator('#moves li').first().waitFor()
  await a.getByRole('button', { name: 'Draw', exact: true }).click()
  await b.getByText('offers a draw').first().waitFor()
  await b.getByRole('button', { name: 'Decline' }).click()
  await b.locator('#offer').waitFor({ state: 'hidden' })
  await says(a.locator('#answer'), /^\S+ would rather not\.$/) // it is said to who asked, aloud too
  await says(a.locator('.kb-voice'), /^\S+ would rather not\.$/)
  assert.equal(await b.locator('#answer').innerText(), '')

  await b.getByLabel('Say something').fill('<b>hello</b>')
  await b.getByRole('button', { name: 'Send' }).click()
  await a.locator('.talk').getByText('<b>hello</b>').waitFor()

  await b.close()
  b = await openPage(bob)
  await b.goto(room)
  await b.locator('#moves li').first().waitFor()
  await b.locator('kibitz-board .kb-spot[aria-label*="possible"]').first().waitFor({ state: 'attached' })

  await resign(b)
  await a.locator('.outcome').waitFor()
  await says(a.locator('.outcome'), /You won \(resignation\)/)
  await ann.close()
  await bob.close()
})

test('pages without scripts', async () => {
  const c = await venue.visit({ javaScriptEnabled: false })
  const page = await openPage(c)
  for (const path of ['/', '/watch', '/rooms', '/play/othello', '/games', '/players', '/engines', '/tournaments', '/settings', '/login']) {
    await page.goto(path)
    assert.ok(await page.getByRole('heading', { level: 1 }).count(), path)
  }
  await page.goto('/games')
  await page.locator('#search > summary').click()
  await page.locator('select[name=game]').selectOption('othello')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'Othello' }).first().click()
  await page.locator('.viewer img').first().waitFor({ state: 'attached' }) // the picture of the position
  await page.getByRole('link', { name: 'Beginning' }).click()
  await page.waitForURL(/ply=0$/)
  await page.getByRole('button', { name: 'Čeština' }).click()
  await page.locator('html[lang=cs]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Tmavé' }).click()
  await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' })
  await c.close()
})

test('no obstacles on any page', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const c = await venue.visit({ colorScheme: theme })
    const page = await openPage(c)
    await logIn(page, 'admin', venue.hall.password)
    if (theme === 'dark') await speakLonger(c) // colours are the same whatever is said
    await page.goto('/games')
    const game = await page.locator('.list a').first().getAttribute('href') ?? ''
    const rooms = await page.request.get('/api/v1/games?state=over')
    const room = ((await rooms.json()) as { games: { room?: string }[] }).games.find((g) => g.room)?.room ?? ''
    const paths = ['/', '/watch', '/rooms', '/play/gomoku', '/games', game, `/embed${game.slice('/games'.length)}`, `/rooms/${room}`, '/players', '/players/admin', '/engines', '/engines/bot=1', '/tournaments', '/settings', '/games/import', '/account', '/bots', '/admin/users', '/admin/engines', '/admin/workers', '/admin/audit', '/login', '/register', '/none']
    for (const path of paths) {
      // Of the themes only colours differ.
      for (const width of theme === 'light' ? [1280, 390] : [390]) {
        await page.setViewportSize({ width, height: 844 })
        if (width === 1280 || theme === 'dark') await page.goto(path)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(wide <= 0, `${path} is ${wide} too wide at ${width}`)
        if (theme === 'dark') assert.deepEqual(await misplaced(page), [], `${path} in a longer language`)
        const tall = await page.locator('.list td').evaluateAll((cells) => cells.filter((e) => e.clientHeight > 85).map((e) => e.textContent))
        assert.deepEqual(tall, [], `${path}: cells of more than three lines at ${width}`)
      }
      assert.deepEqual(await obstacles(page, theme === 'light' ? undefined : colours), [], `${path}, ${theme}`)
    }
    await c.unrouteAll({ behavior: 'ignoreErrors' }) // what is being made longer is not wanted any more
    await c.close()
  }
})

test('sheets, a room, its end and an invitation have room for a longer language', async () => {
  const c = await venue.visit({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await speakLonger(c)
  const page = await openPage(c)
  const well = async (what: string, within?: string) => assert.deepEqual(await misplaced(page, within), [], what)
  await page.goto('/')
  await page.locator('.menu-button').tap()
  await page.locator('#menu:popover-open').waitFor()
  await well('menu', '#menu')
  await page.keyboard.press('Escape')
  for (const game of await page.locator('.tile').evaluateAll((list) => list.map((e) => e.getAttribute('data-game') ?? ''))) {
    await page.locator(`.tile[data-game=${game}] .gear`).tap()
    await page.locator('#sheet[open] form').waitFor()
    await page.locator('#sheet details summary').tap()
    await page.locator('#sheet details[open]').waitFor()
    await well(`options of ${game}`, '#sheet')
    await page.keyboard.press('Escape')
    await page.locator('#sheet').waitFor({ state: 'hidden' })
    await page.waitForFunction(() => !(history.state as { sheet?: boolean } | null)?.sheet) // the way back would close the next one
  }
  await page.locator('[data-block="2"] [data-act=play]').tap()
  await page.waitForURL(/\/rooms\//)
  await page.reload() // the answer to a form is not made longer
  await turn(page)
  await well('room')
  await page.locator('[data-act=more]').tap()
  await page.locator('#more:popover-open').waitFor()
  await well('more', '#more')
  await page.keyboard.press('Escape')
  for (const tab of ['chat', 'engine', 'info']) {
    await page.locator(`#tab-${tab}`).tap()
    await page.locator(`#tab-${tab}[aria-selected=true]`).waitFor()
    await well(tab, '#tabs')
  }
  await page.locator('.acts [data-act=resign]').evaluate((e) => (e as HTMLElement).click()) // it asks for 3 s, in which a tap from here may not come back
  await well('surely', '.acts')
  await page.locator('.acts [data-act=resign][data-armed]').waitFor({ state: 'detached' })
  await resign(page)
  await page.locator('#card').waitFor()
  await page.locator('.card-acts [data-act=rematch]').waitFor()
  await well('card', '#card')
  await page.goto('/play/othello?with=friend')
  await page.locator('.sheet-foot button').tap()
  await page.waitForURL(/\/c\//)
  await page.reload()
  await well('invitation')
  await c.unrouteAll({ behavior: 'ignoreErrors' })
  await c.close()
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
