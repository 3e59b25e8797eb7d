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
  /** The tenant that is looked at; null before one is chosen. */
  tenantId?: string | null
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

/** @returns the session that the browser has; null where it has none */
export async function readSession(): Promise<Session | null> {
  const answer = await fetch('/console/api/session')
  if (answer.status === 401) return null
  return (await bodyOf(answer)) as Session
}

/** Asks for a code by e-mail; the answer is the same whether the address is known or not. @throws SessionError */
export async function askCode(email: string): Promise<void> {
  await post('sign-in', { email })
}

/** @throws SessionError `code_refused` */
export async function giveCode(email: string, code: string): Promise<void> {
  await post('sign-in/code', { email, code })
}

/** @param tenantId null for what operators see. @throws SessionError */
export async function chooseTenant(tenantId: string | null): Promise<void> {
  await post('session/tenant', { tenantId })
}

/** Makes a tenant that the person owns, and chooses it. @throws SessionError */
export async function makeTenant(name: string): Promise<void> {
  await post('tenants', { name })
}

/** Becomes one of the people of a tenant, and chooses it; or says no. @throws SessionError */
export async function answerInvitation(id: string, answer: 'accept' | 'decline'): Promise<void> {
  await post(`invitations/${answer}`, { id })
}

/** Ends the session on the server. @throws SessionError */
export async function signOut(): Promise<void> {
  await post('sign-out', {})
}

/** Asks for a code that proves that the person is still there. @throws SessionError */
export async function askProof(): Promise<void> {
  await post('prove/start', {})
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

async function post(name: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
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
