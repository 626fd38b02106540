// What one engine prints, in two panes: what passes between it and its host, and errors.

import { get } from '../net.ts'
import { openStream, type Stream } from '../stream.ts'
import type { ConsoleEvents, ConsoleLine, ConsoleLines } from '../wire.ts'
import { keepEnd } from './ends.ts'
import type { Log } from './log.ts'

/** How many lines a pane holds; the hall keeps no more. */
const most = 500

const kinds: Readonly<Record<string, string>> = { '>': 'to', '!': 'err', '#': 'note' }

/** Sizes of text in panes, in pixels. */
const [smallest, largest] = [11, 18]

export class Panes {
  private readonly root: HTMLElement
  /** Its game is over and gone through: a line leads to the position that it led to. */
  private readonly steps: boolean
  private stream: Stream | undefined
  private log: Log | undefined
  private key = ''
  private size = 13
  /** The turn that is shown: the decisions before it, and after it. */
  private turn: readonly [number, number] = [0, 0]

  constructor(root: HTMLElement, steps = false) {
    this.root = root
    this.steps = steps
    for (const b of root.querySelectorAll<HTMLButtonElement>('button[data-tool]')) {
      b.hidden = b.dataset['tool'] === (steps ? 'hold' : 'turn')
      b.addEventListener('click', () => this.use(b))
    }
    if (steps) for (const name of ['wrap', 'times']) this.tool(name)?.click() // there is little room
  }

  private tool(name: string): HTMLButtonElement | null {
    return this.root.querySelector(`button[data-tool="${name}"]`)
  }

  private use(b: HTMLButtonElement): void {
    const name = b.dataset['tool']
    if (name === 'copy') return void (this.steps ? this.copyInput() : this.copyShown())
    if (name === 'smaller' || name === 'larger') {
      this.size = Math.min(largest, Math.max(smallest, this.size + (name === 'larger' ? 1 : -1)))
      for (const p of this.panes()) p.style.fontSize = `${this.size}px`
      return
    }
    const on = b.getAttribute('aria-pressed') !== 'true'
    b.setAttribute('aria-pressed', String(on))
    if (name === 'wrap') this.root.classList.toggle('wraps', on)
    if (name === 'times') this.root.classList.toggle('no-times', !on)
    if (name === 'turn') this.root.classList.toggle('one-turn', on)
    if (name === 'hold' && !on) for (const p of this.panes()) p.scrollTop = p.scrollHeight
    if (name === 'turn') this.goTo(...this.turn)
  }

  /** Copies what the engine was told up to the turn that is shown: with that it stands there again. */
  private async copyInput(): Promise<void> {
    const { copy } = await import('./copy.ts')
    await copy((async () => {
      const r = await get(this.root.querySelector<HTMLAnchorElement>('[data-tool=log]')!.href)
      const told = (await r.text()).split('\n').flatMap((l) => /^\S+ (\d+) > ([^]*)/.exec(l) ?? [])
      return told.flatMap((x, i) => (i % 3 === 2 && Number(told[i - 1]) < this.turn[1] ? `${x}\n` : [])).join('')
    })())
    this.tool('copy')?.setAttribute('aria-pressed', 'true')
  }

  /** Copies the lines that are shown. */
  private async copyShown(): Promise<void> {
    const { copy } = await import('./copy.ts')
    if (await copy(this.panes().map((p) => p.textContent ?? '').join(''))) this.tool('copy')?.setAttribute('aria-pressed', 'true')
  }

  /** Goes to the lines of a turn. */
  goTo(before: number, after: number): void {
    this.turn = [before, after]
    if (this.log && !this.log.has(before, after)) void this.log.at(before).then(() => this.mark(...this.turn))
    else this.mark(before, after)
  }

  private mark(before: number, after: number): void {
    for (const pane of this.panes()) {
      let first: HTMLElement | undefined
      for (const line of pane.querySelectorAll<HTMLElement>('.line')) {
        this.markLine(line)
        if (Number(line.dataset['ply']) > before) first ??= line
      }
      pane.scrollTop = before === after ? 0 : first ? first.offsetTop - pane.offsetTop : pane.scrollHeight
    }
  }

  /** Marks a line, or not, as one of the turn that is shown. */
  private markLine(line: HTMLElement): void {
    const ply = Number(line.dataset['ply'])
    line.classList.toggle('is-turn', ply > this.turn[0] && ply <= this.turn[1])
  }

  /** Shows the log of a seat of a game that is over. */
  async read(game: string, seat: string): Promise<void> {
    const { Log } = await import('./log.ts')
    this.log = new Log(`/api/v1/games/${encodeURIComponent(game)}/consoles/${seat}`, this.panes(), (l) => this.drawn(l))
    this.goTo(...this.turn)
  }

  /** Follows the console of a seat. state tells when it is to be asked for again. */
  open(game: string, seat: string, state: string): void {
    const key = `${game} ${seat}`
    if (`${key} ${state}` === this.key) return
    if (!this.key.startsWith(`${key} `)) for (const p of this.panes()) p.replaceChildren()
    this.key = `${key} ${state}`
    this.stream?.close()
    const stream = openStream<ConsoleEvents>(() => `/api/v1/games/${encodeURIComponent(game)}/consoles/${seat}/events`, {
      on: {
        lines: (data) => this.add(data),
        over: () => stream.close(),
      },
      refused: () => {},
    })
    this.stream = stream
  }

  close(): void {
    this.stream?.close()
    this.key = ''
  }

  private panes(): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>('.pane')]
  }

  private add(data: ConsoleLines): void {
    for (const pane of this.panes()) {
      const errors = pane.dataset['pane'] === 'errors'
      const fresh = data.lines.filter((l) => errors === (l.mark === '!' || l.mark === '#')).map((l) => this.drawn(l))
      if (data.whole) pane.replaceChildren(...fresh)
      else pane.append(...fresh)
      while (pane.childElementCount > most) pane.firstElementChild?.remove()
      if (this.tool('hold')?.getAttribute('aria-pressed') !== 'true') keepEnd(pane)
    }
  }

  private drawn(l: ConsoleLine): HTMLElement {
    const line = document.createElement('span')
    line.className = `line is-${kinds[l.mark] ?? 'from'}`
    if (this.steps) {
      line.dataset['ply'] = String((l.ply ?? 0) + 1)
      this.markLine(line)
    }
    const at = document.createElement('span')
    at.className = 'at'
    at.textContent = new Date(l.at).toISOString().slice(11, 23)
    line.append(at, ` ${l.mark} ${l.text}\n`)
    return line
  }
}
