// Results that are kept, as the go command keeps those of its tests: a file of tests that has passed is not
// run again while nothing has changed of what it sees. FRESH=1 runs all.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lean } from './browser.ts'

/** What tests see beside their own text: the program, the gallery, data, and texts that are compared with pages. */
const seen = [process.env['KIBITZ'] ?? 'build/kibitz', 'build/gallery.mjs', 'build/gallery.css', '../../docs/browser.md', 'package-lock.json', ...within('pages/html'), ...within('test')]

/** What tells a run how to be. */
const switches = ['EVERY', 'ORDERS', 'SLOW', 'LANG', 'TZ']

/** How long a result is kept that nobody asks for. */
const month = 30 * 24 * 3600_000

/** The files of a folder; those of tests are bundled, and known by that, and pictures are seen by whoever names some. */
function within(folder: string, which = (name: string) => !/\.(ts|png)$/.test(name)): string[] {
  const list = readdirSync(folder, { recursive: true, withFileTypes: true })
  return list.filter((f) => f.isFile() && which(f.name)).map((f) => join(f.parentPath, f.name)).toSorted()
}

const hash = (file: string): Buffer => createHash('sha256').update(readFileSync(file)).digest()

/** A folder of what files of tests said when they passed. */
export class Kept {
  private readonly folder = join(execFileSync('go', ['env', 'GOCACHE'], { encoding: 'utf8' }).trim(), 'browser')
  private readonly common = createHash('sha256')

  constructor() {
    mkdirSync(this.folder, { recursive: true })
    for (const f of within(this.folder)) if (Date.now() - statSync(f).mtimeMs > month) rmSync(f)
    for (const f of seen) this.common.update(`${f}\n`).update(hash(f))
    this.common.update(JSON.stringify([process.version, execFileSync(lean, ['--version'], { encoding: 'utf8' }), switches.map((name) => process.env[name])]))
  }

  /** Where the result of a file of tests is kept, as it and what it sees are now. */
  place(file: string): string {
    const text = readFileSync(file, 'utf8')
    const key = this.common.copy().update(text)
    if (text.includes('.png')) for (const f of within('test', (name) => name.endsWith('.png'))) key.update(`${f}\n`).update(hash(f))
    return join(this.folder, key.digest('hex'))
  }

  /** What a file of tests said when it passed, by its place, and nothing if that is not known. */
  at(place: string): string | undefined {
    return process.env['FRESH'] !== '1' && existsSync(place) ? readFileSync(place, 'utf8') : undefined
  }

  /** Keeps what a file of tests said that has passed. Its place is that from before it ran: something may have
   * been changed since. */
  keep(place: string, said: string): void {
    writeFileSync(place, said)
  }
}
