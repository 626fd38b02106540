// A board in a real hall: a guest plays a built-in engine by clicks, another one looks on.

import assert from 'node:assert/strict'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { openBrowser, slow } from './browser.ts'
import { policy } from './site.ts'

let browser: Browser
let hall: ChildProcess
let folder = ''
let url = ''

before(async () => {
  execFileSync('go', ['build', '-o', 'build/kibitz', '../cmd/kibitz'])
  folder = mkdtempSync(join(tmpdir(), 'kibitz-hall-'))
  hall = spawn('build/kibitz', ['serve', '--addr', '127.0.0.1:0', '--data', folder, '--slots', '2'], { stdio: ['ignore', 'pipe', 'ignore'] })
  url = await new Promise<string>((found, failed) => {
    let text = ''
    hall.stdout!.on('data', (data: Buffer) => {
      text += data.toString()
      const m = /^listening on (\S+)$/m.exec(text)
      if (m?.[1]) found(m[1])
    })
    hall.on('exit', () => failed(new Error('the hall ended')))
  })
  browser = await openBrowser()
})

after(async () => {
  await browser.close()
  const ended = new Promise((done) => hall.once('exit', done))
  hall.kill('SIGINT')
  await ended
  rmSync(folder, { recursive: true })
})

/** A page of the hall that is empty but for boards, for a new guest. */
async function enter(script: string): Promise<Page> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 700, height: 900 } })).newPage()
  page.on('pageerror', (e) => assert.fail(e))
  await slow(page)
  await page.route('**/empty', (r) => r.fulfill({
    contentType: 'text/html', headers: { 'Content-Security-Policy': policy },
    body: `<!doctype html><title>x</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/assets/${files['board.css']}"><script type="module" src="/assets/${files['board.js']}"></script><main></main>${script}`,
  }))
  await page.goto(`${url}/empty`)
  await page.evaluate(() => fetch('/api/v1/account/guest', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }))
  return page
}

const files = Object.fromEntries(Object.entries(JSON.parse(execFileSync('cat', ['dist/manifest.json']).toString()) as Record<string, { file: string }>).map(([k, v]) => [k, v.file]))

const post = (page: Page, path: string, body: unknown) => page.evaluate(async ([p, b]) => {
  const r = await fetch(`/api/v1/${p}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(b) })
  return { status: r.status, body: (await r.json()) as unknown }
}, [path, body] as const)

interface Room {
  readonly id: string
  readonly room: { readonly game?: { readonly id: string } }
}

/** Opens a room with the guest and a built-in engine, and begins a game. */
async function begin(page: Page, game: string): Promise<string> {
  const room = (await post(page, 'rooms', { settings: { game, games: 1 } })).body as Room
  for (const command of [{ do: 'sit', place: 0, kind: 'person' }, { do: 'sit', place: 1, kind: 'bot', engine: 'bot=1' }, { do: 'ready' }, { do: 'start' }]) {
    const r = await post(page, `rooms/${room.id}/commands`, command)
    assert.ok(r.status < 300, JSON.stringify(r))
  }
  return await page.waitForFunction(async (id) => {
    const r = (await (await fetch(`/api/v1/rooms/${id}`)).json()) as Room
    return r.room.game?.id
  }, room.id, { polling: 100 }).then((h) => h.jsonValue()) as string
}

for (const game of ['gomoku:size=5', 'dotsandboxes:size=2', 'phantomgo:size=3,maxplies=20', 'darkchess:noeat=8']) {
  test(`${game} is played against a built-in engine, and watched`, async () => {
    const page = await enter('')
    const id = await begin(page, game)
    const look = await enter('')
    await look.evaluate(async ([x, script]) => {
      const { followMany } = (await import(script)) as typeof import('../src/board.ts')
      const b = document.createElement('kibitz-board') as KibitzBoard
      b.setAttribute('mini', '')
      document.querySelector('main')!.append(b)
      followMany(new Map([[x, { show: (s) => b.show(s), advance: (d) => b.advance(d), ask: () => { throw new Error('a spectator is asked') }, over: () => b.classList.add('over'), lost: () => {} }]]))
    }, [id, `/assets/${files['board.js']}`] as const)
    await page.evaluate((x) => {
      const b = document.createElement('kibitz-board')
      b.setAttribute('game', x)
      document.querySelector('main')!.append(b)
    }, id)
    const moves = await playOn(page)
    assert.ok(moves >= 2, `${moves} moves`)
    const ends = await Promise.all([page, look].map((p) => p.waitForFunction(() => {
      const s = document.querySelector<KibitzBoard>('kibitz-board')?.state
      return s?.result ? { result: s.result, history: s.history?.length, pieces: s.view?.pieces, for: s.for } : undefined
    }).then((h) => h.jsonValue())))
    assert.deepEqual(ends[0]!.result, ends[1]!.result)
    assert.deepEqual(ends.map((e) => e!.for), ['first', 'public'])
    if (!game.startsWith('phantomgo')) assert.equal(ends[0]!.pieces, ends[1]!.pieces)
    else assert.match(ends[1]!.pieces ?? '', /^\.+$/, 'a spectator sees no stone')
    await Promise.all([page.context().close(), look.context().close()])
  })
}

/** Clicks on the first legal step whenever the board asks, until the game is over. */
async function playOn(page: Page): Promise<number> {
  for (let moves = 0; moves < 400; moves++) {
    const spots = await page.waitForFunction(() => {
      const b = document.querySelector<KibitzBoard>('kibitz-board')
      if (b?.state?.result) return 'over'
      const step = b?.possible[0]
      if (!step) return undefined
      if (step.op === 'pass') return 'pass'
      if (step.op === 'edge') return `${step.to!.join(',')}${step.arg === 1 ? '|' : '-'}`
      return [step.from, step.to].flatMap((p) => (p ? [p.join(',')] : [])).join(' ')
    }, undefined, { polling: 'raf' }).then((h) => h.jsonValue()) as string
    if (spots === 'over') return moves
    if (spots === 'pass') {
      await page.getByRole('button', { name: 'Pass' }).click()
      continue
    }
    for (const spot of spots.split(' ')) {
      const box = await page.locator(`[data-spot="${spot}"]`).boundingBox()
      assert.ok(box)
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    }
  }
  throw new Error('the game does not end')
}
