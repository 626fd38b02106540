// Analyses that this browser keeps, so that nothing is lost when a page is closed: the latest twenty.

import type { TreeStepView } from '../wire.ts'

export interface Kept {
  readonly id: string
  readonly spec: string
  readonly position: string
  readonly names: readonly [string, string]
  readonly steps: readonly TreeStepView[]
  /** The decisions to the position that was shown last. */
  readonly at?: readonly string[]
  /** What a pasted text was read as. */
  readonly form?: string
  /** When it was kept last, in milliseconds since 1970. */
  readonly when?: number
}

const most = 20
const name = (id: string): string => `analysis:${id}`

/** An identifier that no other analysis has. */
export const freshId = (): string => Math.random().toString(36).slice(2, 10)

export function kept(id: string): Kept | undefined {
  try {
    return JSON.parse(localStorage.getItem(name(id)) ?? 'null') as Kept | null ?? undefined
  } catch {
    return undefined
  }
}

/** All that is kept, the latest first. */
export function allKept(): Kept[] {
  try {
    return Object.keys(localStorage).filter((k) => k.startsWith(name(''))).flatMap((k) => kept(k.slice(name('').length)) ?? [])
      .sort((a, b) => (b.when ?? 0) - (a.when ?? 0))
  } catch {
    return []
  }
}

/** Keeps an analysis; where there is no room the oldest goes. */
export function keep(k: Kept): void {
  const others = allKept().filter((x) => x.id !== k.id)
  for (const x of others.splice(most - 1)) localStorage.removeItem(name(x.id))
  for (;;) {
    try {
      localStorage.setItem(name(k.id), JSON.stringify(k))
      return
    } catch {
      const oldest = others.pop()
      if (!oldest) return // this browser keeps nothing
      localStorage.removeItem(name(oldest.id))
    }
  }
}

/** The address of an analysis board. */
export function addressOf(k: Pick<Kept, 'id' | 'spec' | 'position'>): string {
  const q = new URLSearchParams({ game: k.spec })
  if (k.position) q.set('position', k.position)
  q.set('kept', k.id)
  return `/analysis?${q.toString()}`
}
