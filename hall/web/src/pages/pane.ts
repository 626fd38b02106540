// What one engine prints, in two panes: what passes between it and its host, and errors.

import { openStream, type Stream } from '../stream.ts'
import type { ConsoleEvents, ConsoleLine, ConsoleLines } from '../wire.ts'

/** How many lines a pane holds; the hall keeps no more. */
const most = 500

const kinds: Readonly<Record<string, string>> = { '>': 'to', '!': 'err', '#': 'note' }

export class Panes {
  private readonly root: HTMLElement
  private stream: Stream | undefined
  private key = ''
  private readonly pause: HTMLButtonElement | null

  constructor(root: HTMLElement) {
    this.root = root
    this.pause = root.querySelector('.console-pause')
    if (!this.pause) return
    this.pause.hidden = false
    this.pause.addEventListener('click', () => {
      const on = this.pause?.getAttribute('aria-pressed') !== 'true'
      this.pause?.setAttribute('aria-pressed', String(on))
      if (!on) for (const p of this.panes()) p.scrollTop = p.scrollHeight
    })
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
      const fresh = data.lines.filter((l) => errors === (l.mark === '!' || l.mark === '#')).map(drawn)
      if (data.whole) pane.replaceChildren(...fresh)
      else pane.append(...fresh)
      while (pane.childElementCount > most) pane.firstElementChild?.remove()
      if (this.pause?.getAttribute('aria-pressed') !== 'true') pane.scrollTop = pane.scrollHeight
    }
  }
}

function drawn(l: ConsoleLine): HTMLElement {
  const line = document.createElement('span')
  line.className = `line is-${kinds[l.mark] ?? 'from'}`
  const at = document.createElement('span')
  at.className = 'at'
  at.textContent = new Date(l.at).toISOString().slice(11, 23)
  line.append(at, ` ${l.mark} ${l.text}\n`)
  return line
}
