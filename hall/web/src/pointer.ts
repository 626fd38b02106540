// Mouse, finger and pen. A press on a piece that can move picks it up, and it can be
// dragged from there or put down by a second press; elsewhere a press counts when it is
// released where it began. The right button draws arrows, and so does every press while
// the board's button for it is on.

import { draw, drop, lift, press, type Early } from './act.ts'
import type { Board } from './state.ts'
import type { Spot } from './step.ts'
import type { Point } from './wire.ts'

/** What the pointer needs of a board on a page. */
export interface Surface {
  readonly root: SVGElement
  board(): Board
  early(): Early
  change(b: Board): void
  spot(e: PointerEvent): Spot | undefined
  /** Lets the piece on a spot follow the pointer; nothing puts it back. */
  carry(spot: Spot | undefined, e?: PointerEvent): void
}

interface Press {
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
    now = undefined
    s.carry(undefined)
  }
  s.root.addEventListener('contextmenu', (e) => { if (!s.board().options.still) e.preventDefault() })
  s.root.addEventListener('pointerdown', (e) => {
    const spot = s.spot(e)
    const b = s.board()
    if (!spot || b.options.still || now || (e.button !== 0 && e.button !== 2)) return
    const arrow = e.button === 2 || e.shiftKey || b.drawing === true
    const next = arrow ? b : lift(b, spot, s.early())
    now = { spot, at: [e.clientX, e.clientY], arrow, lifted: next !== b && b.picked !== spot, picked: next.picked === spot, moved: false }
    s.root.setPointerCapture(e.pointerId)
    if (next !== b) s.change(next)
  })
  s.root.addEventListener('pointermove', (e) => {
    if (!now) return
    now.moved ||= Math.hypot(e.clientX - now.at[0], e.clientY - now.at[1]) > 4
    if (now.picked && now.moved) s.carry(now.spot, e)
  })
  s.root.addEventListener('pointerup', (e) => {
    const was = now
    if (!was) return
    const spot = s.spot(e)
    end()
    const b = s.board()
    if (was.arrow) {
      if (spot) s.change(draw(b, was.spot, spot))
    } else if (was.picked && spot !== was.spot) {
      s.change(drop(b, spot, s.early()))
    } else if (spot === was.spot && !was.lifted) {
      s.change(press(b, spot, s.early()))
    }
  })
  s.root.addEventListener('pointercancel', end)
}
