import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from './compare.ts'
import { crop, decode, encode, type Picture } from './png.ts'

/** A white picture with rectangles: left, top, width, height, shade. */
function drawing(width: number, height: number, ...list: readonly (readonly [number, number, number, number, number])[]): Picture {
  const data = new Uint8Array(width * height * 3).fill(255)
  for (const [x, y, w, h, shade] of list) {
    for (let r = y; r < y + h; r++) data.fill(shade, (r * width + x) * 3, (r * width + x + w) * 3)
  }
  return { width, height, data }
}

test('a picture is written and read', () => {
  const p = drawing(60, 40, [10, 10, 20, 5, 0], [5, 30, 50, 4, 128])
  assert.deepEqual(decode(encode(p)), p)
  assert.deepEqual(crop(p, 10, 10, 20, 5), drawing(20, 5, [0, 0, 20, 5, 0]))
  const two = decode(encode(p, 2)) // the grey rectangle is larger than the black one
  assert.deepEqual(new Set(two.data), new Set([255, 128]))
})

test('what is a pixel off or a shade lighter is the same', () => {
  const p = drawing(100, 100, [10, 10, 30, 30, 50])
  assert.equal(compare(p, p).share, 0)
  assert.equal(compare(drawing(100, 100, [11, 9, 30, 30, 80]), p).share, 0)
})

test('what is missing, added or of another colour is seen', () => {
  const p = drawing(200, 200, [10, 10, 100, 100, 50], [150, 20, 30, 30, 0])
  assert.ok(compare(drawing(200, 200, [10, 10, 100, 100, 50]), p).share > 0.05)
  assert.ok(compare(p, drawing(200, 200, [10, 10, 100, 100, 50])).share > 0.05)
  assert.ok(compare(drawing(200, 200, [10, 10, 100, 100, 120], [150, 20, 30, 30, 0]), p).share > 0.5)
  assert.equal(compare(drawing(200, 210), drawing(200, 200)).taller, 0.05)
})
