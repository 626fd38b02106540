// Boxes of boards of dots, as a list of moves counts them.

import { parseStep } from './step.ts'
import type { Entry, View } from './wire.ts'

const line = (x: number, y: number, vertical: number): string => `${x},${y},${vertical}`

/** The four lines around a box. */
const around = (x: number, y: number): string[] => [line(x, y, 0), line(x, y + 1, 0), line(x, y, 1), line(x + 1, y, 1)]

/** How many boxes each entry of a history has closed, on the board to which it has led. */
export function boxesClosed(v: View, history: readonly Entry[]): number[] {
  if (v.shape !== 'dots') return history.map(() => 0)
  const drawn = history.map((e) => (e.refused ? [] : e.steps ?? []).flatMap((text) => {
    const s = parseStep(text)
    return s?.op === 'edge' && s.to ? [[s.to[0], s.to[1], s.arg] as const] : []
  }))
  const later = new Set(drawn.flat().map((l) => line(...l)))
  const have = new Set((v.lines ?? []).map(([x, y, vertical]) => line(x, y, vertical)).filter((l) => !later.has(l)))
  return drawn.map((lines) => {
    let closed = 0
    for (const [x, y, vertical] of lines) {
      have.add(line(x, y, vertical))
      const beside = vertical === 1 ? [[x - 1, y], [x, y]] as const : [[x, y - 1], [x, y]] as const
      closed += beside.filter(([a, b]) => around(a, b).every((l) => have.has(l))).length
    }
    return closed
  })
}
