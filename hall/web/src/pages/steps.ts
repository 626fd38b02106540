// Going through a game: a button that is held goes on, a game plays by itself, turn by turn.

/** How long a button is pressed until it goes on, and how far its steps are apart, in milliseconds. */
const [patience, apart] = [400, 125]

/** Has the buttons that go a turn back or on repeat while they are held. */
export function holdSteps(page: HTMLElement, step: (way: string) => void): void {
  let timer = 0
  let repeats = false
  const end = () => clearInterval(timer)
  page.addEventListener('pointerdown', (e) => {
    const way = (e.target as Element).closest<HTMLElement>('[data-go=back], [data-go=on]')?.dataset['go']
    end()
    repeats = false
    if (!way || e.button !== 0) return
    timer = window.setTimeout(() => {
      repeats = true
      step(way)
      timer = window.setInterval(() => step(way), apart)
    }, patience)
  })
  for (const e of ['pointerup', 'pointercancel', 'blur']) window.addEventListener(e, end)
  for (const e of ['dragstart', 'contextmenu']) page.addEventListener(e, (x) => { if ((x.target as Element).closest('[data-go]')) x.preventDefault() })
  page.addEventListener('click', (e) => {
    if (!repeats) return
    repeats = false
    e.preventDefault() // it is the end of a press that has done its work
    e.stopImmediatePropagation()
  }, true)
}

/** Says of a key that is held when it is time for its next step. */
export function paceOfKeys(): (e: KeyboardEvent) => boolean {
  let last = -Infinity
  return (e) => {
    if (e.repeat && e.timeStamp - last < apart) return false
    last = e.timeStamp
    return true
  }
}

/** Plays a game by itself from a press of a button to the next, as many turns a second as a field says.
    step goes a turn on, and tells whether there is another one. */
export function playsBy(button: HTMLButtonElement, speed: HTMLSelectElement | null, begin: () => void, step: () => boolean): void {
  let timer = 0
  const press = () => {
    const now = button.ariaLabel ?? ''
    button.ariaLabel = button.dataset['other'] ?? ''
    button.dataset['other'] = now
    button.textContent = timer ? '▶' : '■'
    clearInterval(timer)
    timer = timer ? 0 : start()
  }
  const start = () => window.setInterval(() => { if (!step()) press() }, 1000 / Number(speed?.value ?? 1))
  button.addEventListener('click', () => {
    if (!timer) begin()
    press()
  })
  speed?.addEventListener('change', () => {
    if (!timer) return
    clearInterval(timer)
    timer = start()
  })
}
