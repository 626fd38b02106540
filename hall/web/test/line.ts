// A line to a hall that can be cut: what a browser offers for going offline leaves
// streams alone that are open.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** How long the hall waits for an acknowledgement, in milliseconds. */
const silence = 12_000

export interface Line {
  readonly url: string
  /** Ends all connections, and takes none until it is mended. */
  cut(): void
  mend(): void
  /** Lets nothing through any more, and tells nobody: as when a cable is out. The hall gives up what it sends
   * after a while, as its kernel does with what nobody acknowledges (hall/service: silence). */
  hush(): void
  close(): void
}

/** Opens a line to an address. A test that fails before it closes the line ends all the same. */
export async function openLine(to: string): Promise<Line> {
  const { hostname, port } = new URL(to)
  const open = new Set<Socket>()
  const halls = new Map<Socket, Socket>() // the sockets to the hall, with those of the browser
  const lost = new Set<Socket>() // of the browser, whose other end the hall has given up
  let whole = true
  let hushed = false
  let timer: NodeJS.Timeout | undefined
  const quiet = () => {
    open.forEach((x) => x.pause())
    timer ??= setTimeout(() => {
      timer = undefined
      for (const [on, from] of halls) {
        lost.add(from)
        on.destroy()
      }
    }, silence).unref()
  }
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
        halls.delete(x)
        if (!lost.has(y)) y.destroy()
      })
      x.pipe(y)
    }
    halls.set(on, from)
    if (hushed) quiet()
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
      clearTimeout(timer)
      timer = undefined
      lost.forEach((x) => x.destroy())
      lost.clear()
      open.forEach((x) => x.resume())
    },
    hush() {
      hushed = true
      quiet()
    },
    close() {
      server.close()
      end()
    },
  }
}
