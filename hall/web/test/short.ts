// What is played where any game of a kind will do: all games, with options that make a game
// short where it has such.

import { boards } from '../src/games/list.ts'

const options: Readonly<Record<string, string>> = {
  gomoku: 'size=5', connect6: 'size=6', nogo: 'size=4', dotsandboxes: 'size=3', phantomgo: 'size=3,maxplies=20', surakarta: 'nocapture=12', darkchess: 'noeat=8',
}

/** All games, as specifications. */
export const shortGames: readonly string[] = Object.keys(boards).map((id) => (options[id] ? `${id}:${options[id]}` : id))
