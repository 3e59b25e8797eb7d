import type { Finding, JournalEntry } from '../view.js'
import { finding, forEach, readAs, type Check, type Evidence, type PaymentRow } from './evidence.js'

/** Every payment that was acknowledged is there, as it was registered, once; and there is no other. */
export const checkPayments: Check = async (evidence) => {
  const registered = evidence.journal.filter(({ operation }) => operation === 'register-payment')
  const byId = new Map(evidence.payments.map((payment) => [payment.id, payment]))
  const found: Finding[] = []
  const seen = new Set<string>()
  for (const entry of registered) {
    const { id, status } = entry
    if (id === undefined || status >= 300 || seen.has(id)) continue
    seen.add(id)
    const payment = byId.get(id)
    if (!payment) found.push(finding('acknowledged', `payment ${id}`, 'one row', 'none'))
    else found.push(...compareTerms(entry, payment))
  }
  return [...found, ...(await findUnexplained(evidence, registered)), ...(await compareAnswers(evidence))]
}

/** What was registered is what was asked for. */
function compareTerms({ id = '', receivers = [], request }: JournalEntry, payment: PaymentRow): Finding[] {
  const expected = JSON.stringify(receivers.map(({ wallet, percent }) => [wallet, percent]))
  const is = JSON.stringify(
    payment.split_payment_config.map(({ receiverWallet, receiverPercent }) => [receiverWallet, receiverPercent]),
  )
  const found = expected === is ? [] : [finding('acknowledged', `receivers of payment ${id}`, expected, is)]
  const asked = (request as { amount_from?: string } | undefined)?.amount_from
  if (asked !== undefined && asked !== payment.amount_from) {
    found.push(finding('acknowledged', `amount_from of payment ${id}`, asked, payment.amount_from))
  }
  return found
}

const EXPLAINED = `select answer->>'paymentId' as id, key from kernel.idempotency_key
    where tenant_id = any($1) and answer ? 'paymentId'
  union all select payment_id, null from payments.subscription_period where tenant_id = any($1)`

/** A payment comes of one key, or of one period of a subscription. */
async function findUnexplained(
  { payments, sql, view }: Evidence,
  registered: readonly JournalEntry[],
): Promise<Finding[]> {
  const marks = new Set(registered.map(({ request }) => markOf((request as PaymentRow | undefined)?.metadata)))
  const keys = new Set(registered.map(({ idempotencyKey }) => idempotencyKey))
  const rows = await sql<{ id: string; key: string | null }>(EXPLAINED, [view.tenants.map(({ id }) => id)])
  const explained = new Set(rows.filter(({ key }) => key === null || keys.has(key)).map(({ id }) => id))
  const ofMark = Map.groupBy(payments, ({ id, metadata }) => markOf(metadata) ?? `no mark, ${id}`)
  const found: Finding[] = []
  for (const [mark, made] of ofMark) {
    const [first] = made
    // A period's payment takes over the terms of the first one, its mark among them.
    const own = made.filter(({ id }) => rows.every((row) => row.id !== id || row.key !== null))
    if (own.length > 1) {
      const ids = own.map(({ id }) => id).join(', ')
      found.push(finding('once', `payments of one registration (${mark})`, 'one', ids))
    }
    if (first && !marks.has(mark) && !explained.has(first.id)) {
      found.push(finding('once', `payment ${first.id}`, 'a request that made it', 'none'))
    }
  }
  return found
}

function markOf(metadata: PaymentRow['metadata'] | undefined): string | undefined {
  return typeof metadata?.chaos === 'string' ? metadata.chaos : undefined
}

/** The API tells of each payment what the database has. */
async function compareAnswers({ payments, view }: Evidence): Promise<Finding[]> {
  const found: Finding[] = []
  await forEach(payments, async (payment) => {
    const tenant = view.tenants.find(({ id }) => id === payment.tenant_id)
    if (!tenant) return
    const answer = await readAs(view, tenant, `/payment/${payment.id}/status`)
    const expected = `200 ${payment.status} ${payment.amount_to ?? ''} ${payment.tid_hash ?? ''}`
    const { status, amount_to: amount, tid_hash: hash } = answer?.data ?? {}
    const is = `${answer?.status ?? 0} ${String(status)} ${String(amount ?? '')} ${String(hash ?? '')}`
    if (is !== expected) found.push(finding('acknowledged', `status of payment ${payment.id} by REST`, expected, is))
  })
  return found
}
