// Spaces, radii and the one shadow of all pages: what stands beside each other is apart by one of a few steps.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** The page of a report is a document of its own, which is read without a hall. */
const sheets = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.css') && !f.startsWith('report/'))
  .map((f) => [f.replace(/.*\//, ''), readFileSync(`src/${f}`, 'utf8').replace(/\/\*[^]*?\*\//g, '')] as const)

/** The declarations of properties, each as what it is, where, and its value. */
const declared = (property: RegExp): (readonly [string, string, string])[] => sheets.flatMap(([file, text]) =>
  [...text.matchAll(/(?<![\w-])([a-z-]+|--gap)\s*:\s*([^;{}]+)(?=[;}])/g)].flatMap((m) => (property.test(m[1]!) ? [[file, m[1]!, m[2]!.trim()] as const] : [])))

/** Lengths in a value, in pixels; those of variables are declared elsewhere. */
const lengths = (value: string): number[] => [...value.replace(/(var|env)\([^)]*\)/g, '').matchAll(/(-?\d*\.?\d+)(px|r?em)/g)].map((m) => Number(m[1]) * (m[2] === 'px' ? 1 : 16))

const steps = [0, 4, 8, 12, 16, 24, 32, 48]

/** What is no step, and why. */
const apart: readonly (readonly [file: string, value: number, why: string])[] = [
  ['*', 2, 'half a step: within a control, between the lines of one thing'],
  ['*', -2, 'what half a step adds is taken back'],
  ['*', -1, 'an edge lies on the edge beside it'],
  ['room.css', 1, 'the words of five acts stand beside each other at 320 px'],
  ['room.css', 36, 'the button in the corner of a card that is low'],
  ['room.css', 40, 'the button in the corner of a card'],
  ['stage.css', 6, 'the gauge below the board, which is as high'],
]

test('what is apart is apart by a step', () => {
  const used = new Set<unknown>()
  const wrong = declared(/^(padding|margin|gap|row-gap|column-gap|--gap)(-(top|right|bottom|left|block|inline)(-(start|end))?)?$/).filter(([file, , value]) => lengths(value).some((x) => {
    const no = apart.find(([f, n]) => (f === '*' || f === file) && n === x)
    used.add(no)
    return !no && !steps.includes(Math.abs(x))
  }))
  assert.deepEqual(wrong, [])
  assert.deepEqual(apart.filter((x) => !used.has(x)), [], 'an exception of nothing')
})

test('corners are round by 10 px, those of controls by 8, of marks by 4; some are round altogether', () => {
  const list = declared(/^border-([a-z-]+-)?radius$/)
  assert.ok(list.length > 20)
  assert.deepEqual(list.filter(([, , value]) => value !== '50%' && value !== '99px' && !/^((var\(--radius\)|[48]px|0)( |$))+$/.test(value)), [])
  assert.deepEqual(declared(/^--radius$/).map((x) => x[2]), ['10px'])
})

test('there is one shadow, which an edge takes the place of in the dark', () => {
  assert.deepEqual(declared(/^(box-shadow|filter|text-shadow)$/).filter(([, , value]) => !/^(var\(--shadow\)|none|brightness\([\d.]+\))$/.test(value)), [])
  assert.deepEqual(declared(/^--shadow$/).map((x) => x[2]), ['0 6px 24px light-dark(rgb(0 0 0 / .18), transparent)'])
})

test('controls are 44 high where any pointer is coarse, 40 otherwise', () => {
  const [, tokens] = sheets.find(([f]) => f === 'tokens.css')!
  assert.match(tokens, /--control: 40px;/)
  assert.match(tokens, /@media \(any-pointer: coarse\) \{\s*:root \{ --control: 44px;/)
  const [, site] = sheets.find(([f]) => f === 'site.css')!
  for (const control of ['button, .button', 'input, select, textarea']) assert.match(site, new RegExp(`\\n${control} \\{[^}]* min-height: var\\(--control\\);`), control)
})
