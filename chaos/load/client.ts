import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../fault.js'
import type { JournalEntry, ReceiverView, TenantView, HarnessView } from '../view.js'
import { between, chance } from '../random.js'
import { withoutSecrets } from './secrets.js'

/** An answer of the REST layer. */
export interface Answer {
  status: number
  /** The envelope's `status`, e.g. `payment_registered`. */
  code: string
  data: Record<string, unknown>
  body: unknown
}

/** What a client asks for. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  /** As `JournalEntry` has them. */
  rail: string
  operation: string
  /** The resource that the call is about, where the client knows it before. */
  id?: string
  /** The field of `data` that names the resource that the call makes. */
  idField?: string
  receivers?: readonly ReceiverView[]
  /** The payer's money is on its way already: the client stays until it has said so, though the load be over. */
  isOwed?: boolean
}

/** The client had no answer until it had to stop. */
export class GaveUpError extends Error {
  override readonly name = 'GaveUpError'
}

/** A tenant's client: it retries as the API's manual says, and its habits follow from a seed. */
export interface Client {
  tenant: TenantView
  random: Random
  /** Asks until there is an answer that another try cannot better. @throws GaveUpError */
  call: (call: Call) => Promise<Answer>
  /** Writes down what the client did elsewhere than at the API. */
  note: (entry: Pick<JournalEntry, 'rail' | 'operation' | 'id' | 'status' | 'request' | 'answer'>) => void
  /** Whether flows may begin more; after the load's end they have until the deadline. */
  isOver: () => boolean
}

/** What all clients share. */
export interface ClientOptions {
  view: HarnessView
  journal: JournalEntry[]
  /** `performance.now()` from which on no request is made. */
  deadline: () => number
  /** Takes what runs beside the flows, so that the load's end can wait for it. */
  background: (work: Promise<unknown>) => void
}

const ANSWER_MS = 15_000
/** How long after the load's end a client still says what it owes: the faults are over by then. */
export const OWED_MS = 20_000
const BACKOFF_FIRST_MS = 150
const BACKOFF_MAX_MS = 2_000
const TRIES_MAX = 80
/** A failure of the payment itself is not bettered by trying for ever. */
const FAILURES_MAX = 3

/** Makes the client of a tenant. */
export function createClient(options: ClientOptions, tenant: TenantView, random: Random): Client {
  const client: Client = {
    tenant,
    random,
    isOver: () => performance.now() >= options.deadline(),
    note: (entry) => {
      options.journal.push({ at: new Date(), tenantId: tenant.id, idempotencyKey: undefined, ...entry })
    },
    call: (call) => callWithHabits({ ...options, tenant, random }, call),
  }
  return client
}

type Sender = ClientOptions & { tenant: TenantView; random: Random }

/** Most clients ask once; some ask twice at once, or again later with the key that was answered. */
async function callWithHabits(sender: Sender, call: Call): Promise<Answer> {
  const { random, background } = sender
  // Drawn for every call, so that what a seed draws does not depend on answers.
  const habit = { double: chance(random, 0.04), again: chance(random, 0.06), later: chance(random, 0.03) }
  const hangUpMs = chance(random, 0.05) ? between(random, 1, 120) : undefined
  const first = between(random, 0, 7)
  if (call.method === 'GET' || call.method === 'DELETE') return callUntilAnswered(sender, call, { first })
  const key = randomUUID()
  const again = (): Promise<Answer> => callUntilAnswered(sender, call, { key, first: first + 1 })
  if (habit.double) background(again())
  const answer = await callUntilAnswered(sender, call, { key, first, hangUpMs })
  if (answer.status < 300 && habit.again) await again()
  if (answer.status < 300 && habit.later) background(delay(3_000).then(again))
  return answer
}

interface Attempt {
  key?: string
  /** With which gateway it begins. */
  first: number
  /** After how long the client cuts its first try. */
  hangUpMs?: number | undefined
}

async function callUntilAnswered(sender: Sender, call: Call, attempt: Attempt): Promise<Answer> {
  const { view, journal, tenant, deadline } = sender
  const write = (status: number, answer?: Answer): void => {
    const id = call.id ?? (call.idField === undefined ? undefined : textOf(answer?.data[call.idField]))
    const { rail, operation, receivers } = call
    const what = { rail, operation, idempotencyKey: attempt.key, id, status, ...(receivers && { receivers }) }
    const said = { request: withoutSecrets(call.body), answer: withoutSecrets(answer?.body) }
    journal.push({ at: new Date(), tenantId: tenant.id, ...what, ...said })
  }
  const untilMs = (): number => deadline() + (call.isOwed ? OWED_MS : 0)
  let failures = 0
  for (let tried = 0; tried < TRIES_MAX && performance.now() < untilMs(); tried += 1) {
    const gateway = view.gateways[(attempt.first + tried) % view.gateways.length] ?? ''
    const timeoutMs = tried === 0 ? (attempt.hangUpMs ?? ANSWER_MS) : ANSWER_MS
    const answer = await ask(`${gateway}${call.path}`, call, { tenant, key: attempt.key, timeoutMs })
    if (answer?.code === 'payment_failed') failures += 1
    if (answer && (failures >= FAILURES_MAX || !isWorthAnotherTry(answer))) {
      write(answer.status, answer)
      return answer
    }
    await delay(waitMs(tried, answer?.retryAfterMs))
  }
  write(0)
  throw new GaveUpError(`${call.operation} had no answer`)
}

function waitMs(tried: number, askedMs = 0): number {
  return Math.min(Math.max(BACKOFF_FIRST_MS * 2 ** tried, askedMs), BACKOFF_MAX_MS)
}

/** These of the 429 are about the account and stay for days. */
const LASTING = new Set(['order_limit_reached', 'verify_quota_exceeded', 'otp_rate_limited'])

function isWorthAnotherTry({ status, code }: Answer): boolean {
  if (status >= 500) return true
  if (status === 429) return !LASTING.has(code)
  return status === 409 && code === 'idempotency_in_progress'
}

async function ask(
  url: string,
  { method, body }: Call,
  { tenant, key, timeoutMs }: { tenant: TenantView; key: string | undefined; timeoutMs: number },
): Promise<(Answer & { retryAfterMs: number }) | undefined> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        'x-api-key': tenant.apiKey,
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const read = (await response.json()) as { status?: unknown; data?: Record<string, unknown> }
    const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000
    return { status: response.status, code: textOf(read.status) ?? '', data: read.data ?? {}, body: read, retryAfterMs }
  } catch {
    // No answer, or one that was cut off.
    return undefined
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
