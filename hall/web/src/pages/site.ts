// The script of every page: what makes it more pleasant where there are scripts.

import { localTimes } from './times.ts'

localTimes(document)

for (const field of document.querySelectorAll<HTMLInputElement>('input[readonly]')) field.addEventListener('focus', () => field.select())
