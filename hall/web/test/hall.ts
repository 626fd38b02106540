// A hall of its own for browser tests: the program itself, on a free port and an empty
// folder.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Hall {
  readonly url: string
  /** The password of the account admin. */
  readonly password: string
  /** Ends the program, which may have no time for a word, and starts it again after something
   * else, with the same folder and address. */
  restart(how: 'SIGTERM' | 'SIGKILL', after: Promise<unknown>): Promise<void>
  close(): Promise<void>
}

/** What a hall is opened with: how many engines think at a time, and those of its file. */
export interface HallOptions {
  readonly slots?: number
  readonly engines?: string
}

// All people of a test have one address: its limits are not what is looked at here.

/** Builds the program, or takes the one that KIBITZ names, and opens a hall. */
export async function openHall({ slots = 4, engines }: HallOptions = {}): Promise<Hall> {
  const folder = mkdtempSync(join(tmpdir(), 'kibitz-hall-'))
  let program = process.env['KIBITZ'] ?? ''
  if (program === '') {
    program = join(folder, 'kibitz')
    execFileSync('go', ['build', '-tags=full', '-o', program, 'kibitz/cmd/kibitz'])
  }
  const file = join(folder, 'engines.toml')
  if (engines !== undefined) writeFileSync(file, engines)
  let child: ChildProcess
  let ended: Promise<void>
  let text = ''
  const start = (address: string) => {
    child = spawn(program, ['serve', '--addr', address, '--data', join(folder, 'hall'), '--slots', String(slots), '--address-rate=-1', '--enter-rate=-1', ...(engines === undefined ? [] : ['--engines', file])])
    ended = new Promise<void>((end) => child.once('exit', () => end()))
    text = ''
  }
  const said = (want: RegExp) => new Promise<string>((found, missing) => {
    const look = () => {
      const m = want.exec(text)
      if (m?.[1]) found(m[1])
    }
    const hear = (data: Buffer) => {
      text += data.toString()
      look()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', () => missing(new Error(`the hall has ended: ${text}`)))
    look()
  })
  start('127.0.0.1:0')
  const [url, password] = await Promise.all([said(/listening on (\S+)/), said(/has the password ([^;\s]+)/)])
  return {
    url,
    password,
    async restart(how, after) {
      child.kill(how)
      await ended
      await after
      start(new URL(url).host)
      await said(/listening on (\S+)/)
    },
    async close() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
