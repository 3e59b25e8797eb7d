import type { Finding, JournalEntry } from '../view.js'
import { finding, forEach, readAs, type Check, type Evidence } from './evidence.js'

interface OrderRow {
  tenant_id: string
  id: string
  active: boolean
  amount_from: string
  order_items: readonly { name: string }[]
}

const ORDERS =
  'select tenant_id, id, active, amount_from, order_items from orders.payment_order where tenant_id = any($1)'

/** Every order that was acknowledged is there once, as it was last changed; and there is no other. */
export const checkOrders: Check = async (evidence) => {
  const { sql, view, journal } = evidence
  const rows = await sql<OrderRow>(ORDERS, [view.tenants.map(({ id }) => id)])
  const created = journal.filter(({ operation }) => operation === 'create-order')
  const ofName = Map.groupBy(rows, ({ order_items: items }) => items[0]?.name ?? '')
  const names = new Set(created.map(nameOf))
  const found: Finding[] = []
  for (const [name, made] of ofName) {
    const ids = made.map(({ id }) => id).join(', ')
    if (made.length > 1) found.push(finding('once', `orders of one request (${name})`, 'one', ids))
    if (!names.has(name)) found.push(finding('once', `order ${ids}`, 'a request that made it', 'none'))
  }
  await forEach(idsOf(created), async ([id, tenantId]) => {
    found.push(...(await checkOrder(evidence, { id, tenantId, row: rows.find((row) => row.id === id) })))
  })
  return found
}

function nameOf({ request }: JournalEntry): string {
  return (request as Partial<OrderRow> | undefined)?.order_items?.[0]?.name ?? ''
}

function idsOf(created: readonly JournalEntry[]): [id: string, tenantId: string][] {
  const ids = new Map<string, string>()
  for (const { id, status, tenantId } of created) if (id !== undefined && status < 300) ids.set(id, tenantId)
  return [...ids]
}

async function checkOrder(
  { journal, view }: Evidence,
  { id, tenantId, row }: { id: string; tenantId: string; row: OrderRow | undefined },
): Promise<Finding[]> {
  const changes = journal.filter((entry) => entry.id === id && CHANGES.has(entry.operation))
  // Once a client has tried to delete it, it may be gone.
  if (changes.some(({ operation }) => operation === 'delete-order')) return []
  if (!row) return [finding('acknowledged', `order ${id}`, 'one row', 'none')]
  const tenant = view.tenants.find((one) => one.id === tenantId)
  const answer = tenant && (await readAs(view, tenant, `/order/list/${id}`))
  const found: Finding[] = []
  const shown = `${answer?.status ?? 0} ${String(answer?.data['active'])} ${String(answer?.data['amount_from'])}`
  const expected = `200 ${row.active} ${row.amount_from}`
  if (shown !== expected) found.push(finding('acknowledged', `order ${id} by REST`, expected, shown))
  // What a client has had no answer to may have been done or not, and may have come last.
  if (changes.some(({ status }) => status === 0)) return found
  const amount = lastOf(changes, 'update-order', 'amount_from')
  if (amount !== undefined && amount !== row.amount_from) {
    found.push(finding('acknowledged', `amount_from of order ${id}`, amount, row.amount_from))
  }
  const active = lastOf(changes, 'toggle-order', 'active')
  if (active !== undefined && active !== row.active) {
    found.push(finding('acknowledged', `active of order ${id}`, active, row.active))
  }
  return found
}

const CHANGES = new Set(['update-order', 'toggle-order', 'delete-order'])

/** What the last change of a kind was answered with; a key that is sent again later is no change. */
function lastOf(changes: readonly JournalEntry[], operation: string, field: string): unknown {
  const firsts = new Map<string | undefined, JournalEntry>()
  for (const entry of changes) {
    if (entry.operation !== operation || entry.status >= 300 || firsts.has(entry.idempotencyKey)) continue
    firsts.set(entry.idempotencyKey, entry)
  }
  const { data } = ([...firsts.values()].at(-1)?.answer ?? {}) as { data?: Record<string, unknown> }
  return data?.[field]
}
