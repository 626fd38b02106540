// Times in the reader's own zone.

import { language } from './words.ts'

const forms: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  day: { dateStyle: 'medium' },
  moment: { dateStyle: 'medium', timeStyle: 'short' },
}

/** Rewrites the times below an element. */
export function localTimes(root: ParentNode): void {
  for (const e of root.querySelectorAll<HTMLTimeElement>('time[data-form]')) {
    const t = new Date(e.dateTime)
    const form = forms[e.dataset['form'] ?? '']
    if (form && !Number.isNaN(t.getTime())) e.textContent = new Intl.DateTimeFormat(language(), form).format(t)
  }
}
