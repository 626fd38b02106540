// A server for tests: the gallery, under the policy of a hall.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a hall tells browsers to allow. */
export const policy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const page = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Boards</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/gallery.css"><script type="module" src="/gallery.mjs"></script><main></main></html>'

export interface Site {
  readonly url: string
  close(): void
}

/** Opens the gallery; what it is made of is built by `npm run browser`. */
export async function openGallery(): Promise<Site> {
  const boards = execFileSync('go', ['run', 'kibitz/internal/gallery'], { maxBuffer: 64 << 20 })
  const files: Readonly<Record<string, readonly [string, string | Buffer]>> = {
    '/': ['text/html; charset=utf-8', page],
    '/gallery.mjs': ['text/javascript', readFileSync('build/gallery.mjs')],
    '/gallery.css': ['text/css', readFileSync('build/gallery.css')],
    '/gallery.json': ['application/json', boards],
  }
  const server: Server = createServer((req, res) => {
    const f = files[new URL(req.url ?? '/', 'http://x').pathname]
    res.writeHead(f ? 200 : 404, { 'Content-Type': f?.[0] ?? 'text/plain', 'Content-Security-Policy': policy })
    res.end(f?.[1] ?? 'no such page')
  })
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
