// What chance may decide in a position, as buttons.

import { html, pieceName } from '../board.ts'
import type { Deal, State } from '../wire.ts'
import { byId } from './dom.ts'
import { mainLine, type Tree } from './tree.ts'
import { boardWords, sayAnalysis } from './words.ts'

/** Draws what may be dealt, each with its count; what was dealt in the game stands first. */
export function drawDeals(tree: Tree, s: State, deals: readonly Deal[], pick: (step: string) => void): void {
  const square = deals[0]?.step.split(':')[0] ?? ''
  const dealt = mainLine(tree).find((x) => x.recorded && x.step?.steps?.[0]?.startsWith(`${square}:`))?.step?.steps?.[0]
  const button = (text: string, step: () => string): HTMLButtonElement => {
    const b = html('button', '', text)
    b.type = 'button'
    b.addEventListener('click', () => pick(step()))
    return b
  }
  const piece = (d: Deal) => pieceName(boardWords(), s, d.piece, '-')
  const known = deals.find((d) => d.step === dealt)
  byId('deal-list')?.replaceChildren(
    ...(known ? [button(sayAnalysis('asdealt', { piece: piece(known) }), () => known.step)] : []),
    ...(deals.length > 1 ? [button(sayAnalysis('anydeal'), () => anyOf(deals))] : []),
    ...deals.map((d) => button(`${piece(d)} × ${d.count}`, () => d.step)),
  )
}

/** One of the deals, by how often there is each. */
function anyOf(deals: readonly Deal[]): string {
  let k = Math.floor(Math.random() * deals.reduce((sum, d) => sum + d.count, 0))
  return deals.find((d) => (k -= d.count) < 0)?.step ?? ''
}
