// Compares two pictures as an eye would: what is a pixel off, or a shade lighter, is the
// same.

import type { Picture } from './png.ts'

/** How much a colour must differ, of 255, to be clearly another one. */
const clearly = 40

/** What differs between a picture and what was expected. */
export interface Difference {
  /** The share of what stands on the ground that is clearly another: 0 to 1. */
  readonly share: number
  /** By how much the height is another: 0 to 1. */
  readonly taller: number
  /** The expected picture, pale, with what differs in red. */
  readonly picture: Picture
}

/** Compares a picture with the expected one. The share is that of all pixels that are not
 * of the ground's colour in one of the two, so that a part that is missing on a wide empty
 * page counts. */
export function compare(got: Picture, want: Picture): Difference {
  const width = Math.min(got.width, want.width)
  const height = Math.min(got.height, want.height)
  const ground = groundOf(want)
  const data = new Uint8Array(width * height * 3)
  let [ink, other] = [0, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!like(got, x, y, ground, 0) || !like(want, x, y, ground, 0)) ink++
      const differs = !near(got, x, y, want, width, height) || !near(want, x, y, got, width, height)
      if (differs) other++
      const [i, k] = [(y * width + x) * 3, (y * want.width + x) * 3]
      for (let c = 0; c < 3; c++) data[i + c] = differs ? (c === 0 ? 230 : 0) : 192 + (want.data[k + c]! >> 2)
    }
  }
  return {
    share: other / Math.max(ink, width * height / 50),
    taller: Math.max(Math.abs(got.height - want.height) / want.height, Math.abs(got.width - want.width) / want.width),
    picture: { width, height, data },
  }
}

/** Whether a pixel of one picture is like the same, or one beside it, of the other. */
function near(p: Picture, x: number, y: number, other: Picture, width: number, height: number): boolean {
  const i = (y * p.width + x) * 3
  if (like(other, x, y, p.data, i)) return true
  for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
    for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) if (like(other, u, v, p.data, i)) return true
  }
  return false
}

function like(p: Picture, x: number, y: number, colour: ArrayLike<number>, at: number): boolean {
  const i = (y * p.width + x) * 3
  return Math.abs(p.data[i]! - colour[at]!) <= clearly && Math.abs(p.data[i + 1]! - colour[at + 1]!) <= clearly && Math.abs(p.data[i + 2]! - colour[at + 2]!) <= clearly
}

/** The colour that is most used. */
function groundOf(p: Picture): readonly number[] {
  const count = new Map<number, number>()
  for (let i = 0; i < p.data.length; i += 3) {
    const k = (p.data[i]! << 16) | (p.data[i + 1]! << 8) | p.data[i + 2]!
    count.set(k, (count.get(k) ?? 0) + 1)
  }
  const k = [...count].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
  return [k >> 16, (k >> 8) & 255, k & 255]
}
