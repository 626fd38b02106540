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
  /** What its owner calls it. */
  readonly name?: string
  /** What a pasted text was read as. */
  readonly form?: string
  /** When it was kept last, in milliseconds since 1970. */
  readonly when: number
}

const most = 20
const name = 'analyses'

/** An identifier that no other analysis has. */
export const freshId = (): string => Math.random().toString(36).slice(2, 10)

const answer = <T>(r: IDBRequest<T>): Promise<T> => new Promise((done, failed) => {
  r.onsuccess = () => done(r.result)
  r.onerror = () => failed(r.error)
})

let opened: Promise<IDBDatabase> | undefined
/** The same, once it is open: what is written then is on its way before the page can be closed. */
let base: IDBDatabase | undefined

const open = (): Promise<IDBDatabase> => (opened ??= (async () => {
  const r = indexedDB.open('kibitz', 1)
  r.onupgradeneeded = () => r.result.createObjectStore(name, { keyPath: 'id' }).createIndex('when', 'when')
  return (base = await answer(r))
})())

const reading = async (): Promise<IDBObjectStore> => (await open()).transaction(name).objectStore(name)

export const kept = async (id: string): Promise<Kept | undefined> => {
  try {
    return await answer((await reading()).get(id) as IDBRequest<Kept | undefined>)
  } catch {
    return undefined // this browser keeps nothing
  }
}

/** All that is kept, the latest first. */
export async function allKept(): Promise<Kept[]> {
  try {
    return (await answer((await reading()).index('when').getAll() as IDBRequest<Kept[]>)).reverse()
  } catch {
    return []
  }
}

/** Keeps an analysis, and drops the oldest of too many. */
export async function keep(k: Kept): Promise<void> {
  try {
    const write = (base ?? await open()).transaction(name, 'readwrite')
    write.objectStore(name).put(k)
    write.commit()
    await new Promise((done, failed) => {
      write.oncomplete = done
      write.onabort = failed
    })
    const rest = (base ?? await open()).transaction(name, 'readwrite').objectStore(name)
    for (const id of (await answer(rest.index('when').getAllKeys())).slice(0, -most)) rest.delete(id)
  } catch { /* this browser keeps nothing */ }
}

/** The address of an analysis board. */
export function addressOf(k: Pick<Kept, 'id' | 'spec' | 'position'>): string {
  const q = new URLSearchParams({ game: k.spec })
  if (k.position) q.set('position', k.position)
  q.set('kept', k.id)
  return `/analysis?${q.toString()}`
}
