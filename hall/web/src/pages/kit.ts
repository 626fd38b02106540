// Tools of the page of a game that scripts are handed which are loaded when they are needed: what these
// imported themselves would be cut out of scripts of all pages, each of which would need requests more.

import { drawn } from '../draw/figures.ts'
import { el } from '../draw/svg.ts'
import { lookOf, pieceOf } from '../games/looks.ts'
import { html } from '../panel.ts'
import { textName } from '../names.ts'
import { pieceName } from '../say.ts'
import { parseSpot, parseStep, spotOf, target } from '../step.ts'
import { text } from '../words.ts'
import { get, refusal } from '../net.ts'
import { aloud, setText } from './dom.ts'
import { shareOf, showGauge } from './gauge.ts'
import { post, postAsGuest } from './post.ts'
import { movesTo } from './tree.ts'
import { boardWords, chance, mate, moveName, number, say, sayAnalysis, scoreOf } from './words.ts'

export const kit = {
  aloud, boardWords, chance, drawn, el, get, html, lookOf, mate, moveName, movesTo, number, parseSpot, parseStep, pieceName, pieceOf, post, postAsGuest, refusal, say, sayAnalysis, scoreOf, setText, shareOf, showGauge, spotOf, target, text, textName,
} as const

export type Kit = typeof kit
