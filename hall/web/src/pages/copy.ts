// Putting a text into the clipboard, also where a page without TLS is not given it.

/** Copies a text; the promise of one where the browser allows only what a press asks for at
 * once. Returns whether it is in the clipboard. */
export async function copy(text: string | Promise<string>): Promise<boolean> {
  try {
    if (typeof text !== 'string' && typeof ClipboardItem !== 'undefined' && navigator.clipboard) {
      const blob = text.then((s) => new Blob([s], { type: 'text/plain' }))
      blob.catch(() => {}) // a text that does not come is said by whoever wanted it
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    } else if (navigator.clipboard) {
      await navigator.clipboard.writeText(await text)
    } else {
      return copySelected(await text)
    }
    return true
  } catch {
    return false
  }
}

function copySelected(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'hidden'
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  return done
}
