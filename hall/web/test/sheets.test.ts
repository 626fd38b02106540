// Style sheets hold no rule for what no page can have: each class and identifier of a
// selector stands in a template or in a script, or begins as one that is put together there.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (folder: string, end: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith(end)).map((f) => readFileSync(`${folder}/${f}`, 'utf8'))

/** Where the page of a match's report is made, whose style and script are made here. */
const report = '../../report'

/** Words of class and id attributes, and of the strings of scripts and of Go; a word before a value that is filled in ends with a hyphen. */
const texts = [
  ...[...read('pages/html', '.html'), ...read(report, '.html')].flatMap((t) => [...t.matchAll(/(?:class|id)="((?:\{\{(?:"[^"]*"|[^"}])*\}\}|[^"])*)"/g)].map((m) => m[1]!)),
  ...read('src', '.ts').flatMap((t) => [...t.matchAll(/'[^'\n]*'|`[^`]*`/g)].map((m) => m[0])),
  ...[...read('pages', '.go'), ...read('../site', '.go'), ...read(report, '.go')].flatMap((t) => [...t.matchAll(/"[^"\n]*"|`[^`]*`/g)].map((m) => m[0])),
]
const words = new Set(texts.flatMap((t) => t.match(/[A-Za-z_][\w-]*/g) ?? []))
/** What stands before a number that is filled in. */
const numbered = new Set(texts.flatMap((t) => [...t.matchAll(/([A-Za-z]+)(?:%d|\$\{|"$)/g)].map((m) => m[1]!)))

const known = (name: string): boolean => words.has(name) || /\d$/.test(name) && numbered.has(name.replace(/\d+$/, '')) || [...words].some((w) => w.endsWith('-') && w.length > 2 && name.startsWith(w))

test('no rule of a style sheet is for nothing', () => {
  const names = read('src', '.css').flatMap((t) => {
    const selectors = t.replace(/\/\*[^]*?\*\/|@import[^;]*;/g, '').replace(/:[^{};]*;/g, ';') // what is left of a declaration is its name
    return [...selectors.matchAll(/[.#]([A-Za-z_][\w-]*)/g)].map((m) => m[1]!)
  })
  assert.ok(names.length > 500, `${names.length} names`)
  assert.deepEqual([...new Set(names)].filter((n) => !known(n)), [])
})
