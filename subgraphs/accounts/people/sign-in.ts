import { checkCode } from './codes.js'
import type { PeopleDeps } from './deps.js'
import { personEmail } from './email.js'
import { overBefore } from './find-session.js'

/** A sign-in, and what its session is kept under. */
export interface SignInInput {
  email: string
  code: string
  /** SHA-256, hex, of what the cookie will hold. */
  hash: string
  /** From where it comes: the address, and what the browser calls itself. */
  address: string
  agent: string
}

const AGENT_MAX_LENGTH = 300

type SignInDeps = Pick<
  PeopleDeps,
  'clock' | 'codes' | 'newId' | 'people' | 'sessions' | 'settings' | 'transaction' | 'writeAct'
>

/**
 * Opens a session for who has the newest code that was sent to an address. Who was unknown is a person from then on. An
 * operator begins with the deployment, anyone else with the first of the tenants.
 * @returns false where the code is not right, was used, or has run out
 * @throws validation_error on `email`
 */
export async function signIn(deps: SignInDeps, input: SignInInput): Promise<boolean> {
  const email = personEmail(input.email)
  const owner = { email, purpose: 'sign-in' } as const
  const codeHash = await checkCode(deps, owner, input.code)
  if (codeHash === undefined) return false
  const now = deps.clock.now()
  return deps.transaction(async (em) => {
    if (!(await deps.codes.consume(em, owner, codeHash))) return false
    const personId = await deps.people.know(em, { id: deps.newId(), email, now, isVerified: true })
    const isOperator = deps.settings.operatorEmails.has(email)
    const tenantId = isOperator ? null : await deps.people.firstTenant(em, personId)
    await deps.sessions.forget(em, personId, overBefore(now))
    const { hash, address } = input
    const agent = input.agent.slice(0, AGENT_MAX_LENGTH)
    const id = deps.newId()
    await deps.sessions.add(em, { id, hash, personId, tenantId, address, agent, now })
    const who = { tenantId, actorId: personId, actorEmail: email, isOperator, address, agent }
    await deps.writeAct(em, { ...who, operation: 'signIn', subjects: { sessionId: id } })
    return true
  })
}
