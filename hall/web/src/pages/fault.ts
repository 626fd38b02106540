// What is wrong with a form of a room, said beside its field.

/** Says what is wrong beside the field that a fault names in front, as the hall does on
    its pages; false if it names none. */
export function pointOut(form: HTMLFormElement, fault: string, said: string): boolean {
  const word = /^(?:not valid: )?-*([a-z-]+)/.exec(fault)?.[1]?.replaceAll('-', '').replace(/s$/, '')
  const field = [...form.elements].find((e): e is HTMLInputElement => e instanceof HTMLInputElement && e.type !== 'hidden' && word !== undefined && e.name.replace(/s$/, '') === word)
  if (!field) return false
  field.setCustomValidity(said)
  field.reportValidity()
  field.addEventListener('input', () => field.setCustomValidity(''), { once: true })
  return true
}
