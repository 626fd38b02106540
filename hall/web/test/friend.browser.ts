// Two friends play by one link: what each of them presses, how soon both see the board, and
// what the link is to others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { boxOf, drawn, says, until } from './browser.ts'
import { countTones } from './heard.ts'
import { Presses } from './presses.ts'
import { obstacles, openVenue } from './venue.ts'
import { desktop, openPage, outside, phone, playBot, post, take, turn, waysIn, type Way } from './visit.ts'

const venue = openVenue()

interface Host {
  readonly context: BrowserContext
  readonly page: Page
  readonly presses: Presses
  readonly link: string
}

/** Somebody asks a friend, from the first page, by two presses: the link is copied. */
async function ask(options: BrowserContextOptions, way: Way): Promise<Host> {
  const context = await venue.visit(options)
  await context.addInitScript(() => { // what is heard before a page is left is known on the next one
    const make = AudioContext.prototype.createOscillator
    AudioContext.prototype.createOscillator = function () {
      sessionStorage['tones'] = Number(sessionStorage['tones'] ?? 0) + 1
      return make.call(this)
    }
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: venue.hall.url })
  const page = await openPage(context)
  const presses = new Presses(page, way)
  await page.goto('/')
  await presses.press('[data-act=friend]')
  await page.locator('#sheet[open] form').waitFor()
  assert.equal(await page.locator('[name=clock]:checked').inputValue(), '600+5')
  await presses.press('#sheet [data-act=copy]')
  await page.waitForURL(/\/c\/[a-km-np-z2-9]{8}$/)
  const link = await page.locator('#link').inputValue()
  assert.equal(link, page.url())
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link)
  return { context, page, presses, link }
}

/** All that one plays with is on the first screen. */
async function turnless(p: Page): Promise<void> {
  await p.locator('#bar-top .bar-clock').filter({ hasText: /\d/ }).waitFor()
  assert.deepEqual(await outside(p), [])
}

/** Each way to press, on what has it, in two languages with what is said in them. */
const visits = ([
  ['en', 'Link copied', /^guest-\w+ asks you: Othello, 10\+5, you are White$/, '● Your turn'],
  ['cs', 'Odkaz zkopírován', /^guest-\w+ vás zve: Othello, 10\+5, vy máte bílé$/, '● Jste na tahu'],
] as const).flatMap(([locale, ...said]) => waysIn(locale).map((way) => [locale, way, way === 'touch' ? phone : desktop, ...said] as const))

