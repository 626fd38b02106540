// Cards of engines: what each is doing, and what it said last of the position, how deep it
// looked, how many positions, the line that it expects.

import type { textName } from '../names.ts'
import type { Said, View } from '../wire.ts'
import { moveNames, number, say, valueText } from './words.ts'

/** What stands on the card of an engine. */
export interface Card {
  /** The seat, 2 of a third engine. */
  readonly seat: number
  readonly name: string
  /** What it is doing, in words. */
  readonly state?: string
  readonly said?: Said | null | undefined
  /** What the engine of a game that is over called itself. */
  readonly own?: string
}

/** One engine's report as lines of text. */
function saidText(x: Said, v: View | undefined, name: typeof textName): string {
  const head = [
    valueText(x, 2),
    x.depth ? say('depth', { n: x.depth }) : '',
    x.nodes ? say('nodes', { n: number(x.nodes) }) : '',
    x.time ? say('took', { s: number(x.time / 1000, 1) }) : '',
    x.nodes && x.time ? say('speed', { n: number(x.nodes / x.time * 1000) }) : '',
  ].filter((t) => t !== '').join(' · ')
  const line = v ? moveNames(x.line, (m) => name(v, m)) : (x.line ?? []).join(' ')
  return [head, line, x.text ?? ''].filter((t) => t !== '').join('\n')
}

/** Shows cards; false if there is none. How moves are named is passed in, so that this is fetched without it. */
export function drawSaid(box: HTMLElement, cards: readonly Card[], v: View | undefined, name: typeof textName): boolean {
  const list = cards.filter((c) => c.said || c.state || c.own)
  const key = (c: Card | undefined) => String(c?.seat)
  if ([...box.children].map((e) => (e as HTMLElement).dataset['seat']).join() !== list.map(key).join()) {
    box.replaceChildren(...list.map((c) => {
      const card = document.createElement('section')
      card.dataset['part'] = `engine${c.seat}`
      card.dataset['seat'] = key(c)
      card.append(document.createElement('h3'), document.createElement('pre'))
      return card
    }))
  }
  list.forEach((c, i) => {
    const called = c.own || c.said?.name
    const own = called && called !== c.name ? ` (${called})` : ''
    const texts = [c.name + own + (c.state ? ` · ${c.state}` : ''), c.said ? saidText(c.said, v, name) : '']
    texts.forEach((t, k) => { const e = box.children[i]!.children[k]!; if (e.textContent !== t) e.textContent = t })
  })
  return list.length > 0
}
