// Pictures as bytes: PNG is read as browsers write it, and written with a palette, which
// is small.

import { deflateSync, inflateSync } from 'node:zlib'

/** A picture: three bytes for a pixel, row by row. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Reads a PNG of eight bits without interlacing: colours, colours with transparency, or
 * a palette. */
export function decode(file: Buffer): Picture {
  const parts: Buffer[] = []
  let [width, height, kind] = [0, 0, 0]
  let palette = Buffer.alloc(0)
  for (let at = signature.length; at < file.length;) {
    const size = file.readUInt32BE(at)
    const name = file.toString('latin1', at + 4, at + 8)
    const body = file.subarray(at + 8, at + 8 + size)
    if (name === 'IHDR') {
      ;[width, height, kind] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9]!]
      if (body[8] !== 8 || body[12] !== 0) throw new Error('a PNG of another depth')
    } else if (name === 'PLTE') palette = Buffer.from(body)
    else if (name === 'IDAT') parts.push(body)
    at += size + 12
  }
  const step = kind === 2 ? 3 : kind === 6 ? 4 : kind === 3 ? 1 : 0
  if (step === 0) throw new Error(`a PNG of colour type ${kind}`)
  const raw = unfilter(inflateSync(Buffer.concat(parts)), width * step, height, step)
  const data = new Uint8Array(width * height * 3)
  for (let i = 0; i < width * height; i++) {
    const from = kind === 3 ? raw[i]! * 3 : i * step
    const source = kind === 3 ? palette : raw
    for (let c = 0; c < 3; c++) data[i * 3 + c] = source[from + c]!
  }
  return { width, height, data }
}

/** Undoes what the rows of a PNG are made smaller by. */
function unfilter(raw: Buffer, wide: number, height: number, step: number): Uint8Array {
  const out = new Uint8Array(wide * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (wide + 1)]!
    for (let x = 0; x < wide; x++) {
      const i = y * wide + x
      const a = x >= step ? out[i - step]! : 0
      const b = y > 0 ? out[i - wide]! : 0
      const c = x >= step && y > 0 ? out[i - wide - step]! : 0
      const add = filter === 0 ? 0 : filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : paeth(a, b, c)
      out[i] = raw[y * (wide + 1) + 1 + x]! + add
    }
  }
  return out
}

function paeth(a: number, b: number, c: number): number {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

/** Cuts a part out of a picture. */
export function crop(p: Picture, x: number, y: number, width: number, height: number): Picture {
  const [w, h] = [Math.min(width, p.width - x), Math.min(height, p.height - y)]
  const data = new Uint8Array(w * h * 3)
  for (let r = 0; r < h; r++) data.set(p.data.subarray(((y + r) * p.width + x) * 3, ((y + r) * p.width + x + w) * 3), r * w * 3)
  return { width: w, height: h, data }
}

/** Writes a picture as a PNG with so many colours at most, those that are most used. */
export function encode(p: Picture, most = 96): Buffer {
  const { palette, index } = reduce(p, most)
  const rows = Buffer.alloc((p.width + 1) * p.height)
  for (let y = 0; y < p.height; y++) rows.set(index.subarray(y * p.width, (y + 1) * p.width), y * (p.width + 1) + 1)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(p.width, 0)
  head.writeUInt32BE(p.height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([signature, chunk('IHDR', head), chunk('PLTE', palette), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))])
}

/** The colours that are most used, and for each pixel the nearest of them. */
function reduce(p: Picture, most: number): { palette: Buffer; index: Uint8Array } {
  const key = (i: number) => ((p.data[i]! >> 3) << 10) | ((p.data[i + 1]! >> 3) << 5) | (p.data[i + 2]! >> 3)
  const sums = new Map<number, [number, number, number, number]>()
  for (let i = 0; i < p.data.length; i += 3) {
    const k = key(i)
    const s = sums.get(k) ?? [0, 0, 0, 0]
    sums.set(k, [s[0] + p.data[i]!, s[1] + p.data[i + 1]!, s[2] + p.data[i + 2]!, s[3] + 1])
  }
  const mean = (s: readonly number[]) => [0, 1, 2].map((c) => Math.round(s[c]! / s[3]!))
  const colours = [...sums].sort((a, b) => b[1][3] - a[1][3] || a[0] - b[0]).slice(0, most).map(([, s]) => mean(s))
  const near = new Map([...sums].map(([k, s]) => {
    const m = mean(s)
    const far = colours.map((c) => c.reduce((d, v, i) => d + (v - m[i]!) ** 2, 0))
    return [k, far.indexOf(Math.min(...far))]
  }))
  const index = new Uint8Array(p.width * p.height)
  for (let i = 0; i < index.length; i++) index[i] = near.get(key(i * 3))!
  return { palette: Buffer.from(colours.flat()), index }
}

function chunk(name: string, body: Buffer): Buffer {
  const out = Buffer.alloc(body.length + 12)
  out.writeUInt32BE(body.length, 0)
  out.write(name, 4, 'latin1')
  out.set(body, 8)
  out.writeUInt32BE(crc(out.subarray(4, body.length + 8)), body.length + 8)
  return out
}

const table = Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c >>> 0
})

const crc = (data: Buffer) => (data.reduce((c, b) => table[(c ^ b) & 255]! ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0
