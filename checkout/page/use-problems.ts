import { useState } from 'preact/hooks'

/** Texts by field. */
export type Texts<Name extends string> = Readonly<Partial<Record<Name, string>>>

/** What a form shows to be wrong, and when. */
export interface Problems<Name extends string> {
  /** What is shown of a field now. */
  of: (name: Name) => string | undefined
  /** The payer has left a field, or filled it up: from now on it is judged as he types. */
  leave: (name: Name) => void
  /** The payer wants to go on: all is judged from now on. @returns whether nothing is wrong */
  submit: () => boolean
  /** Somebody else has found these values wrong: said until they change. */
  refuse: (texts: Texts<Name>) => void
}

/**
 * Judges a form as its payer types: no field before he has left it, and none that is empty before he wants to go on. What is mended is
 * mended at once.
 * @param values what is typed
 * @param found what is wrong with it
 */
export function useProblems<Name extends string>(values: Texts<Name>, found: Texts<Name>): Problems<Name> {
  const [isAsked, setAsked] = useState(false)
  const [left, setLeft] = useState<readonly Name[]>([])
  const [refused, setRefused] = useState<{ values: Texts<Name>; texts: Texts<Name> }>()
  return {
    of: (name) => {
      const isJudged = isAsked || (left.includes(name) && (values[name] ?? '') !== '')
      if (isJudged && found[name] !== undefined) return found[name]
      return refused && refused.values[name] === values[name] ? refused.texts[name] : undefined
    },
    leave: (name) => {
      setLeft((before) => (before.includes(name) ? before : [...before, name]))
    },
    submit: () => {
      setAsked(true)
      setRefused(undefined)
      return Object.keys(found).length === 0
    },
    refuse: (texts) => {
      setRefused({ values, texts })
    },
  }
}
