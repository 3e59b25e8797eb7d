import { parse, type DocumentNode } from 'graphql'
import { AppError, isErrorCode } from '../../kernel/errors.js'
import type { SubgraphExecutor } from '../../kernel/subgraph.js'
import type { Role } from '../../kernel/tenant.js'
import { GATEWAY } from '../authentication/console-session.js'

/** A session as the console's pages see it. */
export interface SessionView {
  personId: string
  email: string
  isOperator: boolean
  tenantId: string | null
  provenAt: string
  hasPasskeys: boolean
  tenants: readonly { id: string; name: string; role: Role }[]
  invitations: readonly { id: string; tenantName: string; role: Role; invitedBy: string | null }[]
}

const SESSION = parse(`query ConsoleSessionView($hash: String!, $tenantId: ID) {
  answer: consoleSession(hash: $hash, isUse: true, tenantId: $tenantId) { personId email isOperator tenantId provenAt hasPasskeys tenants { id name role } invitations { id tenantName role invitedBy } }
}`)

const CALLS = {
  sendCode:
    parse(`mutation SendConsoleCode($email: String!, $browserHash: String, $network: String, $language: InvitationLanguage) {
    answer: sendConsoleCode(email: $email, browserHash: $browserHash, network: $network, language: $language)
  }`),
  signIn: parse('mutation SignInAtConsole($input: ConsoleSignInInput!) { answer: signInAtConsole(input: $input) }'),
  chooseTenant: parse(`mutation ChooseConsoleTenant($hash: String!, $newHash: String!, $tenantId: ID) {
    answer: chooseConsoleTenant(hash: $hash, newHash: $newHash, tenantId: $tenantId)
  }`),
  createTenant: parse(`mutation CreateConsoleTenant($hash: String!, $newHash: String!, $name: String!) {
    answer: createConsoleTenant(hash: $hash, newHash: $newHash, name: $name)
  }`),
  acceptInvitation: parse(`mutation AcceptConsoleInvitation($hash: String!, $newHash: String!, $id: ID!) {
    answer: acceptConsoleInvitation(hash: $hash, newHash: $newHash, id: $id)
  }`),
  declineInvitation: parse(`mutation DeclineConsoleInvitation($hash: String!, $id: ID!) {
    answer: declineConsoleInvitation(hash: $hash, id: $id)
  }`),
  startProof: parse(`mutation StartConsoleProof($hash: String!, $language: InvitationLanguage) {
    answer: startConsoleProof(hash: $hash, language: $language)
  }`),
  prove: parse(`mutation ProveAtConsole($hash: String!, $newHash: String!, $code: String!) {
    answer: proveAtConsole(hash: $hash, newHash: $newHash, code: $code)
  }`),
  startPasskeySignIn: parse(`mutation StartConsolePasskeySignIn($browserHash: String!) {
    answer: startConsolePasskeySignIn(browserHash: $browserHash)
  }`),
  signInWithPasskey: parse(`mutation SignInWithPasskeyAtConsole($input: ConsolePasskeySignInInput!) {
    answer: signInWithPasskeyAtConsole(input: $input)
  }`),
  startPasskeyProof: parse(`mutation StartConsolePasskeyProof($hash: String!) {
    answer: startConsolePasskeyProof(hash: $hash)
  }`),
  proveWithPasskey: parse(`mutation ProveWithPasskeyAtConsole($hash: String!, $newHash: String!, $credential: JSON!) {
    answer: proveWithPasskeyAtConsole(hash: $hash, newHash: $newHash, credential: $credential)
  }`),
  signOut: parse('mutation EndConsoleSession($hash: String!) { answer: endConsoleSession(hash: $hash) }'),
} satisfies Record<string, DocumentNode>

/** What the console's routes ask of accounts, in this process or another. */
export interface ConsoleCalls {
  /**
   * @param tenantId that the tab shows, null for the deployment; undefined for the one that was chosen last
   * @returns undefined where the session is over; it looks at no tenant where the person does not belong to `tenantId`
   */
  session: (hash: string, requestId: string, tenantId?: string | null | undefined) => Promise<SessionView | undefined>
  /** @returns what the operation says: true where it was done. @throws AppError as accounts refuse it */
  call: (name: keyof typeof CALLS, variables: Record<string, unknown>, requestId: string) => Promise<boolean>
  /** @returns what a browser is given for a passkey. @throws AppError as accounts refuse it */
  options: (
    name: 'startPasskeySignIn' | 'startPasskeyProof',
    variables: Record<string, unknown>,
    requestId: string,
  ) => Promise<unknown>
}

export function consoleCalls(accounts: SubgraphExecutor): ConsoleCalls {
  const ask = async (document: DocumentNode, variables: Record<string, unknown>, requestId: string) => {
    const { data, errors } = await accounts({ document, variables, context: { requestId, caller: GATEWAY } })
    const [error] = errors ?? []
    if (error) throw refusalOf(error.message, error.extensions['code'])
    return data?.['answer']
  }
  return {
    session: async (hash, requestId, tenantId) => {
      const variables = { hash, ...(tenantId !== undefined && { tenantId }) }
      return ((await ask(SESSION, variables, requestId)) ?? undefined) as SessionView | undefined
    },
    call: async (name, variables, requestId) => (await ask(CALLS[name], variables, requestId)) === true,
    options: (name, variables, requestId) => ask(CALLS[name], variables, requestId),
  }
}

/** An error of accounts as it was thrown there. What is none of ours is logged where it happened. */
function refusalOf(message: string, graphqlCode: unknown): AppError {
  const code = String(graphqlCode).toLowerCase()
  if (code === 'bad_user_input') return new AppError('validation_error', { message })
  return isErrorCode(code) ? new AppError(code, { message }) : new AppError('server_error')
}
