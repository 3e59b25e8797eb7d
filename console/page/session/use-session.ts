import { createContext, useContext } from 'react'
import type { Membership, Session } from './session-api.js'

/** Who is signed in, at which tenant, and how that changes. */
export interface SignedIn {
  session: Session
  /** Undefined where an operator looks at the deployment, not at a tenant. */
  tenant: Membership | undefined
  /** Reads the session again, after it was changed on the server. */
  refresh: () => Promise<void>
}

export const SessionContext = createContext<SignedIn | undefined>(undefined)

/** @throws Error outside of the pages that need a session */
export function useSession(): SignedIn {
  const found = useContext(SessionContext)
  if (!found) throw new Error('there is no session here')
  return found
}
