import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Finding, ReceivedWebhook, TenantView } from '../view.js'
import { finding, type Check, type Evidence } from './evidence.js'

interface Told {
  id: string
  type: string
  sequence: number
  resource: string
  body: string
}

interface EventRow {
  id: string
  sequence: number
  type: string
  state: string | null
  waits: boolean
}

/**
 * What each payment's history has to tell, and what has become of the delivery. One that failed at the receiver waits for
 * its next attempt, which may be hours away; one whose worker died waits for the end of its lease, and for the next minute,
 * in which leases that have ended are looked for.
 */
const EVENTS = `select event.payment_id as id, event.sequence, event.type, delivery.state,
    coalesce(delivery.state = 'pending' and delivery.failures > 0 and delivery.next_attempt_at > now(), false)
      or coalesce(event.sequence <= resource.wanted and resource.leased_until > now() - interval '70 seconds', false) as waits
  from payments.payment_event as event
  join payments.payment as payment on payment.tenant_id = event.tenant_id and payment.id = event.payment_id
  left join accounts.webhook_delivery as delivery on delivery.tenant_id = event.tenant_id
    and delivery.source = 'payments' and delivery.resource_id = event.payment_id and delivery.sequence = event.sequence
  left join accounts.webhook_resource as resource on resource.tenant_id = event.tenant_id
    and resource.source = 'payments' and resource.resource_id = event.payment_id
  where event.tenant_id = any($1) and event.notify and payment.webhook_url = any($2)`

/** Tenants were told everything at least once, signed, and without contradiction. */
export const checkWebhooks: Check = async (evidence) => {
  const { webhooks, view } = evidence
  if (!webhooks) return []
  const found: Finding[] = []
  const told: Told[] = []
  for (const webhook of webhooks) {
    const tenant = view.tenants.find(({ id }) => id === webhook.tenantId)
    if (tenant && isSigned(webhook, tenant)) told.push(read(webhook))
    else
      found.push(finding('webhooks', `webhook ${webhook.headers['webhook-id'] ?? ''}`, 'signed', 'another signature'))
  }
  return [...found, ...(await findUntold(evidence, told)), ...findContradictions(told)]
}

/** Standard Webhooks v1: HMAC-SHA256 over id, timestamp and body. */
function isSigned({ headers, body }: ReceivedWebhook, { webhookSecret }: TenantView): boolean {
  const key = Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64')
  const content = `${headers['webhook-id'] ?? ''}.${headers['webhook-timestamp'] ?? ''}.${body}`
  const expected = createHmac('sha256', key).update(content).digest()
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

function read({ headers, body }: ReceivedWebhook): Told {
  const { type, sequence, data } = JSON.parse(body) as { type: string; sequence: number; data: Record<string, unknown> }
  return { id: headers['webhook-id'] ?? '', type, sequence, resource: String(data['id'] ?? ''), body }
}

async function findUntold({ sql, view }: Evidence, told: readonly Told[]): Promise<Finding[]> {
  const tenants = view.tenants.map(({ id }) => id)
  const rows = await sql<EventRow>(EVENTS, [tenants, view.tenants.map(({ webhookUrl }) => webhookUrl)])
  const known = new Set(told.map(({ resource, sequence, type }) => `${resource} ${sequence} ${type}`))
  return rows
    .filter(({ id, sequence, type, waits }) => !waits && !known.has(`${id} ${sequence} ${type}`))
    .map(({ id, sequence, type, state }) =>
      finding(
        'webhooks',
        `${type} (${sequence}) of payment ${id}`,
        'received',
        `not, its delivery is ${state ?? 'not there'}`,
      ),
    )
}

function findContradictions(told: readonly Told[]): Finding[] {
  const found: Finding[] = []
  for (const [id, same] of Map.groupBy(told, (one) => one.id)) {
    const bodies = new Set(same.map(({ type, sequence, resource }) => `${type} (${sequence}) of ${resource}`))
    if (bodies.size > 1) found.push(finding('webhooks', `webhook ${id}`, 'one event', [...bodies].join(' and ')))
  }
  for (const [resource, events] of Map.groupBy(told, (one) => one.resource)) {
    const ofSequence = new Map<string, string>()
    for (const { type, sequence } of events) {
      // Numbers are counted apart for a subscription and for its payments, which may be shown by one id.
      const place = `${type.split('.')[0] ?? ''} ${sequence}`
      const before = ofSequence.get(place)
      if (before !== undefined && before !== type) {
        found.push(finding('webhooks', `event ${sequence} of ${resource}`, before, type))
      }
      ofSequence.set(place, type)
    }
    found.push(...afterSuccess(resource, events))
  }
  return found
}

/** Success is final. */
function afterSuccess(resource: string, events: readonly Told[]): Finding[] {
  const paid = events.filter(({ type }) => type === 'payment.success').map(({ sequence }) => sequence)
  const first = Math.min(...paid)
  const later = events.find(
    ({ type, sequence }) => sequence > first && type.startsWith('payment.') && type !== 'payment.success',
  )
  return later ? [finding('webhooks', `events of payment ${resource} after success`, 'none', later.type)] : []
}
