// Lists and panes whose latest entry is kept in sight.

/** Whether the reader of a box has scrolled away from its end, of every box that is kept there. */
const left = new WeakMap<HTMLElement, boolean>()

/** Shows the end of a box in its next picture, unless its reader has scrolled away. Nothing is
 * measured before that: what changes a page would pay for a layout of its own. */
export function keepEnd(box: HTMLElement, along: 'down' | 'across' = 'down'): void {
  if (!left.has(box)) {
    left.set(box, false)
    if (along === 'down') box.addEventListener('scroll', () => left.set(box, box.scrollTop + box.clientHeight < box.scrollHeight - 40), { passive: true })
  }
  requestAnimationFrame(() => {
    if (left.get(box)) return
    if (along === 'down') box.scrollTop = box.scrollHeight
    else box.scrollLeft = box.scrollWidth
  })
}
