// A hall of its own for browser tests: the program itself, on a free port and an empty
// folder.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Hall {
  readonly url: string
  /** The password of the account admin. */
  readonly password: string
  close(): Promise<void>
}

// All people of a test have one address: its limits are not what is looked at here.

/** Builds the program, or takes the one that KIBITZ names, and opens a hall. */
export async function openHall(): Promise<Hall> {
  const folder = mkdtempSync(join(tmpdir(), 'kibitz-hall-'))
  let program = process.env['KIBITZ'] ?? ''
  if (program === '') {
    program = join(folder, 'kibitz')
    execFileSync('go', ['build', '-tags=full', '-o', program, 'kibitz/cmd/kibitz'])
  }
  const child: ChildProcess = spawn(program, ['serve', '--addr', '127.0.0.1:0', '--data', join(folder, 'hall'), '--slots', '4', '--address-rate=-1', '--enter-rate=-1'])
  const ended = new Promise<void>((end) => child.once('exit', () => end()))
  let text = ''
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
  const [url, password] = await Promise.all([said(/listening on (\S+)/), said(/has the password ([^;\s]+)/)])
  return {
    url,
    password,
    async close() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
