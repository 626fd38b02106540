// Waiting for a friend: the link is copied and shared, and when the friend plays the page
// goes to the room.

import { openStream } from '../stream.ts'
import { copy } from './copy.ts'
import { byId } from './dom.ts'
import { play } from './sounds.ts'

const page = document.querySelector<HTMLElement>('.challenge')
const link = byId<HTMLInputElement>('link')?.value ?? ''
const code = page?.dataset['code'] ?? ''
const button = (act: string) => page?.querySelector<HTMLButtonElement>(`[data-act=${act}]`)

/** Says that the link is in the clipboard. */
function copied(): void {
  const b = button('copy')
  const voice = byId('voice')
  const done = b?.dataset['done'] ?? ''
  if (b) b.textContent = done
  if (voice) voice.textContent = done
}

const copies = button('copy')
if (copies) {
  copies.hidden = false
  copies.addEventListener('click', async () => {
    if (await copy(link)) copied()
    else byId<HTMLInputElement>('link')?.focus() // which selects it
  })
  if (location.hash === '#copied') {
    history.replaceState(null, '', location.pathname)
    copied()
  }
}

const shares = button('share')
if (shares && 'share' in navigator) {
  shares.hidden = false
  shares.addEventListener('click', () => {
    navigator.share({ title: shares.dataset['title'] ?? '', url: link }).catch(() => {}) // whoever closes the sheet shares nothing
  })
}

// One that asks somebody by name lapses.
const left = document.querySelector<HTMLElement>('[data-left]')?.dataset['left']
if (left) setTimeout(() => location.reload(), (Number(left) + 1) * 1000)

/** What a challenge has become, as the hall tells it. */
interface Told { readonly state: string; readonly room?: string }

/** Whether a button leads to another page, which what the hall tells must not call back. */
let leaves = false
document.addEventListener('submit', () => { leaves = true })

/** How long the sound is heard before the next page is asked for, in milliseconds: its first tone, and more until that page comes. */
const heard = 140

openStream(() => `/api/v1/challenges/${encodeURIComponent(code)}/events?beat=5`, {
  silence: 12_000,
  on: {
    change: (data) => {
      const told = data as Told
      if (told.state === 'open' || leaves) return
      if (told.room === undefined) {
        location.reload()
        return
      }
      play('offer', Number(page?.dataset['volume']))
      setTimeout(() => location.replace(`/rooms/${told.room}`), heard)
    },
  },
  refused: () => location.reload(),
})
