import type { Role } from '../../kernel/tenant.js'
import type { Harness } from './harness.js'
import { send, type Answer } from './http.js'
import { mailsTo } from './mailbox.js'

/** A browser at the console, as far as HTTP goes: it keeps the cookies that it is given. */
export interface ConsoleBrowser {
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>
  graphql: (query: string, variables?: object, headers?: Record<string, string>) => Promise<Answer>
  /** `name=value` of the session's cookie; undefined where there is none. */
  cookie: () => string | undefined
}

/** Over plain http, as in tests. */
const SESSION = 'console_session'

/** A browser that is signed in at nothing yet. */
export function consoleBrowser({ url }: Pick<Harness, 'url'>): ConsoleBrowser {
  const jar = new Map<string, string>()
  const sent = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const keep = (set: string): void => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
  const ask = async (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Answer> => {
    const answer = await send({
      method,
      url: `${url}${path}`,
      headers: {
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        ...(jar.size > 0 && { cookie: sent() }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) keep(set)
    return answer
  }
  return {
    get: (path, headers = {}) => ask('GET', `/console/api/${path}`, undefined, headers),
    post: (path, body, headers = {}) => ask('POST', `/console/api/${path}`, body, headers),
    graphql: (query, variables = {}, headers = {}) =>
      ask('POST', '/graphql', { query, variables }, { 'x-console': '1', ...headers }),
    cookie: () => {
      const session = jar.get(SESSION)
      return session === undefined ? undefined : `${SESSION}=${session}`
    },
  }
}

/** The newest code that an address was sent. */
export async function codeFor(mailbox: Pick<Harness, 'mailboxUrl'>, email: string): Promise<string> {
  const mails = await mailsTo(mailbox, email)
  // An invitation may have come behind it.
  const code = mails.flatMap(({ text }) => /\b\d{8}\b/.exec(text)?.[0] ?? []).at(-1)
  if (code === undefined) throw new Error(`${email} was sent no code`)
  return code
}

/** A browser in which the person of an address has signed in. */
export async function signIn(harness: Pick<Harness, 'url' | 'mailboxUrl'>, email: string): Promise<ConsoleBrowser> {
  const browser = consoleBrowser(harness)
  const sent = await browser.post('sign-in', { email })
  if (sent.status !== 202) throw new Error(`no code was sent: ${sent.status}`)
  const answer = await browser.post('sign-in/code', { email, code: await codeFor(harness, email) })
  if (answer.status !== 200) throw new Error(`the code was refused: ${answer.status}`)
  return browser
}

type AtConsole = Pick<Harness, 'url' | 'mailboxUrl' | 'clock' | 'dashboard' | 'tenant'>

let people = 0
const newPerson = (): string => `person${(people += 1)}@console.example`

/** The owner of a new tenant. */
export async function newOwner(harness: AtConsole, name = 'Shop') {
  const email = newPerson()
  const browser = await signInLater(harness, email)
  const { body } = await browser.post('tenants', { name })
  return { browser, email, tenantId: String(body['tenantId']) }
}

/** Somebody with a role at the harness's tenant, signed in this moment. */
export async function newMember(harness: AtConsole, role: Role, email = newPerson()): Promise<ConsoleBrowser> {
  await harness.dashboard.addMember(harness.tenant, email, role)
  return signInLater(harness, email)
}

function signInLater(harness: AtConsole, email: string): Promise<ConsoleBrowser> {
  // Twenty sign-ins a minute are let in from one address of the network.
  harness.clock.advance(6_000)
  return signIn(harness, email)
}
