// A line to a hall that can be cut: what a browser offers for going offline leaves
// streams alone that are open.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Line {
  readonly url: string
  /** Ends all connections, and takes none until it is mended. */
  cut(): void
  mend(): void
  /** Lets nothing through any more, and tells nobody: as when a cable is out. */
  hush(): void
  close(): void
}

/** Opens a line to an address. A test that fails before it closes the line ends all the same. */
export async function openLine(to: string): Promise<Line> {
  const { hostname, port } = new URL(to)
  const open = new Set<Socket>()
  let whole = true
  let hushed = false
  const server = createServer((from) => {
    if (!whole) {
      from.destroy()
      return
    }
    const on = connect(Number(port), hostname)
    for (const [x, y] of [[from, on], [on, from]] as const) {
      open.add(x)
      x.unref()
      x.on('error', () => x.destroy())
      x.on('close', () => {
        open.delete(x)
        y.destroy()
      })
      x.pipe(y)
    }
    if (hushed) for (const x of [from, on]) x.pause()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  server.unref()
  const end = () => open.forEach((x) => x.destroy())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      whole = false
      end()
    },
    mend() {
      whole = true
      hushed = false
      open.forEach((x) => x.resume())
    },
    hush() {
      hushed = true
      open.forEach((x) => x.pause())
    },
    close() {
      server.close()
      end()
    },
  }
}
