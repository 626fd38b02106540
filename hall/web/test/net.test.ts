import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '../src/live.ts'
import { get, oneAtATime, soon } from '../src/net.ts'
import { fetchPart } from '../src/pages/dom.ts'

test('what is read is asked for again until the network and the hall are back', async () => {
  const real = { fetch: globalThis.fetch, window: globalThis.window }
  const answers: ((init?: RequestInit) => Promise<Response>)[] = [
    (init) => new Promise((_, fail) => { init!.signal!.onabort = () => fail(init!.signal!.reason as Error) }), // the cable is out
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => Promise.resolve(new Response('', { status: 503 })),
    () => Promise.resolve(new Response('here')),
  ]
  globalThis.fetch = (_, init) => answers.shift()!(init)
  // The network comes back whenever somebody waits for it.
  globalThis.window = {
    setTimeout, removeEventListener: () => {}, addEventListener: (_: string, wake: () => void) => { setImmediate(wake) },
  } as unknown as typeof window
  try {
    const awake = setInterval(() => undefined, 1000) // the time of a try keeps no program running
    assert.equal(await (await get('/part', {}, 10)).text(), 'here')
    clearInterval(awake)
    assert.equal(answers.length, 0)
  } finally {
    Object.assign(globalThis, real)
  }
})

test('work that is asked for while it is done is done once more', async () => {
  const gates: (() => void)[] = []
  let began = 0
  const run = oneAtATime(() => {
    began++
    return new Promise((done) => gates.push(done))
  })
  void run()
  void run()
  void run()
  assert.equal(began, 1)
  gates.shift()!()
  await new Promise(setImmediate)
  assert.equal(began, 2)
  gates.shift()!()
  await new Promise(setImmediate)
  assert.equal(began, 2)
})

test('what is asked for again and again is done all the same', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let done = 0
  const ask = soon(() => { done++ }, 500)
  for (let n = 0; n < 50; n++) {
    ask()
    t.mock.timers.tick(100)
  }
  assert.equal(done, 10)
})

test('a part of a page comes when nothing is pressed any more', async () => {
  const wake: (() => void)[] = []
  let pressed = true
  const fakes = {
    fetch: () => Promise.resolve(new Response('<p>news</p>')),
    document: { createElement: () => ({}), querySelector: () => (pressed ? {} : null) },
    window: { setTimeout: (fn: () => void) => { wake.push(fn) }, addEventListener: () => {}, removeEventListener: () => {} },
  }
  const real = Object.keys(fakes).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const [name, value] of Object.entries(fakes)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  try {
    let come: HTMLElement | undefined
    const part = fetchPart('/live').then((x) => { come = x })
    for (let n = 0; n < 100; n++) { // a press of five seconds
      while (wake.length === 0) await new Promise(setImmediate)
      assert.equal(come, undefined)
      if (n === 99) pressed = false
      wake.shift()!()
    }
    await part
    assert.equal(come?.innerHTML, '<p>news</p>')
  } finally {
    for (const [name, was] of real) if (was) Object.defineProperty(globalThis, name, was)
  }
})

test('a move is sent with the position that it is for until it arrives, the same each time; a refusal is said as the hall says it', async () => {
  const real = { fetch: globalThis.fetch, window: globalThis.window }
  const sent: string[] = []
  const overtaken = { type: 'urn:kibitz:problem:seat-overtaken', detail: 'the game has gone on', said: 'The game went on; your move was not played.' }
  const cut = () => Promise.reject(new TypeError('Failed to fetch'))
  const busy = () => Promise.resolve(new Response('{"detail":"busy","said":"The hall is busy."}', { status: 503 }))
  // A hall that is back after a long while may be busy at first.
  const answers: (() => Promise<Response>)[] = [
    cut, cut, cut, cut, cut, cut, ...Array.from({ length: 29 }, () => busy),
    () => Promise.resolve(new Response(JSON.stringify(overtaken), { status: 409 })),
    busy, busy, busy, busy, busy,
  ]
  globalThis.fetch = (_: unknown, init?: RequestInit) => {
    sent.push(init!.body as string)
    return answers.shift()!()
  }
  globalThis.window = {
    setTimeout, removeEventListener: () => {}, addEventListener: (_: string, wake: () => void) => { setImmediate(wake) },
  } as unknown as typeof window
  try {
    let late = 0
    const move = { prompt: 3, steps: ['p1,1'], for: { attempt: 2, ply: 7 } }
    assert.deepEqual(await send('g', 'moves', move, () => late++), overtaken.said)
    assert.equal(late, 35)
    assert.deepEqual(sent.map((x) => JSON.parse(x) as unknown), Array.from({ length: 36 }, () => move))
    assert.deepEqual(await send('g', 'moves', move), 'The hall is busy.')
    assert.equal(answers.length, 0)
  } finally {
    Object.assign(globalThis, real)
  }
})

test('what is decided in a game comes to the hall in its order, whatever the connection does; another game does not wait', async () => {
  const real = { fetch: globalThis.fetch, window: globalThis.window }
  const came: string[] = []
  let open = false
  const wake: (() => void)[] = []
  globalThis.fetch = (address: unknown, init?: RequestInit) => {
    const { act, prompt } = JSON.parse(init!.body as string) as { act?: string; prompt?: number }
    if (!open && String(address).includes('/g/')) return Promise.reject(new TypeError('Failed to fetch'))
    came.push(act ?? `move ${prompt}`)
    return Promise.resolve(act === 'accept' ? new Response('{"said":"That is not asked any more."}', { status: 409 }) : new Response())
  }
  // The network comes back for those first who began to wait last.
  globalThis.window = {
    setTimeout, removeEventListener: () => {}, addEventListener: (_: string, fn: () => void) => { wake.unshift(fn) },
  } as unknown as typeof window
  try {
    const sent = [send('g', 'moves', { prompt: 3 }), ...['undo', 'accept', 'draw'].map((act) => send('g', 'acts', { act }))]
    assert.equal(await send('h', 'acts', { act: 'resign' }), undefined)
    while (wake.length === 0) await new Promise(setImmediate)
    for (let n = 0; n < 5; n++) await new Promise(setImmediate)
    open = true
    for (const fn of wake.splice(0)) fn()
    assert.deepEqual(await Promise.all(sent), [undefined, undefined, 'That is not asked any more.', undefined])
    assert.deepEqual(came, ['resign', 'move 3', 'undo', 'accept', 'draw'])
  } finally {
    Object.assign(globalThis, real)
  }
})
