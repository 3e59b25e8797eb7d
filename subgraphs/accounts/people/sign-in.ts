import type { Transaction } from '../../../kernel/database.js'
import { checkCode } from './codes.js'
import type { PeopleDeps } from './deps.js'
import { personEmail } from './email.js'
import { overBefore } from './find-session.js'

/** What a session is kept under, and from where it is opened. */
export interface SessionOrigin {
  /** SHA-256, hex, of what the cookie will hold. */
  hash: string
  /** From where it comes: the address, and what the browser calls itself. */
  address: string
  agent: string
}

/** A sign-in by a code. */
export interface SignInInput extends SessionOrigin {
  email: string
  code: string
  /** SHA-256, hex, of what the cookie of the browser holds, with which it has asked for the code. */
  browserHash?: string | null
}

const AGENT_MAX_LENGTH = 300

type SignInDeps = Pick<
  PeopleDeps,
  'clock' | 'codes' | 'knownBrowsers' | 'newId' | 'people' | 'sessions' | 'settings' | 'transaction' | 'writeAct'
>

/**
 * Opens a session for who has the newest code that was sent to an address, in the browser that asked for it. Who was unknown is a person
 * from then on.
 * @returns false where the code is not right, was used, or has run out
 * @throws validation_error on `email`
 */
export async function signIn(deps: SignInDeps, input: SignInInput): Promise<boolean> {
  const email = personEmail(input.email)
  const browserHash = input.browserHash ?? null
  const owner = { email, purpose: 'sign-in', browserHash } as const
  const codeHash = await checkCode(deps, owner, input.code)
  if (codeHash === undefined) return false
  const now = deps.clock.now()
  return deps.transaction(async (em) => {
    if (!(await deps.codes.consume(em, owner, codeHash))) return false
    if (browserHash !== null) await deps.knownBrowsers.note(em, { email, browserHash }, now)
    const personId = await deps.people.know(em, { id: deps.newId(), email, now, isVerified: true })
    await beginSession(deps, em, await arrival(deps, em, { personId, email }, input), {})
    return true
  })
}

/** A person who comes in: where the session begins, and who that is to the audit log. */
export type Arrival = Awaited<ReturnType<typeof arrival>>

/** An operator begins with the deployment, anyone else with the first of the tenants. */
export async function arrival(
  deps: Pick<PeopleDeps, 'people' | 'settings'>,
  em: Transaction,
  { personId, email }: { personId: string; email: string },
  { hash, address, agent }: SessionOrigin,
) {
  const isOperator = deps.settings.operatorEmails.has(email)
  const tenantId = isOperator ? null : await deps.people.firstTenant(em, personId)
  const from = { address, agent: agent.slice(0, AGENT_MAX_LENGTH) }
  return { hash, who: { tenantId, actorId: personId, actorEmail: email, isOperator, ...from } }
}

/** Opens the session of who has come in, as a part of the transaction in which the proof of it is used up. */
export async function beginSession(
  deps: Pick<PeopleDeps, 'clock' | 'newId' | 'sessions' | 'writeAct'>,
  em: Transaction,
  { hash, who }: Arrival,
  subjects: Record<string, string>,
): Promise<void> {
  const { actorId: personId, tenantId, address, agent } = who
  const now = deps.clock.now()
  const id = deps.newId()
  await deps.sessions.forget(em, personId, overBefore(now))
  await deps.sessions.add(em, { id, hash, personId, tenantId, address, agent, now })
  await deps.writeAct(em, { ...who, operation: 'signIn', subjects: { sessionId: id, ...subjects } })
}
