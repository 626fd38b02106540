// Names of points and steps, made of the labels that the hall sent: what is typed, what
// stands in lists, what is read aloud.

import { parseStep, type Spot, type Step } from './step.ts'
import type { Point, View } from './wire.ts'

const choices = ['stay', 'swap', 'two']

/** What chance can turn over, by number. */
const dealt = 'KGMRNCPkgmrncp'

/** The name of a point, such as "e4". */
export function pointName(view: View, [x, y]: Point): string {
  return (view.columns?.[x] ?? String(x + 1)) + (view.rows?.[y] ?? String(y + 1))
}

/** The spot that is called so. */
export function spotNamed(view: View, name: string): Spot | undefined {
  const i = [...view.pieces].findIndex((_, k) => pointName(view, [k % view.width, Math.floor(k / view.width)]).toLowerCase() === name)
  return i < 0 ? undefined : `${i % view.width},${Math.floor(i / view.width)}`
}

/** The names that a step can be typed by, the usual one first. */
export function stepNames(view: View, s: Step): string[] {
  const name = (p: Point | undefined) => (p ? pointName(view, p) : '')
  switch (s.op) {
    case 'pass':
    case 'resign':
      return [s.op]
    case 'choose':
      return [choices[s.arg] ?? String(s.arg), String(s.arg)]
    case 'shift':
      return [`${name(s.from)}-${name(s.to)}`, name(s.from) + name(s.to), `${name(s.from)}x${name(s.to)}`]
    case 'shoot':
      return [`/${name(s.to)}`, name(s.to)]
    case 'flip':
      return [`${name(s.to)}-${name(s.to)}`, name(s.to)]
    case 'deal':
      return [`${name(s.to)}(${dealt[s.arg] ?? s.arg})`]
    case 'edge':
      return edgeNames(view, s)
    default:
      return [name(s.to)]
  }
}

/** A line is named by its left dot and h, or by its lower dot and v. */
function edgeNames(view: View, s: Step): string[] {
  const [x, y] = s.to ?? [0, 0]
  const start = pointName(view, [x, y])
  if (s.arg === 1) {
    const end = pointName(view, [x, y + 1])
    return [`${end}v`, `${start}-${end}`, `${end}-${start}`]
  }
  const end = pointName(view, [x + 1, y])
  return [`${start}h`, `${start}-${end}`, `${end}-${start}`]
}

/** The usual name of a step. */
export const stepName = (view: View, s: Step): string => stepNames(view, s)[0] ?? s.text

/** The usual name of a step as it came. */
export function textName(view: View, text: string): string {
  const s = parseStep(text)
  return s ? stepName(view, s) : text
}

/** Splits what was typed into words, one for each step. */
export function typedWords(text: string): string[] {
  return text.trim().toLowerCase().replace(/\s*-\s*/g, '-').replace(/\//g, ' /').split(/[\s,;]+/).filter((w) => w !== '' && w !== '/')
}

/** The legal step that a typed word means, or that a step is equal to. */
export function meant(view: View, legal: readonly Step[], word: string): Step | undefined {
  return legal.find((s) => s.text === word) ?? legal.find((s) => stepNames(view, s).some((n) => n.toLowerCase() === word))
}
