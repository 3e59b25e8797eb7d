import { useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react'
import { tellSessionOver } from '../graph/act-keys.js'
import { keptTabTenant, type TabTenant } from './tab-tenant.js'
import { useSession } from './use-session.js'

/** Whose session has ended in this tab, and where, until somebody signs in; undefined while one lasts, and after one's own sign-out. */
let ended: TabTenant | undefined
/** What was typed by then; it is in the memory of the page alone. */
const drafts = new Map<string, unknown>()

/** To be called before the pages go as there is no session any more. */
export function noteNoSession(): void {
  ended = keptTabTenant()
  tellSessionOver(ended !== undefined)
  if (!ended) drafts.clear()
}

/** To be called before the pages come: what another person has typed is forgotten. */
export function noteSession(personId: string): void {
  if (ended && ended.personId !== personId) drafts.clear()
  ended = undefined
  tellSessionOver(false)
}

const ALWAYS = (): boolean => true

/**
 * What is typed in a form, or which dialog is open, as `useState` has it; no secret may be in it. Where the session ends meanwhile, as by
 * a sign-out in another tab, the form of the same name begins with it again once the same person has signed in and looks at the same tenant.
 * @param mayKeep which of it is kept; the same function each time
 */
export function useKeptDraft<Draft>(
  name: string,
  first: () => Draft,
  mayKeep: (draft: Draft) => boolean = ALWAYS,
): [Draft, Dispatch<SetStateAction<Draft>>] {
  const { session, tenant } = useSession()
  const key = [name, session.person.id, tenant?.id ?? ''].join(' ')
  const [initial] = useState(first)
  const [draft, setDraft] = useState<Draft>(() => (drafts.has(key) ? (drafts.get(key) as Draft) : initial))
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  useEffect(() => {
    drafts.delete(key)
    return () => {
      if (ended && latest.current !== initial && mayKeep(latest.current)) drafts.set(key, latest.current)
    }
  }, [key, initial, mayKeep])
  return [draft, setDraft]
}
