// Mouse, finger and pen. A press on a piece that can move picks it up, and it can be
// dragged from there or put down by a second press; elsewhere a press counts when it is
// released where it began. The right button draws arrows, and so does every press while
// the board's button for it is on.

import { draw, drop, lift, press } from './act.ts'
import type { Board } from './state.ts'
import type { Spot } from './step.ts'
import type { Early, Point } from './wire.ts'

/** What the pointer needs of a board on a page. */
export interface Surface {
  readonly root: SVGElement
  board(): Board
  early(): Early
  change(b: Board): void
  spot(e: PointerEvent): Spot | undefined
  /** How a finger takes a spot: it is pressed, it may slide to it, or it aims and a second press takes it. */
  way(): Way
  /** Shows what is under a finger enlarged; without one no longer. */
  magnify(e?: PointerEvent): void
  /** A finger that aims is lifted. */
  aimed(e: PointerEvent): void
  /** A finger has gone across, to the left if way is 1, to the right if it is -1. */
  swiped(way: 1 | -1): void
  /** Lets the piece on a spot follow the pointer; nothing puts it back. */
  carry(spot: Spot | undefined, e?: PointerEvent): void
}

/** How far a finger goes across at least, in pixels. */
const across = 40

export type Way = 'press' | 'slide' | 'aim'

interface Press {
  readonly way: Way
  readonly spot: Spot
  readonly at: Point
  readonly arrow: boolean
  /** The piece was lifted by this press. */
  readonly lifted: boolean
  readonly picked: boolean
  moved: boolean
}

export function listen(s: Surface): void {
  let now: Press | undefined
  const end = () => {
    if (now?.moved) s.carry(undefined)
    if (now && now.way !== 'press') s.magnify(undefined)
    now = undefined
  }
  s.root.addEventListener('contextmenu', (e) => { if (!s.board().options.still) e.preventDefault() })
  s.root.addEventListener('pointerdown', (e) => {
    const spot = s.spot(e)
    const b = s.board()
    if (!spot || b.options.still || now || (e.button !== 0 && e.button !== 2)) return
    const arrow = e.button === 2 || e.shiftKey || b.drawing === true
    const way = arrow || e.pointerType === 'mouse' ? 'press' : s.way()
    const next = arrow || way !== 'press' ? b : lift(b, spot, s.early())
    now = { way, spot, at: [e.clientX, e.clientY], arrow, lifted: next !== b && b.picked !== spot, picked: next.picked === spot, moved: false }
    if (e.pointerType !== 'touch') s.root.setPointerCapture(e.pointerId) // a finger is captured as it is
    if (next !== b) s.change(next)
    if (way !== 'press') s.magnify(e)
  })
  s.root.addEventListener('pointermove', (e) => {
    if (!now) return
    if (now.way !== 'press') return s.magnify(e)
    now.moved ||= Math.hypot(e.clientX - now.at[0], e.clientY - now.at[1]) > 4
    if (now.picked && now.moved) s.carry(now.spot, e)
  })
  s.root.addEventListener('pointerup', (e) => {
    const was = now
    if (!was) return
    const spot = s.spot(e)
    end()
    const b = s.board()
    const [right, down] = [e.clientX - was.at[0], e.clientY - was.at[1]]
    if (was.way === 'aim') {
      s.aimed(e)
    } else if (was.way === 'slide') {
      if (spot) s.change(press(b, spot, s.early()))
    } else if (was.way === 'press' && !was.arrow && !was.picked && e.pointerType === 'touch' && Math.abs(right) >= across && Math.abs(right) > 2 * Math.abs(down)) {
      s.swiped(right < 0 ? 1 : -1)
    } else if (was.arrow) {
      if (spot) s.change(draw(b, was.spot, spot))
    } else if (was.picked && spot !== was.spot) {
      s.change(drop(b, spot, s.early()))
    } else if (spot === was.spot && !was.lifted) {
      s.change(press(b, spot, s.early()))
    }
  })
  s.root.addEventListener('pointercancel', end)
  // What a browser makes of a tap for pages that know a mouse alone would come before the frame with the stone.
  s.root.addEventListener('touchend', (e) => {
    const busy = document.activeElement
    if (e.cancelable && !s.board().options.still && (busy === null || busy === document.body || s.root.contains(busy))) e.preventDefault()
  })
}
