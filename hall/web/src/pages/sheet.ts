// The options of a game: the press at the foot says what it will do, steppers count, and a
// clock that is typed is said as it is understood.

import { get } from '../net.ts'
import { copy } from './copy.ts'

const of = <T extends Element>(form: ParentNode, which: string): T | null => form.querySelector<T>(which)
const chosen = (form: HTMLFormElement, name: string): HTMLInputElement | null => of(form, `[name="${name}"]:checked`)

/** What of a form of options changes by itself. */
class Sheet {
  private readonly form: HTMLFormElement
  private ownSay = ''
  private asked = 0
  private clockChosen = false

  constructor(form: HTMLFormElement) {
    this.form = form
    this.ownSay = of<HTMLInputElement>(form, '[name=clock][value=own]')?.dataset['say'] ?? ''
    form.addEventListener('input', (e) => this.changed(e.target as HTMLInputElement))
    form.addEventListener('click', (e) => {
      const b = (e.target as Element).closest<HTMLElement>('[data-step]')
      if (b) this.step(b)
    })
    form.addEventListener('submit', (e) => {
      if (this.whom() === 'friend' && !form.dataset['to']) {
        e.preventDefault()
        void this.invite()
      }
      const b = of<HTMLButtonElement>(form, '.sheet-foot button')
      setTimeout(() => { if (b) b.disabled = true }) // pressed twice it plays once
    })
    addEventListener('pageshow', () => { // the page that the browser's way back shows again
      const b = of<HTMLButtonElement>(form, '.sheet-foot button')
      if (b) b.disabled = false
    })
    chosen(form, 'level')?.closest('label')?.scrollIntoView({ block: 'nearest', inline: 'center' })
    this.say()
  }

  private whom(): string {
    return this.form.dataset['to'] ? 'friend' : chosen(this.form, 'with')?.value ?? 'engine'
  }

  /** Makes the link for a friend, copies it, and goes to where one waits. */
  private async invite(): Promise<void> {
    const made = fetch(this.form.action, { method: 'POST', body: new URLSearchParams(new FormData(this.form) as unknown as Record<string, string>), headers: { Accept: 'text/html' } })
    const link = made.then((r) => {
      if (!r.ok || !new URL(r.url).pathname.startsWith('/c/')) throw new Error(String(r.status))
      return r.url
    })
    const done = await copy(link)
    await link.then((to) => { location.href = done ? `${to}#copied` : to }, async () => {
      const answer = await made.catch(() => undefined)
      if (answer?.ok) location.href = answer.url
      else if (answer) this.wrong(answer, await answer.text())
      else this.form.submit() // the browser says that there is no hall
    })
  }

  /** Says what is wrong, from the page that was answered, beside its field; in a group of chips below its name. */
  private wrong(answer: Response, page: string): void {
    const told = new DOMParser().parseFromString(page, 'text/html').querySelector('.field-fault, .detail, main p')
    const full = answer.status === 429 && !answer.headers.has('retry-after') // of invitations
    const name = !full && told?.id.startsWith('fault-') ? told.id.slice('fault-'.length) : 'with'
    of(this.form, '.field-fault')?.remove()
    const said = document.createElement('p')
    said.className = 'field-fault'
    said.setAttribute('role', 'alert')
    said.textContent = full ? this.form.dataset['full'] ?? '' : told?.textContent ?? ''
    const field = of(this.form, `[name="${CSS.escape(name)}"]:not([type=hidden])`)
    const place = field?.closest('.chips')?.parentElement?.querySelector('legend') ?? field ?? of(this.form, '.sheet-head')
    place?.after(said)
    field?.closest('details')?.setAttribute('open', '')
    said.scrollIntoView({ block: 'nearest' })
    const b = of<HTMLButtonElement>(this.form, '.sheet-foot button')
    if (b) b.disabled = false
  }

  private changed(field: HTMLInputElement): void {
    if (field.name === 'clock') this.clockChosen = true
    if (field.name === 'with' && !this.clockChosen) this.usualClock(field.value)
    if (field.name === 'level') {
      const about = of(this.form, '#about-level')
      if (about) about.textContent = field.dataset['about'] ?? ''
      of<HTMLSelectElement>(this.form, '[name=engine]')!.value = ''
    }
    if (field.id.startsWith('own')) this.own(field)
    this.say()
  }

  /** People have clocks where nothing else is chosen, engines none. */
  private usualClock(whom: string): void {
    const clock = { friend: '600+5', anybody: '300+3', engines: '300+3' }[whom] ?? 'inf'
    const field = of<HTMLInputElement>(this.form, `[name=clock][value="${clock}"]`)
    if (field) field.checked = true
    const lot = of<HTMLInputElement>(this.form, '[name=colour][value=random]')
    if (lot && whom === 'anybody') lot.checked = true
  }

  private step(button: HTMLElement): void {
    const field = of<HTMLInputElement>(button.parentElement as Element, 'input')
    if (!field) return
    const n = Number(field.value.replace(',', '.')) + Number(button.dataset['step'])
    field.value = String(field.id.startsWith('own') ? Math.max(0, n) : n)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }

  /** A clock of one's own: three numbers write the text, and the text is read by the hall. */
  private own(field: HTMLInputElement): void {
    const value = (id: string) => of<HTMLInputElement>(this.form, `#own-${id}`)?.value ?? ''
    const text = of<HTMLInputElement>(this.form, '#own')
    if (!text) return
    if (field.id === 'own-each') text.value = `${value('each')} s`
    else if (field.id !== 'own') text.value = `${value('minutes')}+${value('adds')}`
    const now = ++this.asked
    setTimeout(() => void this.read(now, text.value), 120)
  }

  private async read(now: number, text: string): Promise<void> {
    if (now !== this.asked) return
    const r = await get(`/play/clock?text=${encodeURIComponent(text)}`, { Accept: 'text/html' })
    const said = of<HTMLElement>(this.form, '#own-read')
    if (!r.ok || !said || now !== this.asked) return
    said.innerHTML = await r.text() // made by the hall's own templates, which escape
    this.ownSay = of<HTMLElement>(said, 'span')?.dataset['say'] ?? ''
    this.say()
  }

  /** Says on the button what it does. */
  private say(): void {
    const { form } = this
    const whom = this.whom()
    form.dataset['with'] = whom
    const clock = chosen(form, 'clock')
    const other = of<HTMLSelectElement>(form, '[name=engine]')?.value
    const put: Readonly<Record<string, string | undefined>> = {
      name: form.dataset['to'] || other || chosen(form, 'level')?.dataset['say'],
      as: chosen(form, 'colour')?.dataset['say'],
      clock: clock?.value === 'own' ? this.ownSay : clock?.dataset['say'],
    }
    const button = of<HTMLElement>(form, '.sheet-foot button')
    if (!button) return
    button.dataset['act'] = whom === 'friend' && !form.dataset['to'] ? 'copy' : 'play'
    button.textContent = (form.dataset[whom] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => put[name] ?? '')
  }
}

/** Lets a form of options be used. */
export const startSheet = (form: HTMLFormElement): unknown => new Sheet(form)
