import assert from 'node:assert/strict'
import { test } from 'node:test'
import { get, oneAtATime } from '../src/net.ts'

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
    assert.equal(await (await get('/part', {}, 10)).text(), 'here')
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
