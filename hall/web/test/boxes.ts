// Where the parts of a stage are, noted while a game is played.

declare global {
  interface Window {
    /** Boxes of the stage each time that they were another, from the first position on. */
    boxes: string[]
  }
}

/** Notes where the parts of a stage are whenever something on the page has changed. */
export function noteBoxes(): void {
  window.boxes = []
  const look = () => {
    const parts = [...document.querySelectorAll<HTMLElement>('[data-part]')].filter((e) => !['rail', 'left', 'card'].includes(e.dataset['part'] ?? ''))
    const now = parts.map((e) => {
      const r = e.getBoundingClientRect()
      return `${e.dataset['part']} ${[r.x, r.y + scrollY, r.width, r.height].map(Math.round).join(' ')}`
    }).join('\n')
    if (window.boxes.at(-1) !== now) window.boxes.push(now)
  }
  const watch = () => {
    if (!document.querySelector('[data-part=board] .kb-picture[viewBox]')) return void requestAnimationFrame(watch)
    requestAnimationFrame(() => {
      look()
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
    })
  }
  document.addEventListener('DOMContentLoaded', watch)
}

/** Screens on which a stage is laid out in three ways. */
export const stages = [[390, 844], [1440, 900], [844, 390]] as const
