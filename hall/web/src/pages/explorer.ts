// What was played in this hall in the position that is shown.

import type { Explored, ExploredCount } from '../wire.ts'
import type { Kit } from './kit.ts'
import type { Node } from './tree.ts'

/** What the explorer asks of its page. */
export interface Ground {
  readonly kit: Kit
  readonly spec: string
  readonly position: string
  readonly names: readonly [string, string]
  at(): Node
  play(step: string): void
}

/** How long a position is shown before the hall is asked, in milliseconds. */
const calm = 200

/** When it is asked again where not all could be counted in time, in milliseconds, and how often. */
const again = { after: 1000, times: 5 }

export class Explorer {
  private timer = 0
  private asked = 0
  private left = 0
  private readonly table = document.createElement('table')
  private readonly state: HTMLElement
  private readonly rating = document.createElement('input')
  private readonly since = document.createElement('input')
  private readonly players = document.createElement('select')
  private readonly opening: HTMLElement

  private readonly box: HTMLDetailsElement
  private readonly ground: Ground

  constructor(box: HTMLDetailsElement, ground: Ground) {
    this.box = box
    this.ground = ground
    const { aloud, html, sayAnalysis } = ground.kit
    this.state = html('p', 'quiet small')
    aloud(this.state)
    this.rating.type = 'number'
    this.rating.min = '0'
    this.rating.step = '100'
    this.since.type = 'date'
    for (const [who, name] of [['', sayAnalysis('base.all')], ['people', sayAnalysis('base.people')], ['engines', sayAnalysis('base.engines')]] as const) {
      this.players.append(Object.assign(html('option', '', name), { value: who }))
    }
    this.opening = html('p', '')
    for (const f of [this.rating, this.since, this.players]) f.addEventListener('change', () => this.moved())
    box.append(
      this.opening,
      html('p', 'row', ...([[sayAnalysis('base.rating'), this.rating], [sayAnalysis('base.since'), this.since], [sayAnalysis('base.players'), this.players]] as const)
        .map(([name, f]) => html('label', '', `${name} `, f))),
      this.table, this.state)
  }

  /** The page shows another position. */
  moved(): void {
    clearTimeout(this.timer)
    this.asked++
    this.left = again.times
    if (!this.box.open) return
    this.ground.kit.setText(this.state, '…')
    this.timer = window.setTimeout(() => void this.ask(), calm)
  }

  private async ask(): Promise<void> {
    const now = ++this.asked
    const { ground, ground: { kit: { get, movesTo, sayAnalysis, setText } } } = this
    const q = new URLSearchParams({ game: ground.spec, moves: movesTo(ground.at()).join('_') })
    if (ground.position) q.set('position', ground.position)
    if (Number(this.rating.value) > 0) q.set('rating', this.rating.value)
    if (this.since.value) q.set('since', this.since.value)
    if (this.players.value) q.set('players', this.players.value)
    const r = await get(`/api/v1/base?${q.toString()}`).catch(() => undefined)
    if (now !== this.asked) return
    if (!r?.ok) return setText(this.state, sayAnalysis('cannot'))
    const found = (await r.json()) as Explored
    if (now !== this.asked) return
    this.draw(found)
    if (found.cut && this.box.open && this.left-- > 0) this.timer = window.setTimeout(() => void this.ask(), again.after)
  }

  private draw(x: Explored): void {
    const { html, moveName, number, say, sayAnalysis, setText } = this.ground.kit
    setText(this.opening, x.opening ? sayAnalysis('base.opening', { name: x.opening }) : '')
    this.table.hidden = x.moves.length === 0
    this.table.replaceChildren(
      html('thead', '', html('tr', '', ...[sayAnalysis('base.move'), sayAnalysis('base.games'), sayAnalysis('base.results'), sayAnalysis('base.average'), sayAnalysis('base.last'), sayAnalysis('base.best')].map((t) => html('th', '', t)))),
      html('tbody', '', ...x.moves.map((m) => {
        const b = html('button', 'link', m.step === '-' ? say('pass') : moveName(m.name))
        b.type = 'button'
        b.addEventListener('click', () => this.ground.play(m.step))
        const best = m.best ? html('a', '', m.best.names.join(' – ')) : ''
        if (best && m.best) best.href = `/games/${encodeURIComponent(m.best.game)}`
        return html('tr', '', html('td', '', b), html('td', '', number(m.games) + (m.more ? '+' : '')), html('td', '', this.bar(m)), html('td', '', this.average(m)), html('td', '', String(m.last ?? '')), html('td', '', best))
      })))
    setText(this.state, x.cut ? '…' : x.games === 0 ? sayAnalysis('base.none') : '')
  }

  /** What the first seat had more at the end; where nothing is counted, its share of the points. */
  private average(c: ExploredCount): string {
    const { number } = this.ground.kit
    if (c.score !== undefined) return `${c.score > 0 ? '+' : ''}${number(c.score, 1)}`
    const all = c.first + c.drawn + c.second
    return all === 0 ? '' : `${number(100 * (c.first + c.drawn / 2) / all)} %`
  }

  /** Won, drawn and lost by the first seat as parts of a bar. */
  private bar(c: ExploredCount): SVGElement {
    const all = Math.max(1, c.first + c.drawn + c.second)
    const { kit: { el, sayAnalysis }, names: [name, other] } = this.ground
    let from = 0
    return el('svg', { 'role': 'img', 'width': 90, 'height': 12, 'viewBox': '0 0 90 12', 'aria-label': sayAnalysis('base.bar', { name, other, first: c.first, drawn: c.drawn, second: c.second }) },
      el('title', {}, sayAnalysis('base.bar', { name, other, first: c.first, drawn: c.drawn, second: c.second })),
      ...[[c.first, 0.85], [c.drawn, 0.4], [c.second, 0.15]].map(([k, opacity]) => {
        const width = 90 * k! / all
        const e = el('rect', { 'x': from.toFixed(1), 'width': width.toFixed(1), 'height': 12, 'fill': 'currentColor', 'fill-opacity': opacity })
        from += width
        return e
      }))
  }
}
