import { Client } from 'pg'
import type { Finding, JournalEntry, ReceivedWebhook, TenantView, HarnessView } from '../view.js'

/** What the checks look at. */
export interface Evidence {
  view: HarnessView
  journal: readonly JournalEntry[]
  /** Undefined where the harness received none. */
  webhooks: readonly ReceivedWebhook[] | undefined
  sql: Sql
  /** The payments of the harness's tenants, as the database has them. */
  payments: readonly PaymentRow[]
  /** All attempts to charge, of all tenants. */
  charges: readonly ChargeRow[]
  /** The Pix that the product has noticed. */
  receipts: ReadonlySet<string>
  cobs: readonly Cob[]
  cardOrders: readonly CardOrder[]
}

/** Rows of a statement. */
export type Sql = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>

/** One check: what it finds is not as it was promised. */
export type Check = (evidence: Evidence) => Promise<Finding[]>

export interface PaymentRow {
  tenant_id: string
  id: string
  status: string
  order_code: string | null
  transaction_type: string | null
  amount_from: string
  amount_to: string | null
  to_currency_symbol: string
  to_chain: string | null
  tid_hash: string | null
  split_payment_config: readonly { receiverWallet: string; receiverPercent: number }[]
  metadata: { chaos?: unknown } | null
}

export interface ChargeRow {
  tenant_id: string
  payment_id: string
  rail: string
  reference: string
  state: string
}

/** A charge at the Pix provider. */
export interface Cob {
  txid: string
  status: string
  valor: { original: string }
  pix: readonly {
    endToEndId: string
    valor: string
    horario: string
    devolucoes: readonly { valor: string; status: string }[]
  }[]
}

/** An order at the card processor. */
export interface CardOrder {
  id: string
  code: string | null
  charges: readonly { id: string; status: string; amount: number; paid_amount: number; canceled_amount: number }[]
}

const PAYMENTS = `select tenant_id, id, status, order_code, transaction_type, amount_from, amount_to, to_currency_symbol,
  to_chain, tid_hash, split_payment_config, metadata from payments.payment where tenant_id = any($1) order by id`

const RECEIPTS = `select id from payments.receipt where rail = 'pix'`

const CHARGES = 'select tenant_id, payment_id, rail, reference, state from payments.charge'

/**
 * Gathers what checks look at and lets them look.
 * @throws what `pg` and `fetch` throw where the harness does not answer at all
 */
export async function withEvidence<T>(
  given: Pick<Evidence, 'view' | 'journal' | 'webhooks'>,
  look: (evidence: Evidence) => Promise<T>,
): Promise<T> {
  const { view } = given
  const client = new Client({ connectionString: view.databaseUrl, application_name: 'chaos oracle' })
  await client.connect()
  try {
    const sql: Sql = async <Row extends object>(text: string, values: unknown[] = []) =>
      (await client.query<Row>(text, values)).rows
    const payments = await sql<PaymentRow>(PAYMENTS, [view.tenants.map(({ id }) => id)])
    const charges = await sql<ChargeRow>(CHARGES)
    const { cobs } = await read<{ cobs: Cob[] }>(`${view.simulators.pixUrl}/sandbox/cob`)
    const { orders } = await read<{ orders: CardOrder[] }>(`${view.simulators.cardUrl}/sandbox/orders`)
    const receipts = new Set((await sql<{ id: string }>(RECEIPTS)).map(({ id }) => id))
    const noticed = cobs.map((cob) => withoutSurplus(cob, charges, receipts))
    return await look({ ...given, sql, payments, charges, receipts, cobs: noticed, cardOrders: orders })
  } finally {
    await client.end()
  }
}

/** Of a charge that is paid the product asks this rarely; a second Pix whose callback was lost waits that long. */
const SURPLUS_MS = 16 * 60_000

/** The charge without what was paid beside its payment and need not be noticed yet. */
function withoutSurplus(cob: Cob, charges: readonly ChargeRow[], receipts: ReadonlySet<string>): Cob {
  const isPaid = charges.some(
    ({ rail, reference, state }) => rail === 'pix' && reference === cob.txid && state === 'paid',
  )
  if (!isPaid) return cob
  const isDue = ({ endToEndId, horario }: Cob['pix'][number]): boolean =>
    receipts.has(endToEndId) || Date.parse(horario) < Date.now() - SURPLUS_MS
  return { ...cob, pix: cob.pix.filter(isDue) }
}

async function read<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  return (await response.json()) as T
}

const TRIES = 3

/** Reads a path as a tenant, through each gateway in turn until one answers. Undefined where none does. */
export async function readAs(
  { gateways }: HarnessView,
  { apiKey }: TenantView,
  path: string,
): Promise<{ status: number; data: Record<string, unknown> } | undefined> {
  for (let tried = 0; tried < TRIES * gateways.length; tried += 1) {
    try {
      const url = `${gateways[tried % gateways.length] ?? ''}${path}`
      const response = await fetch(url, { headers: { 'x-api-key': apiKey }, signal: AbortSignal.timeout(10_000) })
      if (response.status >= 500) continue
      const { data = {} } = (await response.json()) as { data?: Record<string, unknown> }
      return { status: response.status, data }
    } catch {
      continue
    }
  }
  return undefined
}

const AT_ONCE = 8

/** Does something for each, a few at once. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** A finding that says what was expected and what is. */
export function finding(promise: string, what: string, expected: unknown, is: unknown): Finding {
  return { promise, text: `${what}: expected ${String(expected)}, is ${String(is)}` }
}
