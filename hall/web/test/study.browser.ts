// A game from elsewhere is read, analysed, written on, kept, and taken along as a file.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Download, Page } from 'playwright-core'
import type { KibitzBoard } from '../src/board.ts'
import { boards } from '../src/games/list.ts'
import { asked, openAt, press } from './analysing.ts'
import { boxOf, until } from './browser.ts'
import { Presses } from './presses.ts'
import { obstacles, openVenue } from './venue.ts'

const venue = openVenue()

/** Pastes a text into the field that has the focus, as a person does. */
const paste = (page: Page, text: string): Promise<void> => page.evaluate((t) => {
  const field = document.querySelector<HTMLTextAreaElement>('#paste-text')!
  field.focus()
  field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true }))
  field.value = t
}, text)

async function textOf(d: Download): Promise<string> { return readFile(await d.path(), 'utf8') }

test('a transcript is pasted and analysed in three presses, and nothing of the analysis is lost', async () => {
  const page = await openAt(venue, '/')
  const p = new Presses(page, 'click')
  await p.press('header a[href="/analysis"]')
  await page.waitForURL('**/analysis') // with its scripts: without them nobody hears what is pasted
  assert.deepEqual(await obstacles(page), [])
  p.count++ // typing or pasting a text is one
  await paste(page, '1. F5 d6\n2. C3 D3\n3. c4')
  await asked(page, 0)
  await p.press('#analyse')
  const begun = Date.now()
  await page.locator('#found li').first().waitFor()
  assert.equal(p.count, 3)
  console.log(`first line of an engine after ${Date.now() - begun} ms`)
  assert.match(await page.locator('#read-as').textContent() ?? '', /^Read as: Othello, Othello move strings/)
  assert.equal(await page.locator('#moves a').count(), 5)

  // The engine's line becomes a variation, with a sign and a comment.
  await page.keyboard.press('d')
  await asked(page, 1)
  await page.waitForFunction(() => document.getElementById('analysis-state')?.textContent === 'The engine is done.')
  const other = page.locator('#found li').filter({ hasNot: page.locator('button[data-pv$=":0"]', { hasText: 'd6' }) }).first().locator('button').first()
  const name = await other.textContent()
  await other.click()
  await asked(page, 2)
  assert.deepEqual(await page.locator('#moves .side a').allTextContents(), [`2 ${name}`])
  await page.locator('#marks [data-sign="!?"]').click()
  await page.locator('#comment').fill('worth a try')
  await page.locator('#comment').blur()
  assert.deepEqual(await page.locator('#moves .side a').allTextContents(), [`2 ${name} !? ✎`])
  assert.deepEqual(await obstacles(page), [])

  // What is removed comes back.
  await page.locator('#remove').click()
  assert.equal(await page.locator('#moves .side').count(), 0)
  await page.locator('#undo-edit').click()
  assert.deepEqual(await page.locator('#moves .side a').allTextContents(), [`2 ${name} !? ✎`])
  await page.locator('#moves .side a').first().click()
  await asked(page, 2)

  // Twenty changes are taken back, and no more; the button goes with the last one.
  for (let k = 0; k < 21; k++) await page.locator('#marks [data-sign="?"]').click()
  for (let k = 0; k < 20; k++) await page.locator('#undo-edit').click()
  await page.locator('#undo-edit').waitFor({ state: 'hidden' })
  assert.equal(await page.locator('#marks [data-sign="?"]').getAttribute('aria-pressed'), 'true')
  await page.locator('#marks [data-sign="!?"]').click()

  // The page is closed at once, and opened from the list of what is kept, by its name.
  const again = await page.context().newPage()
  await page.locator('#tab-info').click()
  await page.locator('#kept-name').fill(' Lesson <3> ')
  await page.locator('#tab-moves').click()
  await page.locator('#comment').fill('worth a second try')
  await page.close({ runBeforeUnload: false })
  await again.goto(venue.hall.url + '/analysis')
  await again.locator('#kept-list a').first().getByText(/^Lesson <3> · /).click()
  await again.locator('#moves .side a').first().click()
  await asked(again, 2)
  assert.equal(await again.locator('#kept-name').inputValue(), 'Lesson <3>')
  assert.equal(await again.locator('#comment').inputValue(), 'worth a second try')
  assert.equal(await again.locator('#marks [data-sign="!?"]').getAttribute('aria-pressed'), 'true')

  // As a file it has all of it; of a file that begins here, the position.
  await again.locator('#tab-info').click()
  for (const format of ['sgf', 'json']) {
    await again.locator('#save-tree [name=format]').selectOption(format)
    const [file] = await Promise.all([again.waitForEvent('download'), again.locator('#save-tree button').click()])
    assert.equal(file.suggestedFilename(), `analysis.${format}`)
    assert.match(await textOf(file), /!\? worth a second try/)
  }
  await again.locator('#save-tree [name=here]').check()
  await again.locator('#save-tree [name=format]').selectOption('sgf')
  const [file] = await Promise.all([again.waitForEvent('download'), again.locator('#save-tree button').click()])
  assert.match(await textOf(file), /AB\[/)

  // The rest is played against a character, and the analysis stays.
  await again.locator('#tab-moves').click()
  await again.getByRole('button', { name: 'Play from here' }).click()
  await again.waitForURL(/\/rooms\//)
  await again.waitForFunction(() => (document.querySelector<KibitzBoard>('kibitz-board')?.state?.view?.pieces.match(/[BW]/g) ?? []).length >= 6)
  await again.goto(venue.hall.url + '/analysis')
  await again.locator('#kept-list a').first().click()
  await again.locator('#moves .side a').first().waitFor()

  // Without its name it is known by its game and moves again.
  await again.locator('#tab-info').click()
  await again.locator('#kept-name').fill('')
  await again.goto(venue.hall.url + '/analysis')
  assert.match(await again.locator('#kept-list a').first().textContent() ?? '', /^Othello · /)
  await again.context().close()
})

test('a browser keeps the latest twenty analyses, each of 5000 positions at most', async () => {
  const page = await openAt(venue, '/analysis?game=gomoku:size=25')
  await asked(page, 0)
  await press(page, '0,0')
  await asked(page, 1)
  await page.waitForURL(/kept=/)

  // 24 others were kept before, and the largest analysis there can be.
  const id = await page.evaluate(async () => {
    const base = await new Promise<IDBDatabase>((done) => {
      const r = indexedDB.open('kibitz', 1)
      r.onsuccess = () => done(r.result)
    })
    const step = (k: number) => ({ by: k % 2 ? 'second' : 'first', steps: [`p${k % 25},${Math.floor(k / 25)}`], name: String(k), ended: true })
    const line = (from: number, n: number) => Array.from({ length: n }, (_, k) => step((from + k) % 625))
    const write = base.transaction('analyses', 'readwrite')
    const all = { spec: 'gomoku:size=25', position: '', names: ['First', 'Second'] }
    for (let k = 0; k < 24; k++) write.objectStore('analyses').put({ ...all, id: `old${k}`, steps: line(0, 1), when: k })
    const [first, ...rest] = line(0, 6) // and 624 variations of eight: 4998, and the start
    write.objectStore('analyses').put({ ...all, id: 'large', when: Date.now(), steps: [{ ...first!, variations: Array.from({ length: 624 }, (_, k) => line(k + 1, 8)) }, ...rest] })
    write.commit()
    await new Promise((done) => { write.oncomplete = done })
    base.close()
    return 'large'
  })
  await page.goto(`${venue.hall.url}/analysis?game=gomoku:size=25&kept=${id}`)
  await asked(page, 0)
  assert.equal(await page.locator('#moves a').count(), 4998)
  await page.locator('#moves a').first().click()
  await asked(page, 1)

  // What is drawn already stays: a new position is one entry more, a step marks another link.
  await page.evaluate(() => {
    const touched: string[] = (window as unknown as { touched: string[] }).touched = []
    new MutationObserver((list) => list.forEach((r) => touched.push(...[...r.addedNodes, ...r.removedNodes].map((n) => n.nodeName), ...(r.attributeName ? [r.attributeName] : []))))
      .observe(document.getElementById('moves')!, { childList: true, subtree: true, attributes: true })
  })
  const touched = () => page.evaluate(() => (window as unknown as { touched: string[] }).touched.splice(0).sort())
  await press(page, '20,20')
  await asked(page, 2)
  assert.deepEqual(await touched(), ['LI', 'aria-current', 'aria-current'])
  await page.locator('#marks [data-sign="!"]').click()
  assert.deepEqual(await touched(), ['#text', '#text', '#text', '#text', 'SPAN', 'SPAN', 'title'])
  const timed = (...presses: string[]) => page.evaluate((list) => list.map((what) => {
    const begun = performance.now()
    document.querySelector<HTMLElement>(what)!.click()
    void document.body.offsetHeight
    return `${what} ${(performance.now() - begun).toFixed(1)} ms`
  }), presses)
  console.log(`of 5000 positions: ${(await timed('#undo-edit', '[data-go=back]', '[data-go=on]')).join(', ')}`)
  await asked(page, 2)
  await touched()
  const begun = Date.now()
  await press(page, '21,20')
  await page.locator('#variation-fault').getByText('An analysis holds 5000 positions: remove some first.').waitFor()
  assert.equal(await page.locator('#moves a').count(), 4999)
  console.log(`told after ${Date.now() - begun} ms`)
  await touched()
  console.log(`of 5000 positions: ${(await timed('#remove')).join(', ')}`)
  assert.deepEqual((await touched()).filter((x) => x !== 'aria-current'), ['LI'])
  assert.equal(await page.locator('#moves a').count(), 4998)
  await page.goto(`${venue.hall.url}/analysis`)
  await page.locator('#kept-list li').first().waitFor()
  assert.equal(await page.locator('#kept-list li').count(), 20)
  assert.match(await page.locator('#kept-list li').first().textContent() ?? '', /moves: 6 /)
  await page.context().close()
})

test('values stay with their points on a board that is turned', async () => {
  const page = await openAt(venue, '/analysis')
  await paste(page, '1. F5 d6\n2. C3 D3\n3. c4')
  await asked(page, 0)
  await page.locator('#ask [name=values]').check()
  await page.locator('#analyse').click()
  await page.locator('.kb-overlay text').first().waitFor() // how many there are in the end depends on how fast the engine is
  const valued = () => page.evaluate(() => [...document.querySelectorAll('.kb-overlay text')].map((e) => {
    const r = e.getBoundingClientRect()
    const spot = [...document.querySelectorAll('.kb-spot')].find((s) => {
      const q = s.getBoundingClientRect()
      return r.x + r.width / 2 > q.left && r.x + r.width / 2 < q.right && r.y + r.height / 2 > q.top && r.y + r.height / 2 < q.bottom
    })
    return `${spot?.getAttribute('data-spot')} ${e.textContent}`
  }).sort())
  let stood: string[] = []
  for (let now = await valued(); now.join() !== stood.join(); now = await valued()) { // until the engine is done
    stood = now
    await page.waitForTimeout(1500)
  }
  const corner = () => page.locator('.kb-spot[data-spot="0,0"]').getAttribute('x')
  const left = await corner()
  await page.locator('#turn').dispatchEvent('click')
  assert.notEqual(await until(corner, (x) => x !== left), left)
  assert.deepEqual(await until(valued, (x) => x.join() === stood.join()), stood, 'values stay with their points on a board that is turned')
  await page.context().close()
})

test('engines stand beside each other, each with lines in order of value', async () => {
  const page = await openAt(venue, '/analysis')
  await paste(page, '1. F5 d6\n2. C3 D3\n3. c4')
  await asked(page, 0)
  await page.locator('#analyse').click()
  await page.locator('#found li').first().waitFor()
  await page.locator('#another').click()
  const other = page.locator('#beside section')
  await other.locator('li').first().waitFor()
  assert.ok(await page.locator('#another').isDisabled(), 'guests have two engines')
  assert.deepEqual(await obstacles(page), [])
  for (const card of [page.locator('#engine-panel'), other]) await card.locator('[data-aloud]').first().filter({ hasText: 'The engine is done.' }).waitFor()
  for (const list of ['#found', '#beside ol']) {
    const values = await page.locator(`${list} .found-score`).allTextContents()
    assert.equal(values.length, 3)
    const numbers = values.map((x) => Number(x.replace('−', '-')))
    assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a), `${list}: ${values.join(' ')}`)
  }

  // The second one's moves are marked in their own way, each move has its value on the board, and what
  // the other side would play is asked.
  await page.locator('.kb-overlay circle').first().waitFor({ state: 'attached' })
  await page.locator('#ask [name=values]').check()
  await page.waitForFunction(() => document.querySelectorAll('.kb-overlay text').length > 3)
  assert.equal(await page.locator('#found li').count(), 3)
  await page.locator('#threat').click()
  await page.locator('#analysis-state').getByText(/^If it were the turn of .+: [a-h][1-8] \(.+\)\.$/).waitFor()
  await page.locator('.kb-overlay circle[stroke="#d1242f"]').first().waitFor({ state: 'attached' })
  await page.locator('#ask [name=values]').uncheck()
  await page.locator('#analyse').click()
  await other.locator('li').first().waitFor()

  // The first one's moves are blue. Values are those of who is to move, White here, or of the first seat.
  const tone = () => page.locator('#board .kb-best').first().evaluate((e) => getComputedStyle(e.querySelector('[stroke], line, path, circle') ?? e).getPropertyValue('--kb-tone').trim())
  assert.equal(await until(tone, (x) => x === '#1763c4'), '#1763c4') // a mark that is drawn anew meanwhile has no colour
  assert.deepEqual(await page.locator('.kb-overlay circle').first().evaluate((e) => [e.getAttribute('stroke'), e.getAttribute('stroke-dasharray')]), ['#1a7f37', '7 5'])
  const settled = () => page.waitForFunction(() => ['#found', '#beside ol'].every((l) => document.querySelectorAll(`${l} li`).length === 3) &&
    ['#analysis-state', '#beside [data-aloud]'].every((e) => document.querySelector(e)?.textContent === 'The engine is done.'))
  const values = async () => (await page.locator('.found-score').allTextContents()).map((x) => Number(x.replace('−', '-')) + 0) // of -0 it makes 0
  await page.keyboard.press('d')
  await asked(page, 1)
  await settled()
  const mover = await values()
  await page.locator('#values-by').selectOption('first')
  assert.deepEqual(await values(), mover.map((v) => -v || 0))
  await page.locator('#values-by').selectOption('turn')

  // By keys: l ends and begins it, x asks for the threat, Space plays the best move; a line is kept as a
  // variation, by its button or dragged to the moves, and the board stays.
  const state = page.locator('#analysis-state')
  await page.locator('#moves').focus()
  await page.keyboard.press('l')
  await page.locator('#analyse').filter({ hasText: 'Analyse' }).waitFor()
  await page.keyboard.press('x')
  await state.getByText(/^If it were the turn of/).waitFor()
  await page.keyboard.press('l')
  await page.locator('#found [data-pv="0:keep"]').waitFor()
  await state.filter({ hasText: 'The engine is done.' }).waitFor()
  const nodes = () => page.locator('#moves a').count()
  const had = await nodes()
  await page.locator('#found [data-pv="0:keep"]').click()
  await page.waitForFunction((n) => document.querySelectorAll('#moves a').length > n, had)
  assert.match(await page.locator('#ply').textContent() ?? '', /^1 \//)
  const kept = await nodes()
  await page.locator('#found li').nth(1).locator('.found-score').dragTo(page.locator('#moves'))
  await page.waitForFunction((n) => document.querySelectorAll('#moves a').length > n, kept)
  await page.locator('#moves').focus()
  await page.keyboard.press(' ')
  await asked(page, 2)
  await page.keyboard.press('a')
  await asked(page, 1)
  await page.keyboard.press('a')
  await asked(page, 0)

  // Both follow the board, a line of the second one is played, and it goes without the first. It is one
  // that is not played yet, and pressed when both are done: until then lines are drawn anew.
  await settled()
  const before = await page.locator('#moves a').count()
  await other.locator('li').filter({ hasNot: page.locator('button[data-pv$=":0"]', { hasText: 'f5' }) }).first().locator('button').first().click()
  await page.waitForFunction((n) => document.querySelectorAll('#moves a').length > n, before)
  for (const list of ['#found', '#beside ol']) await page.locator(`${list} li`).first().waitFor()
  await other.getByRole('button', { name: 'Remove' }).click()
  assert.equal(await page.locator('#beside section').count(), 0)
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'another')
  await page.locator('#found li').first().waitFor()
  await page.context().close()
})

