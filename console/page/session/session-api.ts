import type { Language } from '../messages/language.js'
import { keepTabTenant, keptTabTenant, tenantHeader } from './tab-tenant.js'

/** A tenant that the person is one of. */
export interface Membership {
  id: string
  name: string
  role: 'owner' | 'developer' | 'support' | 'viewer'
}

/** A tenant that asks the person to be one of its people. */
export interface Invitation {
  id: string
  tenantName: string
  role: Membership['role']
  /** The address of who invited. */
  invitedBy: string | null
}

export interface Session {
  person: { id: string; email: string; isOperator: boolean }
  /** What the person may do at the tenant that is looked at, or as an operator. */
  rights: readonly string[]
  tenants: readonly Membership[]
  invitations: readonly Invitation[]
  /** The tenant that this tab shows; null before one is chosen, and where the person does not belong to it any more. */
  tenantId?: string | null
  /** Whether this tab showed a tenant that the person does not belong to any more, until another place is chosen. */
  isTenantGone?: boolean
  /** Whether the person can prove with a passkey. */
  hasPasskeys: boolean
}

/** What the console's own routes refuse. */
export class SessionError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** @returns the session that the browser has, at the tenant that this tab shows; null where it has none */
export async function readSession(): Promise<Session | null> {
  const kept = keptTabTenant()
  const answer = await fetch('/console/api/session', { headers: headersOfTab() })
  if (answer.status === 401) return null
  const session = (await bodyOf(answer)) as Session
  if (kept && kept.personId !== session.person.id) {
    // Somebody else has signed in: the tab is a fresh one.
    keepTabTenant(undefined)
    return readSession()
  }
  const { tenantId = null } = session
  // Of one that is gone nothing takes the place by itself: the person chooses.
  if (tenantId === null && typeof kept?.tenantId === 'string') return { ...session, isTenantGone: true }
  if (tenantId !== kept?.tenantId) keep(session)
  return session
}

/** Asks for a code by e-mail; the answer is the same whether the address is known or not. @throws SessionError */
export async function askCode(email: string, language: Language): Promise<void> {
  await post('sign-in', { email, language })
}

/** @throws SessionError `code_refused` */
export async function giveCode(email: string, code: string): Promise<void> {
  await post('sign-in/code', { email, code })
}

/** Has this tab show a tenant, and the next one begin with it. @param tenantId null for what operators see. @throws SessionError */
export async function chooseTenant(tenantId: string | null): Promise<void> {
  await choose('session/tenant', { tenantId })
}

/** Makes a tenant that the person owns, and chooses it. @throws SessionError */
export async function makeTenant(name: string): Promise<void> {
  await choose('tenants', { name })
}

/** Becomes one of the people of a tenant, and chooses it; or says no. @throws SessionError */
export async function answerInvitation(id: string, answer: 'accept' | 'decline'): Promise<void> {
  if (answer === 'accept') await choose('invitations/accept', { id })
  else await post('invitations/decline', { id })
}

/** Ends the session on the server. @throws SessionError */
export async function signOut(): Promise<void> {
  await post('sign-out', {})
  keepTabTenant(undefined)
}

/** Asks for a code that proves that the person is still there. @throws SessionError */
export async function askProof(language: Language): Promise<void> {
  await post('prove/start', { language })
}

/** @throws SessionError `code_refused` */
export async function giveProof(code: string): Promise<void> {
  await post('prove', { code })
}

/** What the browser is given to sign in with a passkey; the same for everyone. @throws SessionError */
export function startPasskeySignIn(): Promise<unknown> {
  return post('sign-in/passkey/start', {})
}

/** @param email that was typed; '' for none. @throws SessionError `passkey_refused` */
export async function signInWithPasskey(email: string, credential: unknown): Promise<void> {
  await post('sign-in/passkey', { ...(email !== '' && { email }), credential })
}

/** What the browser is given to prove with a passkey that the person is there. @throws SessionError */
export function startPasskeyProof(): Promise<unknown> {
  return post('prove/passkey/start', {})
}

/** @throws SessionError `passkey_refused` */
export async function proveWithPasskey(credential: unknown): Promise<void> {
  await post('prove/passkey', { credential })
}

/** Sends what chooses a tenant: this tab shows it from then on. */
async function choose(name: string, body: object): Promise<void> {
  keep((await post(name, body)) as Session)
}

/** Keeps which tenant this tab shows. */
function keep({ person, tenantId = null }: Session): void {
  if (tenantId !== null || person.isOperator) keepTabTenant({ personId: person.id, tenantId })
}

function headersOfTab(): Record<string, string> {
  const kept = keptTabTenant()
  return kept ? tenantHeader(kept.tenantId) : {}
}

async function post(name: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...headersOfTab() }
  return bodyOf(await fetch(`/console/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) }))
}

async function bodyOf(answer: Response): Promise<unknown> {
  const text = await answer.text()
  const body = (text === '' ? {} : JSON.parse(text)) as {
    error?: { code?: string; message?: string }
    message?: string
  }
  if (answer.ok) return body
  throw new SessionError(body.error?.code ?? String(answer.status), body.error?.message ?? body.message ?? '')
}
