import type { Transaction } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import { assertMay } from '../../../kernel/permissions.js'
import type { Caller } from '../../../kernel/tenant.js'
import type { AccountsDeps } from '../deps.js'

/**
 * Asks again whether who acts may do it, as the first thing in the transaction of the act, and keeps the answer true until that ends:
 * what the gateway knows of a session is up to five seconds old, and a key, a secret or an invitation outlives the session.
 * @returns the caller with the role of now
 * @throws permission_denied where the role has gone or does not do, unauthorized where the session was ended
 */
export type Reauthorize = (em: Transaction) => Promise<Caller>

/** A tenant, and how to ask again about the person who acts for it. */
export interface ActingTenant {
  id: string
  /** Absent where the deployment itself acts, on its command line. */
  reauthorize?: Reauthorize
}

/** @param field the root field that is done, by its row in the table of permissions */
export function reauthorizationOf(
  { accounts, clock }: Pick<AccountsDeps, 'accounts' | 'clock'>,
  caller: Caller,
  field: string,
): Reauthorize {
  return async (em) => {
    const { tenantId, person } = caller
    if (!person) throw new AppError('permission_denied')
    const role = tenantId === null ? person.role : await accounts.lockRole(em, tenantId, person.id)
    if (role === undefined) throw new AppError('permission_denied')
    const isOpen = person.sessionId === undefined || (await accounts.lockSession(em, person.sessionId, person.id))
    if (!isOpen) throw new AppError('unauthorized')
    const now: Caller = { ...caller, person: { ...person, role } }
    assertMay(now, field, () => clock.now())
    return now
  }
}
