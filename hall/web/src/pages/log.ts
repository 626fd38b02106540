// What an engine printed in a game that is over, in step with the board: of a log of any length as much is
// on the page as is looked at.

import { get } from '../net.ts'
import type { ConsoleLine, ConsoleLines } from '../wire.ts'

/** How many lines are asked for where a turn is gone to, and where one scrolls on, and how many the page holds. */
const [turned, scrolled, most] = [150, 400, 1000]

/** How near to an edge of its pane one scrolls until more lines come, in pixels. */
const near = 80

export class Log {
  /** The numbers of the first line that is there, and of the one after the last. */
  private first = 0
  private next = 0
  /** The log begins with the first, ends with the last. */
  private starts = false
  private ends = false
  private busy = false
  private asks = 0
  private readonly address: string
  private readonly panes: readonly HTMLElement[]
  private readonly drawn: (l: ConsoleLine) => HTMLElement

  /** drawn makes a line. */
  constructor(address: string, panes: readonly HTMLElement[], drawn: (l: ConsoleLine) => HTMLElement) {
    this.address = address
    this.panes = panes
    this.drawn = drawn
    for (const p of panes) {
      p.replaceChildren()
      p.onscroll = () => {
        if (p.scrollTop + p.clientHeight > p.scrollHeight - near) void this.more(true)
        else if (p.scrollTop < near) void this.more(false)
      }
    }
  }

  /** Whether the lines of a turn are there: from the decisions before it to those after it. */
  has(before: number, after: number): boolean {
    const plies = this.panes.flatMap((p) => [p.firstElementChild, p.lastElementChild]).flatMap((e) => (e instanceof HTMLElement ? [Number(e.dataset['ply']) - 1] : []))
    return plies.length > 0 && (this.starts || Math.min(...plies) < before) && (this.ends || Math.max(...plies) >= after)
  }

  /** Shows the lines of a turn, with some before it. */
  async at(before: number): Promise<void> {
    const now = ++this.asks
    const x = await this.ask(`ply=${before}`, turned)
    if (!x || now !== this.asks) return
    for (const p of this.panes) p.replaceChildren()
    this.first = this.next = x.next - x.lines.length
    this.starts = this.ends = false
    this.put(x, true, x.lines.length < turned)
  }

  /** Brings the lines behind those that are there, or before them. */
  private async more(behind: boolean): Promise<void> {
    if (this.busy || this.next === 0 || (behind ? this.ends : this.starts)) return
    this.busy = true
    const from = behind ? this.next : Math.max(1, this.first - scrolled)
    const x = await this.ask(`from=${from}`, scrolled)
    if (x) this.put(behind ? x : { ...x, lines: x.lines.slice(0, Math.max(0, this.first - (x.next - x.lines.length))) }, behind, x.lines.length < scrolled)
    this.busy = false
  }

  private async ask(which: string, lines: number): Promise<ConsoleLines | undefined> {
    const r = await get(`${this.address}?lines=${lines}&${which}`).catch(() => undefined)
    return r?.ok ? ((await r.json()) as ConsoleLines) : undefined
  }

  /** Puts lines behind the others, perhaps the last ones, or before them, and takes away at the other end what is too much. */
  private put(x: ConsoleLines, behind: boolean, last: boolean): void {
    const { lines } = x
    const first = behind ? this.next : this.first - lines.length
    if (behind) {
      this.ends = last
      this.next += lines.length
    } else {
      this.starts = lines.length === 0 || this.first - lines.length <= 1
      this.first -= lines.length
    }
    if (behind && this.first <= 1) this.starts = true
    for (const p of this.panes) {
      const errors = p.dataset['pane'] === 'errors'
      const fresh = lines.flatMap((l, i) => {
        if (errors !== (l.mark === '!' || l.mark === '#')) return []
        const e = this.drawn(l)
        e.dataset['at'] = String(first + i)
        return [e]
      })
      const height = p.scrollHeight
      if (behind) p.append(...fresh)
      else {
        p.prepend(...fresh)
        p.scrollTop += p.scrollHeight - height
      }
    }
    const over = this.next - this.first - most
    if (over <= 0) return
    if (behind) {
      this.first += over
      this.starts = false
    } else {
      this.next -= over
      this.ends = false
    }
    for (const p of this.panes) {
      for (const e of [...p.children] as HTMLElement[]) if (Number(e.dataset['at']) < this.first || Number(e.dataset['at']) >= this.next) e.remove()
    }
  }
}
