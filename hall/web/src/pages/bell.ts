// What the browser shows beside the page while its tab is not looked at: that it is one's turn, that
// something is asked, that a game is over. It is allowed by a press on the bell; who missed a turn is
// offered that once. What is shown is what the tab's title says.

import { sayAloud } from './dom.ts'

/** What another script of the page has to tell, see call. */
export interface Call {
  readonly text: string
  readonly more?: string
  /** Whether it is a turn in a game with a clock. */
  readonly timed?: boolean
}

const kept = 'bell'
const bell = document.getElementById('bell')

const read = (): string | null => { try { return localStorage.getItem(kept) } catch { return null } }
const write = (value: string): void => { try { localStorage.setItem(kept, value) } catch { /* it is asked for anew */ } }
const can = (): boolean => (window.Notification as unknown) !== undefined && Notification.permission !== 'denied'

/** Whether this browser tells what happens while nobody looks. */
export const rings = (): boolean => bell !== null && read() === 'on' && can() && Notification.permission === 'granted'

let shown: Notification | undefined

/** Tells what has happened if nobody looks; what has the same tag takes the place of what was shown before. */
export function call(c: Call, tag = location.pathname): void {
  if (!document.hidden) return
  if (!rings()) {
    if (c.timed && bell && can() && read() === null) document.addEventListener('visibilitychange', offer, { once: true })
    return
  }
  try {
    shown = new Notification(c.text, { body: c.more ?? '', tag })
    shown.onclick = () => {
      window.focus()
      if (tag !== location.pathname) location.href = tag
    }
  } catch { /* some phones show none for a page */ }
}

/** Says whether it is on; that the browser allows nothing is said to who has just pressed, and nowhere else. */
function label(refused = false): void {
  if (!bell) return
  const text = bell.dataset[refused ? 'no' : rings() ? 'yes' : 'off'] ?? ''
  bell.title = bell.ariaLabel = text
  bell.querySelector('span')!.textContent = text.split(/[:：] */).at(-1) ?? ''
}

/** Switches it on or off; the browser asks its user when it is switched on for the first time. */
async function press(): Promise<void> {
  const on = !rings()
  write(on ? 'on' : 'off')
  if (on && can()) await Notification.requestPermission()
  label(on && !rings())
}

/** How long an offer stands, in milliseconds. */
const stands = 20_000

/** Offers it, once: somebody missed a turn. */
function offer(): void {
  if (read() !== null || document.querySelector('.own-ask')) return
  write('off')
  const box = document.createElement('div')
  box.className = 'own-ask'
  const text = document.createElement('span')
  text.textContent = bell?.dataset['missed'] ?? ''
  if (!sayAloud(text.textContent, false)) box.role = 'status'
  box.append(text)
  for (const [name, yes] of [['tell', true], ['later', false]] as const) {
    const b = document.createElement('button')
    b.type = 'button'
    b.textContent = bell?.dataset[name] ?? ''
    if (yes) b.className = 'primary'
    b.addEventListener('click', () => {
      box.remove()
      if (yes) void press()
    })
    box.append(b)
  }
  document.body.append(box)
  setTimeout(() => box.remove(), stands)
}

if (bell) {
  bell.hidden = false
  label()
  bell.addEventListener('click', () => void press())
  document.addEventListener('kibitz-call', (e) => call((e as CustomEvent<Call>).detail))
  document.addEventListener('visibilitychange', () => { if (!document.hidden) shown?.close() })
}
