// What is played now: its list follows the hall, and the games in progress are small boards that
// live on one stream.

import { defineBoard } from '../board.ts'
import type { KibitzBoard } from '../element.ts'
import { followMany } from '../live.ts'
import { oneAtATime, soon } from '../net.ts'
import { byId, fetchPart } from './dom.ts'
import { openStream } from '../stream.ts'
import { localTimes } from './times.ts'
import { boardWords } from './words.ts'

defineBoard(boardWords())

const root = byId('watch-live')

const boards = (from: ParentNode): KibitzBoard[] => [...from.querySelectorAll<KibitzBoard>('kibitz-board[data-game]')]
const gameOf = (b: Element): string => b.getAttribute('data-game') ?? ''

let together: { close(): void } | undefined
let following = ''

/** Follows the games that are shown, on one stream. */
function follow(from: ParentNode): void {
  const list = boards(from)
  const ids = list.map(gameOf).sort()
  if (ids.join() === following) return
  following = ids.join()
  together?.close()
  together = undefined
  if (ids.length === 0) return
  together = followMany(new Map(list.map((b) => [gameOf(b), {
    show: (s) => b.show(s), advance: (d) => b.advance(d), ask: () => {}, over: () => {}, lost: () => {},
  }])))
}

/** Takes the lists anew; boards of games that go on stay as they are. */
const renew = oneAtATime(async () => {
  const fresh = await fetchPart('/watch/live')
  if (!root || !fresh) return
  const have = new Map(boards(root).map((b) => [gameOf(b), b]))
  const busy = document.activeElement instanceof HTMLAnchorElement && root.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null
  for (const b of boards(fresh)) {
    const old = have.get(gameOf(b))
    if (old) b.replaceWith(old)
  }
  root.replaceChildren(...fresh.childNodes)
  localTimes(root)
  if (busy) root.querySelector<HTMLElement>(`a[href="${CSS.escape(busy)}"]`)?.focus()
  follow(root)
})

if (root) {
  follow(root)
  openStream(() => '/api/v1/lobby/events', { on: { change: soon(() => void renew(), 200) } })
}
