// Small tools for the elements of a page.

import type { KibitzBoard } from '../element.ts'
import { get, pause } from '../net.ts'
import { localTimes } from './times.ts'

/** The element with an identifier, if it is there. */
export const byId = <T extends HTMLElement = HTMLElement>(id: string): T | null => document.getElementById(id) as T | null

/** Sets a text, and touches nothing if it is the same. */
export function setText(e: Element | null, text: string): void {
  if (e && e.textContent !== text) e.textContent = text
}

/** Says something aloud by the board of the page; whether it has one that speaks. */
export function sayAloud(text: string, urgent = true): boolean {
  const voice = (byId<KibitzBoard>('board') as Partial<KibitzBoard> | null)?.voice
  voice?.say(text, urgent)
  return voice?.root.isConnected === true
}

/** How long a text stands before it is said, in milliseconds, unless it is to be heard at once: what counts on
 * is heard when it has stopped. */
const settles = 300

/** Has changes of a text said aloud while it is seen. The two live regions of a page with a board are the
 * board's: what comes together is one message, and none cuts another one short. */
export function aloud(e: HTMLElement, urgent = false): void {
  e.dataset['aloud'] = urgent ? 'now' : ''
  let due = 0
  const tell = () => {
    const text = e.textContent.trim()
    if (/\p{L}/u.test(text) && e.checkVisibility()) sayAloud(text, urgent)
  }
  new MutationObserver(() => {
    clearTimeout(due)
    due = window.setTimeout(tell, urgent ? 0 : settles)
  }).observe(e, { childList: true, characterData: true, subtree: true, attributeFilter: ['hidden'] })
  if (urgent) tell() // which came with the page
}

/** Has all said that the page marks: data-aloud, =now what is to be heard at once. */
export function startAloud(): void {
  for (const e of document.querySelectorAll<HTMLElement>('[data-aloud]')) aloud(e, e.dataset['aloud'] === 'now')
}

/** What parts were made of, as far as this script made them. */
const made = new WeakMap<HTMLElement, string>()

/** Puts a part of a page that the hall has made anew in the place of the old one, if it
  differs. What somebody is writing in stays. Returns whether it was changed. */
export function replacePart(old: HTMLElement, fresh: HTMLElement): boolean {
  if ((made.get(old) ?? old.innerHTML) === fresh.innerHTML) return false
  const busy = document.activeElement
  if (busy && old.contains(busy) && busy.matches('input:not([type=checkbox]), textarea, select')) return false
  const focus = busy && old.contains(busy) ? path(old, busy) : undefined
  const open = [...old.querySelectorAll('details')].map((d) => d.open)
  made.set(old, fresh.innerHTML)
  old.replaceChildren(...fresh.childNodes)
  old.querySelectorAll('details').forEach((d, i) => { d.open = open[i] ?? d.open })
  localTimes(old)
  if (focus !== undefined) (at(old, focus) as HTMLElement | undefined)?.focus()
  return true
}

/** Where an element is below another: what it is, and the how manieth of these. */
function path(root: Element, e: Element): [string, number] {
  const name = e.localName
  return [name, [...root.querySelectorAll(name)].indexOf(e)]
}

const at = (root: Element, [name, n]: [string, number]): Element | undefined => root.querySelectorAll(name)[n]

/** Waits while something of the page is pressed, at most 10 s. */
export async function released(): Promise<void> {
  for (let n = 0; n < 200 && document.querySelector('body :active'); n++) await pause(50)
}

/** Asks the hall for a part of a page. It comes when nothing is pressed: a press on what is
 * replaced would be lost. */
export async function fetchPart(address: string): Promise<HTMLElement | undefined> {
  const r = await get(address, { Accept: 'text/html' })
  const text = r.ok ? await r.text().catch(() => undefined) : undefined // cut in the midst
  if (text === undefined) return undefined
  const box = document.createElement('div')
  box.innerHTML = text // made by the hall's own templates, which escape
  await released()
  return box
}

/** Shows of what was pressed that it was taken, until what is done for it is done. */
export function whileBusy<T>(e: HTMLElement | null, done: Promise<T>): Promise<T> {
  e?.toggleAttribute('data-busy', true)
  return done.finally(() => e?.removeAttribute('data-busy'))
}

/** Shows in the head of the page who one is now: a guest may have been made meanwhile. */
export async function showWho(): Promise<void> {
  const r = await get(location.href, { Accept: 'text/html' })
  const old = document.querySelector<HTMLElement>('header .me')
  const fresh = new DOMParser().parseFromString(await r.text(), 'text/html').querySelector<HTMLElement>('header .me')
  if (r.ok && old && fresh) replacePart(old, fresh)
}