for (const [locale, way, options, copied, asked, title] of visits) {
  test(`two friends play after three presses and one; who asks hears that the friend is there, and the tab says whose turn it is: ${locale}, ${way}`, async () => {
    const host = await ask({ ...options, locale }, way)
    assert.equal(await host.page.locator('[data-act=copy]').innerText(), copied)
    assert.ok(await host.page.locator('[data-act=cancel]').isVisible())
    assert.equal(await host.page.locator('form[action$="/accept"]').count(), 0, 'who asks takes the other seat')
    const friend = await venue.visit({ ...options, locale })
    const page = await openPage(friend)
    await page.goto(host.link)
    assert.match(await page.locator('h1').innerText(), asked)
    assert.deepEqual((await friend.cookies()).map((c) => c.name), [], 'whoever only looks is nobody')
    const presses = new Presses(page, way)
    const origin = page.waitForRequest((r) => r.url().endsWith('/accept')).then((r) => r.allHeaders())
    await presses.press('[data-act=accept]')
    assert.equal((await origin)['origin'], venue.hall.url, 'a hall without TLS knows its own pages by their origin')
    await Promise.all([host.page, page].map(async (p) => {
      await p.waitForURL(/\/rooms\//)
      await p.locator('kibitz-board .kb-spot').first().waitFor()
    }))
    assert.equal(new URL(host.page.url()).pathname, new URL(page.url()).pathname)
    await host.page.waitForFunction((t) => document.title.startsWith(t), title)
    assert.equal(await host.page.evaluate(() => sessionStorage['tones'] as unknown), '3', 'that the friend is there is heard')
    await Promise.all([host.page, page].map(turnless))
    await host.presses.move()
    assert.deepEqual([host.presses.count, presses.count], [3, 1])
    await turn(page) // it is the friend's
    // The link has died with the seat.
    const third = await venue.visit({ locale })
    const late = await openPage(third)
    await late.goto(host.link)
    assert.equal(await late.locator('form[action$="/accept"]').count(), 0)
    assert.equal(await late.getByText(/^guest-/).count(), 0)
    await Promise.all([host.context.close(), friend.close(), third.close()])
  })
}

test('a friend is asked for the game that was played last, with its clock', async () => {
  for (const [locale, name] of [['en', 'Connect6'], ['cs', 'Connect6']] as const) {
    const c = await venue.visit({ ...phone, locale })
    const page = await openPage(c)
    await page.goto('/')
    const presses = new Presses(page, 'touch')
    await presses.press('.tile[data-game=connect6] .tile-play')
    await page.waitForURL(/\/rooms\//)
    await turn(page)
    await page.goto('/')
    await presses.press('[data-act=friend]')
    await page.locator('#sheet[open] form[data-game=connect6]').waitFor()
    assert.equal(await page.locator('#h-sheet').innerText(), name)
    assert.equal(await page.locator('[name=clock]:checked').inputValue(), '600+5')
    await c.close()
  }
})

test('the pages of a link have no obstacle, and the code can be read by a camera', async () => {
  for (const [options, colorScheme] of [[phone, 'light'], [desktop, 'dark']] as const) {
    const host = await ask({ ...options, colorScheme }, 'click')
    const qr = host.page.locator('svg.qr')
    const box = await boxOf(qr)
    const modules = Number((await qr.getAttribute('viewBox'))?.split(' ')[2])
    assert.ok((box.width * (modules - 8)) / modules >= 164, `the code is ${box.width} wide with its margin`)
    assert.deepEqual(await qr.locator('path').evaluateAll((list) => list.map((e) => getComputedStyle(e).fill)), ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
    assert.ok(await host.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    assert.ok((await boxOf(host.page.locator('[data-act=copy]'))).height >= 44)
    assert.deepEqual(await obstacles(host.page), [])
    const friend = await venue.visit({ ...options, colorScheme })
    const page = await openPage(friend)
    await page.goto(host.link)
    assert.deepEqual(await obstacles(page), [])
    const pictures = process.env['PICTURES']
    if (pictures) {
      const name = `${pictures}/${options === phone ? 'phone' : 'desktop'}-${colorScheme}`
      await host.page.screenshot({ path: `${name}-host.png` })
      await page.screenshot({ path: `${name}-friend.png` })
    }
    await Promise.all([host.context.close(), friend.close()])
  }
})

test('the invitation that is one too many is said below the name of its group, and asked for once', async () => {
  const host = await ask({ ...desktop, locale: 'en' }, 'click')
  const { page } = host
  for (let n = 1; n <= 2; n++) assert.equal((await post(page, 'challenges', { game: 'othello', clock: '600+5' })).status, 201)
  const [sent, thrown] = [[] as string[], [] as string[]]
  page.on('request', (r) => { if (r.method() === 'POST') sent.push(new URL(r.url()).pathname) })
  page.on('pageerror', (e) => thrown.push(e.message))
  await page.goto('/play/othello?with=friend')
  for (const times of [1, 2]) {
    await page.locator('[data-act=copy]').click()
    await page.waitForFunction(() => document.querySelector('.sheet .field-fault'))
    await until(async () => sent.length, (n) => n === times)
    await until(() => page.locator('[data-act=copy]').isEnabled(), (on) => on)
    assert.deepEqual([sent.length, thrown, new URL(page.url()).pathname], [times, [], '/play/othello'])
    assert.equal(await page.locator('.field-fault').innerText(), 'No more of your invitations may be open. Withdraw one first.')
    assert.equal(await page.locator('.group[data-group=with] > legend + .field-fault').count(), 1)
  }
  assert.deepEqual(await obstacles(page), [])
  await host.context.close()
})

test('who asks cancels; what was withdrawn cannot be played', async () => {
  const host = await ask({ ...desktop }, 'click')
  await host.page.locator('[data-act=cancel]').click()
  await host.page.waitForURL((u) => u.pathname === '/')
  const friend = await venue.visit()
  const page = await openPage(friend)
  await page.goto(host.link)
  assert.equal(await page.locator('h1').innerText(), 'This invitation is over. Ask for another.')
  assert.equal(await page.locator('[data-act=accept]').count(), 0)
  await Promise.all([host.context.close(), friend.close()])
})

/** Has a page know whether its tab is looked at. */
const lookAway = (page: Page, hidden: boolean) => page.evaluate((is) => Object.defineProperty(document, 'hidden', { get: () => is }) && undefined, hidden)

test('who is asked by name on any page hears it, whoever looks at the tab, and who declines stays there', async () => {
  const contexts = [await venue.visit(), await venue.visit()]
  const [a, b] = await Promise.all(contexts.map((c) => openPage(c))) as [Page, Page]
  for (const [page, name] of [[a, 'Dora'], [b, 'Emil']] as const) assert.equal((await post(page, 'account/register', { name, password: 'correct horse' })).status, 201)
  for (const hidden of [false, true]) {
    await b.goto('/learn?from=here')
    await b.locator('h1').click() // before any press nothing is heard
    await lookAway(b, hidden)
    await countTones(b)
    assert.equal((await post(a, 'challenges', { game: 'othello', to: 'Emil' })).status, 201)
    await b.waitForFunction(() => window.tones === 3)
    await b.locator('.own-ask').getByRole('button', { name: 'Decline' }).click() // it comes with what the page asks for now and then
    await b.waitForURL((u) => u.pathname === '/learn')
    await b.locator('h1').waitFor()
  }
  for (const c of contexts) await c.close()
})

test('who has several tabs open and looks at none is called by one of them', async () => {
  const contexts = [await venue.visit(), await venue.visit()]
  const [a, b] = await Promise.all(contexts.map((c) => openPage(c))) as [Page, Page]
  for (const [page, name] of [[a, 'Rosa'], [b, 'Tabitha']] as const) assert.equal((await post(page, 'account/register', { name, password: 'correct horse' })).status, 201)
  const tabs = [b, await openPage(contexts[1]!), await openPage(contexts[1]!)]
  for (const [i, path] of ['/learn', '/learn', '/rooms'].entries()) {
    await tabs[i]!.goto(path)
    await tabs[i]!.locator('h1').click()
    await lookAway(tabs[i]!, true)
    await countTones(tabs[i]!)
  }
  assert.equal((await post(a, 'challenges', { game: 'othello', to: 'Tabitha' })).status, 201)
  for (const t of tabs) await t.locator('.own-ask').waitFor()
  await b.waitForTimeout(700)
  const tones = await Promise.all(tabs.map((t) => t.evaluate(() => window.tones)))
  assert.equal(tones.reduce((x, y) => x + y), 3, tones.join())
  for (const c of contexts) await c.close()
})

test('who is asked while he plays sees by whom and for what, and keeps his board and acts in sight', async () => {
  const asks = await openPage(await venue.visit())
  assert.equal((await post(asks, 'account/register', { name: 'Wilhelmine-Alexandrowna1', password: 'correct horse' })).status, 201)
  for (const [n, locale] of ['en', 'es', 'cs', 'zh-TW'].entries()) {
    const page = await openPage(await venue.visit({ locale }))
    const name = `Asked-${n}`
    assert.equal((await post(page, 'account/register', { name, password: 'correct horse' })).status, 201)
    await playBot(page, 'gomoku', 1)
    await turn(page)
    const asked = await post(asks, 'challenges', { game: 'gomoku:size=19', clock: '1800+20', to: name })
    assert.equal(asked.status, 201, JSON.stringify(asked.body))
    const toast = page.locator('.own-ask')
    await toast.waitFor()
    assert.equal(await toast.locator('button').count(), 2)
    for (const [width, height] of [[320, 568], [390, 844], [667, 375], [844, 390], [1280, 720]] as const) {
      await page.setViewportSize({ width, height })
      await drawn(page)
      const over = await page.evaluate(() => {
        const t = document.querySelector('.own-ask')!.getBoundingClientRect()
        const on = ['.slot', '.acts-line'].filter((x) => { const r = document.querySelector(x)!.getBoundingClientRect(); return r.bottom > t.top + 0.5 && r.top < t.bottom - 0.5 && r.right > t.left + 0.5 && r.left < t.right - 0.5 })
        const cut = [...document.querySelectorAll('.own-ask :is(button, span)')].filter((e) => { const r = e.getBoundingClientRect(); return e.scrollWidth > e.clientWidth + 1 || r.left < t.left || r.right > t.right + 0.5 || r.bottom > t.bottom + 0.5 })
        return [...on, ...cut.map((e) => e.textContent), ...(t.right > innerWidth + 0.5 ? ['wide'] : [])]
      })
      assert.deepEqual(over, [], `${locale}, ${width}x${height}: ${await toast.innerText()}`)
    }
    await page.context().close()
  }
  await asks.context().close()
})

test('two strangers play after one press each; who comes later is shown who waits', async () => {
  const ann = await venue.visit(phone)
  const bob = await venue.visit(desktop)
  const [a, b] = [await openPage(ann), await openPage(bob)]
  await a.goto('/')
  const host = new Presses(a, 'touch')
  await host.press('[data-act=anybody]')
  await a.waitForURL(/\/rooms\//)
  await a.locator('.acts').waitFor()
  assert.equal(await a.locator('button[value=start], button[value=ready], button[value=unready]').count(), 0, 'something is still to be pressed')
  assert.match(await a.locator('#no-game').innerText(), /The game begins by itself/)
  const list = b.locator('.waits li') // of those whose page the hall knows to be there
  await until(async () => {
    await b.goto('/rooms')
    return list.count()
  }, (n) => n > 0)
  assert.match(await list.first().innerText(), /Othello, 5\+3/)
  assert.deepEqual((await bob.cookies()).map((c) => c.name), [], 'whoever only looks is nobody')
  assert.deepEqual(await obstacles(b), [])
  const presses = new Presses(b, 'click')
  await presses.press('.waits button')
  await Promise.all([a, b].map((p) => p.locator('kibitz-board .kb-spot').first().waitFor()))
  assert.deepEqual([host.count, presses.count], [1, 1])
  await Promise.race([turn(a), turn(b)])
  await Promise.all([ann.close(), bob.close()])
})

test('who looks for an opponent sees on every page for how long, and calls it off by one press', async () => {
  for (const [locale, said] of [['en', /^Looking for an opponent, 0:\d\d$/], ['cs', /^Hledá se soupeř, 0:\d\d$/]] as const) {
    const c = await venue.visit({ ...phone, locale })
    const page = await openPage(c)
    await page.goto('/')
    await page.locator('[data-act=anybody]').tap()
    await page.waitForURL(/\/rooms\//)
    await page.locator('.acts').waitFor()
    await page.goto('/learn')
    const strip = page.locator('.own-game [data-waited]')
    await strip.waitFor()
    const first = await strip.innerText()
    assert.match(first, said)
    assert.ok(await until(() => strip.innerText(), (x) => x !== first && said.test(x)))
    assert.deepEqual(await obstacles(page), [])
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    const presses = new Presses(page, 'touch')
    await presses.press('.own-cancel button')
    await strip.waitFor({ state: 'detached' })
    assert.deepEqual([new URL(page.url()).pathname, await page.locator('.own-game').count(), presses.count], ['/learn', 0, 1])
    await c.close()
  }
})

test('who looks for an opponent plays Fox meanwhile, is asked when one comes, and finds the game with Fox as it was', async () => {
  const c = await venue.visit(phone)
  const page = await openPage(c)
  await page.clock.install()
  await page.goto('/')
  const presses = new Presses(page, 'touch')
  await presses.press('[data-act=anybody]')
  await page.waitForURL(/\/rooms\//)
  const room = new URL(page.url()).pathname
  const fox = page.locator('.acts').getByRole('button', { name: 'Play Fox meanwhile' })
  await page.locator('.acts').waitFor()
  await page.clock.fastForward(10_000)
  assert.equal(await fox.count(), 0, 'it is offered at once')
  await until(async () => {
    await page.clock.fastForward(5000)
    return fox.count()
  }, (n) => n > 0)
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    assert.ok(await page.locator('.acts-line').evaluate((e) => e.scrollWidth <= e.clientWidth), `it is cut at ${width}`)
  }
  await presses.press('.acts [data-meanwhile] button')
  await page.waitForURL((u) => u.pathname.startsWith('/rooms/') && u.pathname !== room)
  const meanwhile = new URL(page.url()).pathname
  const first = await turn(page)
  await take(page, first, first.legal[0]!, 'touch')
  const then = await turn(page)

  // On a phone the search is one icon, which has the rest in a box that stays open.
  assert.deepEqual([await page.locator('.own-game').first().isVisible(), await page.locator('.own-cancel').isVisible()], [false, false])
  await presses.press('.own-open')
  const said = page.locator('.own-seek [data-waited]')
  const before = await said.innerText()
  assert.match(before, /^Looking for an opponent, \d:\d\d$/)
  await page.clock.fastForward(5000)
  await until(() => said.innerText(), (x) => x !== before)
  assert.ok(await page.locator('.own-seek .own-cancel').isVisible(), 'it closes by itself')
  assert.deepEqual(await obstacles(page), [])
  await page.keyboard.press('Escape')
  for (const [width, height] of [[320, 568], [844, 390], [1440, 900]] as const) {
    await page.setViewportSize({ width, height })
    await drawn(page)
    const over = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll<HTMLElement>('.brand, .play-link, .menu-button, .main-nav a, .me > *, .own-open, .own-search .own-game, .own-cancel')].filter((e) => e.checkVisibility())
      const meets = (a: DOMRect, b: DOMRect) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
      const at = (e: HTMLElement) => { const r = e.getBoundingClientRect(); return `${e.className} ${Math.round(r.left)}-${Math.round(r.right)} ${Math.round(r.top)}-${Math.round(r.bottom)}` }
      return boxes.flatMap((a) => boxes.filter((b) => a !== b && meets(a.getBoundingClientRect(), b.getBoundingClientRect())).map((b) => `${at(a)} over ${at(b)}`))
    })
    assert.deepEqual(over, [], `${width}x${height}`)
    assert.equal(await page.locator('.own-cancel').isVisible(), width === 1440)
  }
  await page.setViewportSize(phone.viewport)

  const d = await venue.visit(desktop)
  const friend = await openPage(d)
  await friend.goto('/')
  await friend.locator('[data-act=anybody]').click()
  await friend.waitForURL((u) => u.pathname === room)
  await says(friend.locator('#room-news'), /^guest-\S+ is away\.$/)
  const toast = page.locator('.own-ask')
  await toast.waitFor()
  assert.match(await toast.innerText(), /^guest-\S+ is here\. Play\?/)
  assert.equal(new URL(page.url()).pathname, meanwhile)
  await presses.press('.own-ask .primary')
  await page.waitForURL((u) => u.pathname === room)
  await Promise.race([turn(page), turn(friend)])

  await page.goto('/')
  const back = page.locator(`.mine a[href="${meanwhile}"]`)
  await back.waitFor()
  await presses.press(`.mine a[href="${meanwhile}"]`)
  await page.waitForURL((u) => u.pathname === meanwhile)
  assert.deepEqual((await turn(page)).history, then.history)
  await Promise.all([c.close(), d.close()])
})

test('nothing went wrong on the way', () => {
  assert.deepEqual(venue.faults, [])
})
