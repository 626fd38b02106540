// The page of one engine's console: what the hall has put there is followed from then on.

import { Panes } from './pane.ts'

const page = document.querySelector<HTMLElement>('.console-page')
if (page) new Panes(page).open(page.dataset['game'] ?? '', page.dataset['seat'] ?? '', '')
