// What is wrong with a form of a room, said beside its field.

/** Says what is wrong beside the field that is; false if the form has none of that name. */
export function pointOut(form: HTMLFormElement, name: string, said: string): boolean {
  const one = (word: string) => word.replace(/s$/, '') // each may be in the plural
  const field = [...form.elements].find((e): e is HTMLInputElement => e instanceof HTMLInputElement && e.type !== 'hidden' && e.name !== '' && one(e.name) === one(name))
  if (!field) return false
  field.setCustomValidity(said)
  field.reportValidity()
  field.addEventListener('input', () => field.setCustomValidity(''), { once: true })
  return true
}
