// The few things that are needed to build SVG elements and to keep layers of them.

const NS = 'http://www.w3.org/2000/svg'

export type Attrs = Readonly<Record<string, string | number | undefined>>

/** Builds an element. */
export function el(name: string, attrs: Attrs = {}, ...children: readonly (Node | string)[]): SVGElement {
  const e = document.createElementNS(NS, name)
  for (const [k, v] of Object.entries(attrs)) if (v !== undefined) e.setAttribute(k, String(v))
  e.append(...children)
  return e
}

/** A number as it stands in an attribute: two decimals are enough. */
export const n = (x: number): string => String(Math.round(x * 100) / 100)

/** What an element builds its parts with: identifiers are unique to a picture. */
export interface Tools {
  readonly id: (name: string) => string
  readonly url: (name: string) => string
}

/** An element of a layer: it is built again when its sign changes. */
export interface Item {
  readonly key: string
  readonly sign: string
  readonly make: () => SVGElement
}

/** A group whose elements are known by keys. */
export class Layer {
  readonly group: SVGElement
  readonly #have = new Map<string, { sign: string; e: SVGElement }>()

  constructor(name: string) {
    this.group = el('g', { class: `kb-${name}` })
  }

  /** Makes the group hold the items, and touches nothing that stays. */
  set(items: readonly Item[]): void {
    const keep = new Set<string>()
    for (const it of items) {
      keep.add(it.key)
      const old = this.#have.get(it.key)
      if (old?.sign === it.sign) continue
      const e = it.make()
      if (old) old.e.replaceWith(e)
      else this.group.append(e)
      this.#have.set(it.key, { sign: it.sign, e })
    }
    if (keep.size === this.#have.size) return
    for (const [key, old] of this.#have) {
      if (!keep.has(key)) {
        old.e.remove()
        this.#have.delete(key)
      }
    }
  }

  clear(): void {
    this.#have.clear()
    this.group.replaceChildren()
  }
}
