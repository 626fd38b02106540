// The page of the options of a game.

import { startSheet } from './sheet.ts'

const form = document.querySelector<HTMLFormElement>('form.sheet')
if (form) startSheet(form)
