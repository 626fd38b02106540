// Further engines of an analysis beside the first one: each has lines of its own, and follows
// the board as the first one does.

import type { AnalysedLine } from '../wire.ts'
import type { Card } from './analysis.ts'
import { byId } from './dom.ts'
import { sayAnalysis } from './words.ts'

interface Other {
  readonly card: Card
  readonly engine: HTMLSelectElement
}

export class Beside {
  /** By their places, from 1. */
  private readonly all = new Map<number, Other>()
  private readonly box = byId('beside')
  private readonly button = byId<HTMLButtonElement>('another')
  private readonly most = Number(this.button?.dataset['most'])

  private readonly make: (list: HTMLElement, state: HTMLElement, beside: number) => Card
  private readonly on: () => boolean
  private readonly wish: () => Record<string, unknown>

  private readonly heard: (lines: readonly AnalysedLine[]) => void

  /** on tells whether engines follow the board; wish is what the first one is asked; heard is told what the second one says. */
  constructor(make: (list: HTMLElement, state: HTMLElement, beside: number) => Card, on: () => boolean, wish: () => Record<string, unknown>, heard: (lines: readonly AnalysedLine[]) => void) {
    this.heard = heard
    this.make = make
    this.on = on
    this.wish = wish
  }

  /** Adds an engine. */
  add(): void {
    let place = 1
    while (this.all.has(place)) place++
    const first = document.querySelector<HTMLSelectElement>('#ask [name=engine]')
    if (!this.box || !first || place >= this.most) return
    const engine = first.cloneNode(true) as HTMLSelectElement
    engine.removeAttribute('name')
    engine.ariaLabel = `${sayAnalysis('engine')} ${place + 1}`
    engine.selectedIndex = Math.min(first.length - 1, first.selectedIndex + place)
    const remove = document.createElement('button')
    remove.type = 'button'
    remove.textContent = sayAnalysis('without')
    const [head, state, list, section] = [document.createElement('p'), document.createElement('p'), document.createElement('ol'), document.createElement('section')]
    head.className = 'row'
    head.append(engine, remove)
    state.className = 'quiet small'
    list.className = 'found'
    list.ariaLabel = section.ariaLabel = engine.ariaLabel
    section.append(head, state, list)
    this.box.append(section)
    const other: Other = { card: this.make(list, state, place), engine }
    this.all.set(place, other)
    engine.addEventListener('change', () => this.one(other))
    remove.addEventListener('click', () => {
      other.card.abort()
      if (place === 1) this.heard([])
      this.all.delete(place)
      section.remove()
      this.full()
      this.button?.focus()
    })
    this.full()
    this.one(other)
  }

  /** Has all analyse what is shown. */
  ask(): void {
    for (const x of this.all.values()) this.one(x)
  }

  private one(x: Other): void {
    x.card.clear()
    x.card.listed = Number(document.querySelector<HTMLSelectElement>('#ask [name=lines]')?.value)
    if (this.on()) void x.card.position({ ...this.wish(), lines: x.card.listed, engine: x.engine.value }, (f) => { if (this.all.get(1) === x) this.heard(f.lines) })
  }

  private full(): void {
    if (this.button) this.button.disabled = this.all.size + 1 >= this.most
  }

  abort(): void {
    for (const { card } of this.all.values()) {
      card.abort()
      card.state('')
    }
  }

  draw(): void {
    for (const { card } of this.all.values()) card.draw()
  }

  clear(): void {
    for (const { card } of this.all.values()) card.clear()
  }
}
