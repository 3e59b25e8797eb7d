import { useEffect } from 'react'
import { useText } from './use-text.js'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Has forms say what is wrong in the page's language: the browser's own hints are in the browser's. */
export function useOwnHints(): void {
  const { invalid } = useText()
  useEffect(() => {
    const hint = ({ target }: Event): void => {
      const field = target as Field
      field.setCustomValidity('')
      const { valid, valueMissing, typeMismatch } = field.validity
      if (valid) return
      const ofType = field.type === 'email' ? invalid.email : field.type === 'url' ? invalid.url : invalid.other
      field.setCustomValidity(valueMissing ? invalid.missing : typeMismatch ? ofType : invalid.other)
    }
    // Before a form is looked at again, nothing is known to be wrong: a field with a hint would never be right.
    const forget = ({ target }: Event): void => {
      const form = target instanceof Element ? target.closest('form') : null
      for (const field of form?.elements ?? []) if ('setCustomValidity' in field) (field as Field).setCustomValidity('')
    }
    const changes = ['input', 'change', 'click'] as const
    document.addEventListener('invalid', hint, true)
    for (const name of changes) document.addEventListener(name, forget, true)
    return () => {
      document.removeEventListener('invalid', hint, true)
      for (const name of changes) document.removeEventListener(name, forget, true)
    }
  }, [invalid])
}
