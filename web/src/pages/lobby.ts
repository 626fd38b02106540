// The lobby: its lists follow the hall, and the games in progress are small boards that
// live on one stream.

import type { KibitzBoard } from '../element.ts'
import '../board.ts'
import type { Delta, State } from '../wire.ts'
import { byId, fetchPart } from './dom.ts'
import { openStream, type Stream } from './stream.ts'
import { localTimes } from './times.ts'
import { boardWords } from './words.ts'

const root = byId('lobby-live')

const boards = (from: ParentNode): KibitzBoard[] => [...from.querySelectorAll<KibitzBoard>('kibitz-board[data-game]')]
const gameOf = (b: Element): string => b.getAttribute('data-game') ?? ''

let together: Stream | undefined
let following = ''

/** Follows the games that are shown, on one stream. */
function follow(from: ParentNode): void {
  const list = boards(from)
  for (const b of list) b.words = boardWords()
  const ids = list.map(gameOf).sort()
  if (ids.join() === following) return
  following = ids.join()
  together?.close()
  together = undefined
  if (ids.length === 0) return
  const query = ids.map((id) => `game=${encodeURIComponent(id)}`).join('&')
  const board = (id: string) => boards(from).find((b) => gameOf(b) === id.slice(0, id.lastIndexOf(':')))
  const anew = () => {
    following = ''
    follow(from)
  }
  together = openStream(() => `/api/v1/games/events?${query}`, {
    on: {
      view: (s) => boards(from).find((b) => gameOf(b) === (s as State).game)?.show(s as State),
      delta: (d, id) => {
        const b = board(id)
        if (b && !b.advance(d as Delta)) anew()
      },
    },
  })
}

/** Takes the lists anew; boards of games that go on stay as they are. */
async function renew(): Promise<void> {
  const fresh = await fetchPart('/lobby/live')
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
}

if (root) {
  follow(root)
  let waiting = 0
  openStream(() => '/api/v1/lobby/events', {
    on: {
      change: () => {
        clearTimeout(waiting)
        waiting = window.setTimeout(() => void renew(), 200)
      },
    },
  })
}