/** Drops a file on a page. */
const drop = (page: Page, text: string): Promise<void> => page.evaluate((t) => {
  const data = new DataTransfer()
  data.items.add(new File([t], 'game.sgf'))
  document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
}, text)

test('what cannot be read is said and stays in its field; of several games one is chosen; a file is dropped', async () => {
  const page = await openAt(venue, '/analysis')
  await page.locator('#paste-text').fill('hello there')
  await page.locator('#paste button.primary').click()
  await page.locator('#paste-fault').getByText(/^This cannot be read as a game\. No form fits; the nearest is .*hello/).waitFor()
  assert.equal(await page.locator('#paste-text').inputValue(), 'hello there')
  assert.deepEqual(await obstacles(page), [])

  await page.locator('#paste-text').fill('game_id,moves,winner\n7,"j10,k11,j9",B\n8,"j10,i9,k9,h8,h9",W\n')
  await page.locator('#paste button.primary').click()
  await page.locator('#paste-state').getByText('Read as: a table of Connect6 games').waitFor()
  assert.deepEqual(await page.locator('#paste-games button').allTextContents(), ['moves: 3', 'moves: 5'])
  await page.locator('#paste-games button').nth(1).click()
  await page.waitForURL(/game=connect6/) // with all its scripts, which hear that a file is dropped
  await asked(page, 0)

  // A file with variations and comments is dropped on that board.
  await drop(page, '(;GM[2]FF[4]PB[Ann]PW[Bo];B[f5];W[d6]C[solid](;B[c3];W[d3])(;B[c4]C[why not]))')
  await page.waitForURL(/game=othello/)
  await asked(page, 0)
  assert.equal(await page.locator('#read-as').textContent(), 'Read as: Othello, Smart Game Format')
  assert.deepEqual(await page.locator('#moves .side a').allTextContents(), ['3 c4 ✎'])
  await page.locator('#moves .side a').click()
  await asked(page, 3)
  assert.equal(await page.locator('#comment').inputValue(), 'why not')

  // One of another game, with a move that the rules refuse: the board is of that game, up to that move.
  await drop(page, '(;GM[4]SZ[15];B[hh];W[hh];B[gg])')
  await page.waitForURL(/game=gomoku/)
  await asked(page, 0)
  assert.equal(await page.locator('#read-as').textContent(), 'Read as: Five in a row (freestyle, 15×15), Smart Game Format. Move 2, h8, is not possible: the game is read up to it.')
  assert.equal(await page.locator('#moves a').count(), 1)
  await page.context().close()
})

