import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ChargeChange, SimulatedCharge, SimulatedOrder, SimulatedPayable } from './order.js'
import { listOf, objectOf } from './read.js'
import type { CardStore } from './store.js'

/** Ours, where a charge is not shared out. */
const OWN_RECIPIENT = 're_platform'
const DAY_MS = 86_400_000
const TYPES: Partial<Record<ChargeChange, SimulatedPayable['type']>> = {
  paid: 'credit',
  refunded: 'refund',
  chargedback: 'chargeback',
  won: 'chargeback_refund',
}

/**
 * Keeps what a change of an order's charge makes the processor owe, or be owed.
 * @param of.cents how much a refund gives back
 * @param of.split the rules by which recipients bear it
 */
export function addPayables(
  store: CardStore,
  order: SimulatedOrder,
  what: ChargeChange,
  now: Date,
  { cents, split = [] }: { cents?: number | undefined; split?: readonly unknown[] | undefined } = {},
): void {
  const [charge] = order.charges
  const type = TYPES[what]
  if (!type) return
  const left = charge.amount - charge.canceled_amount
  // Of a refund the charge shows already that it is gone.
  const total = type === 'refund' ? (cents ?? charge.amount) : type === 'credit' ? charge.amount : left
  const installments = type === 'credit' ? Number(charge.last_transaction['installments'] ?? 1) : 1
  const isForced = type === 'chargeback' || type === 'chargeback_refund'
  const parts = type === 'refund' ? refundParts(store, charge, total, split) : partsOf(charge, total, isForced)
  for (const { recipient, amount } of parts) {
    for (const [index, part] of inParts(amount, installments).entries()) {
      const fee = type === 'credit' ? Math.round((part * store.feeBasisPoints) / 10_000) : 0
      const at = now.toISOString()
      store.payables.push({
        id: store.newId('py'),
        status: 'waiting_funds',
        amount: type === 'refund' || type === 'chargeback' ? -part : part,
        fee,
        ...{ anticipation_fee: 0, fraud_coverage_fee: 0, installment: index + 1 },
        ...{ charge_id: charge.id, split_id: null, recipient_id: recipient },
        payment_date: new Date(now.getTime() + (index + 1) * 30 * DAY_MS).toISOString(),
        ...{ created_at: at, updated_at: at, type },
      })
    }
  }
}

interface Part {
  recipient: string
  amount: number
}

/** What recipients have of a charge's money, in cents. */
export function leftOf(store: CardStore, { id }: Pick<SimulatedCharge, 'id'>): Map<string, number> {
  const left = new Map<string, number>()
  for (const { charge_id: of, recipient_id: recipient, amount } of store.payables) {
    if (of === id) left.set(recipient, (left.get(recipient) ?? 0) + amount)
  }
  return left
}

/** Who bears a refund: by the rules that were sent with it, or in proportion to what each has left. */
function refundParts(store: CardStore, charge: SimulatedCharge, total: number, split: readonly unknown[]): Part[] {
  const rules = split.map(objectOf)
  if (rules.length > 0)
    return rules.map((rule) => ({ recipient: String(rule['recipient_id']), amount: Number(rule['amount']) }))
  const left = [...leftOf(store, charge)]
  const whole = left.reduce((sum, [, cents]) => sum + cents, 0)
  if (whole < total) return partsOf(charge, total, false)
  let rest = total
  const parts = left.map(([recipient, cents]) => {
    const amount = Math.floor((total * cents) / whole)
    rest -= amount
    return { recipient, amount, more: cents - amount }
  })
  for (const part of parts) {
    const raised = Math.min(rest, part.more)
    part.amount += raised
    rest -= raised
  }
  return parts.filter(({ amount }) => amount > 0)
}

/** Who has a part of a charge's money, in proportion to its split; of what is taken back by force only those who are liable. */
function partsOf(charge: SimulatedCharge, total: number, isForced: boolean): Part[] {
  const all = listOf(charge.last_transaction['split']).map(objectOf)
  const liable = all.filter((rule) => objectOf(rule['options'])['liable'] === true)
  const rules = isForced && liable.length > 0 ? liable : all
  if (rules.length === 0) return [{ recipient: OWN_RECIPIENT, amount: total }]
  const whole = rules.reduce((sum, rule) => sum + Number(rule['amount']), 0)
  const parts = rules.map((rule) => ({
    recipient: String(rule['recipient_id']),
    amount: Math.floor((total * Number(rule['amount'])) / whole),
  }))
  const [first] = parts
  if (first) first.amount += total - parts.reduce((sum, { amount }) => sum + amount, 0)
  return parts.filter(({ amount }) => amount > 0)
}

function inParts(total: number, count: number): number[] {
  const each = Math.floor(total / count)
  return Array.from({ length: count }, (_, index) => (index === 0 ? total - each * (count - 1) : each))
}

/** Adds `GET /payables`, which is read by following `paging.next`. */
export function addPayableRoutes(
  app: FastifyInstance,
  path: string,
  { store, url }: { store: CardStore; url: () => string },
): void {
  app.get(path, (request, reply): FastifyReply | object => {
    const query = request.query as Record<string, string | undefined>
    const { updated_since: since, updated_until: until, charge_id: chargeId, size = '10', cursor = '0' } = query
    if (![since, until].every((time) => time === undefined || !Number.isNaN(Date.parse(time))))
      return reply.code(422).send({ message: 'The request is invalid.' })
    const found = store.payables.filter(
      ({ charge_id: of, updated_at: at }) =>
        (chargeId === undefined || of === chargeId) &&
        (since === undefined || Date.parse(at) >= Date.parse(since)) &&
        (until === undefined || Date.parse(at) <= Date.parse(until)),
    )
    const [from, count] = [Number(cursor), Math.min(Number(size), 1000)]
    const next = new URLSearchParams({ ...(query as Record<string, string>), cursor: String(from + count) })
    const isLast = from + count >= found.length
    return {
      data: found.slice(from, from + count),
      paging: { next: isLast ? null : `${url()}${path}?${next.toString()}` },
    }
  })
}

/**
 * Adds `POST /sandbox/fees {percent?, charge?, more?}`: what the processor keeps of charges from now on (by default 2.99 percent), and
 * what it keeps more, in cents, of one that it has charged.
 */
export function addFeeControl(app: FastifyInstance, store: CardStore, now: () => Date): void {
  app.post('/sandbox/fees', (request, reply) => {
    const { percent, charge, more } = objectOf(request.body)
    if (typeof percent === 'number' && percent >= 0 && percent < 100) store.feeBasisPoints = Math.round(percent * 100)
    const payable = store.payables.find(({ charge_id: of, type }) => of === charge && type === 'credit')
    if (charge !== undefined && (!payable || typeof more !== 'number'))
      return reply.code(409).send({ message: 'no such charge was paid' })
    if (payable && typeof more === 'number')
      Object.assign(payable, { fee: payable.fee + more, updated_at: now().toISOString() })
    store.save()
    return { percent: store.feeBasisPoints / 100 }
  })
}
