// When a stream that broke is asked for again.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfter } from '../src/stream.ts'

test('a stream is tried again after 0.5, 1, 2 and 4 seconds, then each 5 by a fifth more or less', () => {
  assert.deepEqual([0, 1, 2, 3].map((n) => retryAfter(n, 0.9)), [500, 1000, 2000, 4000])
  for (const n of [4, 5, 100]) assert.deepEqual([0, 0.5, 1].map((r) => retryAfter(n, r)), [4000, 5000, 6000])
})
