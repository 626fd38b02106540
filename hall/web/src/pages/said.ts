// What engines say: evaluation, depth, nodes, the line that they expect.

import { textName } from '../names.ts'
import type { Said, View } from '../wire.ts'
import { number, say, scoreOf } from './words.ts'

/** One engine's report as lines of text. */
export function saidText(x: Said, v: View | undefined): string {
  const score = scoreOf(x)
  const head = [
    score === undefined ? '' : (score > 0 ? '+' : '') + number(score, 2),
    x.depth ? say('depth', { n: x.depth }) : '',
    x.nodes ? say('nodes', { n: number(x.nodes) }) : '',
    x.time ? say('took', { s: number(x.time / 1000, 1) }) : '',
  ].filter((t) => t !== '').join(' · ')
  const line = (x.line ?? []).map((m) => (v ? textName(v, m) : m)).join(' ')
  return [head, line, x.text ?? ''].filter((t) => t !== '').join('\n')
}

/** Shows the reports of engines, each under its name; false if there is none. */
export function drawSaid(box: HTMLElement, names: readonly string[], list: readonly (Said | null | undefined)[], v: View | undefined): boolean {
  const texts = list.map((x) => (x ? saidText(x, v) : ''))
  if (texts.every((t) => t === '')) return false
  const key = JSON.stringify([names, texts])
  if (box.dataset['key'] === key) return true
  box.dataset['key'] = key
  box.replaceChildren(...texts.flatMap((t, i) => {
    if (t === '') return []
    const head = document.createElement('h3')
    head.textContent = names[i] ?? ''
    const body = document.createElement('pre')
    body.textContent = t
    return [head, body]
  }))
  return true
}
