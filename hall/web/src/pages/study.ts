// What is made of a game on its page: comments, signs and variations are kept, undone, and written
// into a file.

import { refusal } from '../net.ts'
import type { TreeStepView } from '../wire.ts'
import { playRow } from './begin.ts'
import { byId, setText } from './dom.ts'
import { freshId, keep, kept, type Kept } from './kept.ts'
import type { Kit } from './kit.ts'
import { post } from './post.ts'
import { formerly, lineOf, movesTo, restore, signOf, type Former, type Node, type Tree } from './tree.ts'
import { sayAnalysis } from './words.ts'

/** What a study asks of its page. */
export interface Shelf {
  /** The game that is over, empty for an analysis board. */
  readonly game: string
  readonly spec: string
  readonly position: string
  readonly names: readonly [string, string]
  readonly tree: Tree
  readonly kit: Kit
  at(): Node
  go(n: Node): void
  redraw(): void
  /** Shows a button, or takes it away. */
  offer(id: string, on: boolean): void
}

/** How many edits may be undone. */
const edits = 20

interface Wish { move: string; comment?: string; variations?: Wish[][] }

const wishOf = (list: readonly TreeStepView[]): Wish[] => list.map((s) => ({
  move: s.steps?.[0] ?? '', ...(s.comment && { comment: s.comment }), ...(s.variations && { variations: s.variations.map(wishOf) }),
}))

export class Study {
  private readonly former: Former[] = []
  /** What has changed is about to be kept. */
  private due = false
  /** The node whose comment is being written. */
  private writes: Node | undefined
  private shown: Kept | undefined
  private readonly text = byId<HTMLTextAreaElement>('comment')
  private readonly name = byId<HTMLInputElement>('kept-name')

  private readonly shelf: Shelf

  /** Opens what this browser keeps of a game, or of the analysis of a name. */
  static async open(shelf: Shelf, id: string | null): Promise<Study> {
    return new Study(shelf, await kept(shelf.game ? `game-${shelf.game}` : id ?? ''))
  }

  private constructor(shelf: Shelf, shown: Kept | undefined) {
    this.shelf = shelf
    this.shown = shown
    if (this.shown) shelf.tree.grow(shelf.tree.root, this.shown.steps)
    const named = document.querySelector('.tags .tag')?.textContent ?? '' // a text may be of another game than was shown before
    setText(byId('read-as'), this.shown?.form ? sayAnalysis('paste.as', { form: `${named}, ${this.shown.form}` }) : '')
    if (this.name) this.name.value = this.shown?.name ?? ''
    this.name?.addEventListener('input', () => this.changed())
    this.text?.addEventListener('input', () => this.write())
    this.text?.addEventListener('change', () => {
      this.writes = undefined
      shelf.redraw()
    })
    byId('marks')?.addEventListener('click', (e) => {
      const sign = (e.target as HTMLElement).dataset['sign']
      if (sign) this.edit(() => this.sign(sign))
    })
    byId('undo-edit')?.addEventListener('click', () => {
      const was = this.former.pop()
      if (!was) return
      const n = restore(was, shelf.at())
      shelf.redraw()
      shelf.go(n)
      this.changed()
    })
    byId('variations')?.append(playRow(shelf.kit, () => {
      const n = shelf.at()
      return n.view && { spec: shelf.spec, position: shelf.position, moves: movesTo(n), seat: n.view.seat }
    }))
    byId('save-tree')?.removeAttribute('hidden')
    byId<HTMLFormElement>('save-tree')?.addEventListener('submit', (e) => {
      e.preventDefault()
      void this.save(new FormData(e.currentTarget as HTMLFormElement))
    })
  }

  /** What an address names it by; empty as long as nothing is kept, or where the game does. */
  get id(): string { return this.shelf.game ? '' : this.shown?.id ?? '' }

  /** The decisions to what was shown last. */
  get last(): readonly string[] { return this.shown?.at ?? [] }

  /** Remembers the tree, because it is about to change. */
  before(): void {
    this.former.push(formerly(this.shelf.tree.root))
    if (this.former.length > edits) this.former.shift()
  }

  /** Keeps the tree, because it has changed. */
  changed(): void {
    this.enable()
    const { game, spec, position, names, tree } = this.shelf
    const shown = this.shown ??= { id: game ? `game-${game}` : freshId(), spec, position, names, steps: [], when: 0 }
    if (this.due) return
    this.due = true
    queueMicrotask(() => { // when the page shows where the change leads
      this.due = false
      this.shown = { ...shown, ...(this.name && { name: this.name.value.trim() }), steps: lineOf(tree.root), at: movesTo(this.shelf.at()), when: Date.now() }
      void keep(this.shown)
    })
  }

  private edit(change: () => void): void {
    this.before()
    change()
    this.changed()
    this.shelf.redraw()
    this.show(this.shelf.at())
  }

  private write(): void {
    const n = this.shelf.at()
    if (this.writes !== n) this.before()
    this.writes = n
    const [sign] = signOf(n.comment)
    n.comment = [sign, this.text?.value ?? ''].filter((x) => x).join(' ')
    this.changed()
  }

  private sign(sign: string): void {
    const n = this.shelf.at()
    const [had, rest] = signOf(n.comment)
    n.comment = [had === sign ? '' : sign, rest].filter((x) => x).join(' ')
  }

  /** The page shows another position. */
  show(n: Node): void {
    const [sign, rest] = signOf(n.comment)
    const first = !n.parent
    if (this.text) {
      this.text.value = rest
      this.text.disabled = first
    }
    for (const b of document.querySelectorAll<HTMLButtonElement>('#marks button')) {
      b.setAttribute('aria-pressed', String(b.dataset['sign'] === sign))
      b.disabled = first
    }
    this.enable()
  }

  private enable(): void {
    this.shelf.offer('undo-edit', this.former.length > 0)
  }

  /** Has the hall write a file of it. */
  private async save(form: FormData): Promise<void> {
    const { shelf } = this
    const at = shelf.at()
    const [here, until] = [form.get('here') !== null, form.get('until') !== null]
    const line = movesTo(at).map((move) => ({ move }))
    const steps = until ? line : here ? [...line, ...wishOf(lineOf(at))] : wishOf(lineOf(shelf.tree.root))
    try {
      const r = await post('/api/v1/boards/record', {
        spec: shelf.spec, position: shelf.position, names: shelf.names, steps, from: here ? at.ply : 0, format: form.get('format'),
        ...(shelf.game && { game: shelf.game }),
      })
      if (!r.ok) return setText(byId('save-state'), await refusal(r))
      const a = document.createElement('a')
      a.href = URL.createObjectURL(await r.blob())
      a.download = /filename="([^"]+)"/.exec(r.headers.get('content-disposition') ?? '')?.[1] ?? 'analysis'
      a.click()
      setTimeout(() => URL.revokeObjectURL(a.href), 60_000)
      setText(byId('save-state'), '')
    } catch {
      setText(byId('save-state'), sayAnalysis('fault.failed'))
    }
  }
}
