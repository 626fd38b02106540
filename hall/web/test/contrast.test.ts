// What is written and drawn stands out from its ground as WCAG 2.2 counts it, light and
// dark, by the colours of the built style sheet.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const file = readdirSync('dist').find((f) => /^site-.*\.css$/.test(f))!
const sheet = readFileSync(`dist/${file}`, 'utf8')

/** A colour of the sheet, light and dark. */
function token(name: string): readonly [string, string] {
  const m = new RegExp(`--${name}:\\s*light-dark\\((#[0-9a-f]+),\\s*(#[0-9a-f]+)\\)`).exec(sheet)
  assert.ok(m?.[1] && m[2], `no colour ${name}`)
  return [m[1], m[2]]
}

function luminance(hex: string): number {
  const long = hex.length === 4 ? [...hex.slice(1)].map((c) => c + c).join('') : hex.slice(1)
  const [r, g, b] = [0, 2, 4].map((i) => {
    const v = parseInt(long.slice(i, i + 2), 16) / 255
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** Colour, ground, contrast light and dark, and the least that it may be. */
const table: readonly (readonly [string, string, number, number, number])[] = [
  ['ink', 'paper', 15.83, 13.12, 7], ['ink', 'sunk', 13.68, 11.9, 7], ['quiet', 'sunk', 5.56, 6.57, 4.5],
  ['accent', 'paper', 7.73, 8.65, 4.5], ['accent', 'accent-soft', 6.57, 6.51, 4.5], ['on-accent', 'accent', 7.8, 8.62, 4.5],
  ['edge', 'paper', 3.64, 4.32, 3], ['edge', 'ground', 3.46, 4.75, 3], ['warn', 'warn-soft', 6.45, 7.3, 4.5],
  ['good', 'good-soft', 5.54, 7.35, 4.5], ['gold', 'gold-soft', 6, 7.87, 4.5], ['mistake', 'paper', 5.95, 7.73, 4.5],
  ['best', 'paper', 5.75, 7.4, 4.5], ['seat-0', 'paper', 5.17, 7.39, 4.5], ['seat-1', 'paper', 5.72, 7.73, 4.5],
]

test('colours stand out from their grounds', () => {
  assert.equal(contrast('#000', '#ffffff'), 21)
  for (const [colour, ground, ...want] of table) {
    for (const [i, theme] of ['light', 'dark'].entries()) {
      const got = contrast(token(colour)[i]!, token(ground)[i]!)
      assert.ok(got >= want[2], `${colour} on ${ground}, ${theme}: ${got.toFixed(2)}`)
      assert.ok(Math.abs(got - want[i]!) < 0.02, `${colour} on ${ground}, ${theme}: ${got.toFixed(2)}, not ${want[i]}`)
    }
  }
})
