// Games from elsewhere: a text is pasted, or a file dropped, and shown on an analysis board; below
// stands what this browser has kept.

import { refusal } from '../net.ts'
import type { Pasted, TreeView } from '../wire.ts'
import { byId, setText } from './dom.ts'
import { addressOf, allKept, freshId, keep } from './kept.ts'
import { post } from './post.ts'
import { sayAnalysis } from './words.ts'

/** How many games of a text are listed. */
const listed = 50

const form = byId<HTMLFormElement>('paste')
const field = byId<HTMLTextAreaElement>('paste-text')

/** Says how it goes, or what is wrong. */
function told(text: string, fault = false): void {
  setText(byId('paste-state'), fault ? '' : text)
  setText(byId('paste-fault'), fault ? text : '')
  field?.setAttribute('aria-invalid', String(fault))
}

/** Shows a game on a board of its own. */
async function show(g: TreeView, form: string): Promise<void> {
  const { illegal } = g
  const said = illegal ? `${form}. ${sayAnalysis('paste.cut', { n: illegal.n, move: illegal.move })}` : form
  const k = { id: freshId(), spec: g.spec, position: g.position ?? '', names: g.names, steps: g.steps, form: said, when: Date.now() }
  await keep(k)
  location.assign(addressOf(k))
}

const titleOf = (names: readonly [string, string], plies: number): string =>
  [names.some((n) => n) ? names.map((n) => n || '?').join(' – ') : '', sayAnalysis('paste.moves', { n: plies })].filter((x) => x).join(' · ')

/** Has the hall read a text. */
async function read(text: string, name = ''): Promise<void> {
  if (text.trim() === '') return
  byId('paste-games')?.replaceChildren()
  told(sayAnalysis('paste.reads'))
  try {
    const r = await post('/api/v1/boards/read', { text, name })
    if (!r.ok) return told(await refusal(r), true)
    const found = (await r.json()) as Pasted
    const [one] = found.games
    if (one && (found.count === 1 || !byId('paste-games'))) return show(one, found.form)
    told(sayAnalysis('paste.as', { form: found.form }))
    byId('paste-games')?.replaceChildren(...found.games.slice(0, listed).map((g) => {
      const b = document.createElement('button')
      b.type = 'button'
      b.className = 'link'
      b.textContent = titleOf(g.names, g.steps.length)
      b.addEventListener('click', () => void show(g, found.form))
      const li = document.createElement('li')
      li.append(b)
      return li
    }))
  } catch {
    told(sayAnalysis('fault.failed'), true)
  }
}

async function files(list: FileList | null | undefined): Promise<void> {
  const [file] = list ?? []
  if (file) await read(await file.text(), file.name)
}

const ofFiles = (e: DragEvent): boolean => /Files/.test(e.dataTransfer?.types.join() ?? '')

form?.addEventListener('submit', (e) => {
  e.preventDefault()
  void read(field?.value ?? '')
})
field?.addEventListener('paste', () => setTimeout(() => void read(field.value)))
byId<HTMLInputElement>('paste-file')?.addEventListener('change', (e) => void files((e.target as HTMLInputElement).files))
document.addEventListener('dragover', (e) => { if (ofFiles(e)) e.preventDefault() })
document.addEventListener('drop', (e) => {
  if (!ofFiles(e)) return
  e.preventDefault()
  void files(e.dataTransfer?.files)
})

const list = byId('kept-list')
const lately = list ? (await allKept()).filter((k) => !k.id.startsWith('game-')) : []
if (list && lately.length > 0) {
  list.replaceChildren(...lately.map((k) => {
    const a = document.createElement('a')
    a.href = addressOf(k)
    const kind = document.querySelector(`.pick[value="${CSS.escape(k.spec.split(':')[0] ?? '')}"] span`)?.textContent ?? ''
    a.textContent = [k.name, kind, titleOf(k.names, k.steps.length)].filter((x) => x).join(' · ')
    const li = document.createElement('li')
    li.append(a, ' ', Object.assign(document.createElement('span'), { className: 'quiet small', textContent: new Date(k.when).toLocaleString(document.documentElement.lang) }))
    return li
  }))
  byId('kept')?.removeAttribute('hidden')
}