test('on a phone a position of dark chess in the middle of a game is taken along as a file', async () => {
  const page = await openAt(venue, '/analysis?game=darkchess', { width: 390, height: 844 })
  await asked(page, 0)
  await press(page, '0,0')
  await page.getByRole('button', { name: 'Let chance decide' }).click()
  await asked(page, 2)
  await page.locator('#tab-info').click()
  await page.locator('#save-tree [name=format]').selectOption('board')
  await page.locator('#save-tree [name=here]').check()
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('#save-tree button').click()])
  const text = await textOf(file)
  assert.equal(text.split('\n').filter((l) => /^\*( [a-zA-Z-]){4}\r?$/.test(l)).length, 8, text)
  assert.doesNotMatch(text, /\* 1\./)
  await page.context().close()
})

test('positions of every game are set up', async () => {
  const page = await openAt(venue, '/analysis')
  const pieces = () => page.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')!.state!.view!.pieces)
  const lines = () => page.evaluate(() => document.querySelector<KibitzBoard>('kibitz-board')!.state!.view!.lines?.length ?? 0)
  const act = (name: string) => page.locator('#setup-panel').getByRole('button', { name, exact: true }).click()
  /** Waits for the hall's answer: a position, or why there is none. */
  const answer = async () => {
    await page.locator('#setup-panel a[href]:visible, #setup-panel .fault-line:not(:empty)').first().waitFor()
    return { fault: await page.locator('#setup-panel > .fault-line').textContent(), doubt: await page.locator('#setup-panel > [data-aloud=""]').textContent() }
  }
  for (const game of Object.keys(boards)) {
    await page.goto(`${venue.hall.url}/analysis?game=${game}`)
    await asked(page, 0)
    const first = await pieces()
    await page.locator('#tab-setup').click()
    assert.deepEqual(await answer(), { fault: '', doubt: '' }, game)
    await act('Empty')
    const refused = ['surakarta', 'breakthrough'].includes(game)
    const empty = await answer()
    assert.equal(empty.fault !== '', refused, `${game}: ${empty.fault}`)
    assert.equal(empty.doubt !== '', ['othello', 'amazons'].includes(game), `${game}: ${empty.doubt}`)

    // A stroke paints two points, a piece of the palette is dragged, and the eraser takes it away.
    const dots = game === 'dotsandboxes'
    const spots = dots ? ['0,0-', '1,0-', '0,1-'] : ['1,1', '2,1', '1,2']
    const [a, b, c] = await Promise.all(spots.map(async (s) => {
      const r = await boxOf(page.locator(`#board [data-spot="${s}"]`))
      return [r.x + r.width / 2, r.y + r.height / 2] as const
    }))
    await page.mouse.move(...a!)
    await page.mouse.down()
    await page.mouse.move(...b!)
    await page.mouse.up()
    const chosen = page.locator('#setup-panel [role=radio][aria-checked=true]')
    const letter = await chosen.getAttribute('data-piece')
    const count = async () => (dots ? lines() : (await pieces()).split(letter!).length - 1)
    assert.equal(await count(), 2, game)
    const from = await boxOf(chosen)
    await page.mouse.move(from.x + 5, from.y + 5)
    await page.mouse.down()
    await page.mouse.move(...c!, { steps: 2 })
    await page.mouse.up()
    assert.equal(await count(), 3, game)
    const before = await pieces()
    await act('Mirror')
    if (!dots) assert.notEqual(await pieces(), before, game)
    await act('Mirror')
    assert.equal(await pieces(), before, game)
    for (let k = 0; k < 4; k++) await act('Turn')
    assert.equal(await pieces(), before, game)
    await page.getByRole('radio', { name: 'Eraser' }).click()
    await page.mouse.click(...a!)
    assert.equal(await count(), 2, game)
    await act('Start')
    assert.deepEqual(await answer(), { fault: '', doubt: '' }, game)
    assert.equal(await pieces(), first, game)
  }

  // Dark chess: the sum of what lies face down.
  await page.goto(`${venue.hall.url}/analysis?game=darkchess`)
  await asked(page, 0)
  await page.locator('#tab-setup').click()
  await answer()
  await page.getByRole('radio', { name: 'Eraser' }).click()
  await press(page, '1,1')
  assert.match((await answer()).fault ?? '', /31 squares are face down, but 32 pieces less 0 face up and 0 taken leave 32/)
  await page.getByText('Face down: 31. Left for it: 32 − 0 face up − 0 taken = 32.').waitFor()
  await act('Mark as taken')
  await page.locator('#setup-panel [data-piece=p]').click()
  assert.equal((await answer()).fault, '')
  assert.deepEqual(await obstacles(page), [])

  // Whether a position is a puzzle is asked, and there is a picture of it.
  const puzzle = async (fen: string, said: string) => {
    await page.goto(`${venue.hall.url}/analysis?game=breakthrough&position=${encodeURIComponent(fen)}`)
    await asked(page, 0)
    await page.locator('#tab-setup').click()
    await answer()
    await act('Puzzle?')
    await page.locator('#setup-panel > [data-aloud=""]').getByText(said).waitFor()
  }
  await puzzle('p7/P7/8/8/8/8/7p/8 w', 'A puzzle: white wins, and only by a7-b8.')
  await puzzle('8/PP6/8/8/8/8/7p/8 w', 'No puzzle: white wins by best play, and more than one move does it.')
  await puzzle('8/8/P7/8/8/8/6pp/8 w', 'No puzzle: black wins, whatever is played.')
  const picture = await page.request.get(new URL((await page.getByRole('link', { name: 'Picture' }).getAttribute('href'))!, venue.hall.url).href)
  assert.equal(picture.headers()['content-type'], 'image/png')

  // A position that no game leads to is marked, and played on from.
  await page.goto(`${venue.hall.url}/analysis?game=gomoku`)
  await asked(page, 0)
  await page.locator('#tab-setup').click()
  await answer() // what is pressed before paints nothing, it is a move
  await press(page, '7,7')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByText('No game leads here: there are 2 pieces more than turns.').waitFor()
  await page.locator('#setup-panel select').first().selectOption('white')
  await page.getByText('No game leads here: there are 1 pieces more than turns.').waitFor()
  await page.getByRole('button', { name: 'Play from here' }).click()
  await page.waitForURL(/\/rooms\//)
  await page.waitForFunction(() => (document.querySelector<KibitzBoard>('kibitz-board')?.state?.view?.pieces.match(/B/g) ?? []).length >= 2)
  await page.context().close()
})
