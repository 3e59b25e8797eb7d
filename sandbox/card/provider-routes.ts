import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.js'
import { readCard } from './check-card.js'
import { readOrder } from './check-order.js'
import { fullYear, shownCard } from './cards.js'
import { beginChallenge } from './challenges.js'
import { createOrder, type ChargeChange, type SimulatedCharge, type SimulatedOrder } from './order.js'
import { addPayables, leftOf } from './payables.js'
import { findPayer } from './payer.js'
import { listOf, objectOf, textOf, type Problems } from './read.js'
import type { CardStore, StoredOrder } from './store.js'

/** The processor's base path. */
export const BASE_PATH = '/core/v5'
/** How long a token can be used. */
const TOKEN_LIFE_MS = 60_000
/** A page has no more orders than this, whatever is asked for: how many the processor gives is not documented. */
const PAGE_MAX = 30
/** How long a payment in processing stays so, where nobody settles it before. */
const PROCESSING_MS = 10_000

/** What the routes work on. */
export interface ProviderParts {
  /** Where this simulator is. */
  url: () => string
  store: CardStore
  secretKey: string
  publicKey: string
  clock: Clock
  /** Changes an order and tells of it. @param split the rules by which recipients bear a refund */
  change: (stored: StoredOrder, change: ChargeChange, amount?: number, split?: readonly unknown[]) => Promise<void>
  /** Tells what a new order has come to. */
  announce: (order: SimulatedOrder) => Promise<void>
  /** Brings what is due by time up to date. */
  settleDue: () => Promise<void>
}

/** An answer before it is sent. */
interface Answer {
  status: number
  body: unknown
}

/** Adds the calls of core v5 that we use. */
export function addProviderRoutes(app: FastifyInstance, parts: ProviderParts): void {
  app.addHook('preHandler', async (request, reply) => {
    const isOurs = request.url.startsWith(`${BASE_PATH}/`) && !request.url.startsWith(`${BASE_PATH}/tokens`)
    if (!isOurs || isAuthorized(request, parts.secretKey)) return
    await reply.code(401).send({ message: 'Authorization has been denied for this request.' })
  })
  addTokens(app, parts)
  addOrders(app, parts)
  addCharges(app, parts)
}

function isAuthorized({ headers }: FastifyRequest, secretKey: string): boolean {
  return headers.authorization === `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`
}

/** Browsers ask for tokens from pages of any origin; for nothing else. */
const FROM_BROWSERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'content-type',
} as const

function addTokens(app: FastifyInstance, { store, publicKey, clock }: ProviderParts): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith(`${BASE_PATH}/tokens`)) reply.headers(FROM_BROWSERS)
    done()
  })
  app.options(`${BASE_PATH}/tokens`, (_request, reply) => reply.code(204).send())
  type Call = FastifyRequest<{ Querystring: { appId?: string } }>
  const isKnown = ({ query }: Call): boolean => query.appId === publicKey
  const shown = (id: string): object | undefined => {
    const token = store.tokens.get(id)
    if (!token || token.expiresAt <= clock.now().getTime()) return undefined
    const { status: _status, ...card } = shownCard(token.card)
    return {
      id,
      type: 'card',
      created_at: new Date(token.createdAt).toISOString(),
      expires_at: new Date(token.expiresAt).toISOString(),
      card: { ...card, exp_year: fullYear(token.card.expYear) },
    }
  }
  app.post(`${BASE_PATH}/tokens`, async (request: Call, reply) => {
    if (!isKnown(request)) return reply.code(401).send({ message: 'The appId is not valid.' })
    const body = objectOf(request.body)
    const problems: Problems = {}
    if (body['type'] !== 'card') problems['request.type'] = ['The field type is invalid.']
    const now = clock.now()
    const card = readCard(body['card'], 'request.card', now, problems)
    if (!card || Object.keys(problems).length > 0) return reply.code(422).send(invalid(problems, body))
    const id = store.newId('token')
    store.tokens.set(id, { id, card, createdAt: now.getTime(), expiresAt: now.getTime() + TOKEN_LIFE_MS })
    return shown(id)
  })
  app.get(`${BASE_PATH}/tokens/:id`, async (request: Call, reply) => {
    const token = isKnown(request) ? shown((request.params as { id: string }).id) : undefined
    return token ?? reply.code(404).send({ message: 'Token not found.' })
  })
}

function addOrders(app: FastifyInstance, parts: ProviderParts): void {
  const { store, settleDue } = parts
  app.post(`${BASE_PATH}/orders`, async (request, reply) =>
    once(parts, request, reply, () => takeOrder(parts, objectOf(request.body))),
  )
  app.get(`${BASE_PATH}/orders`, async (request) => {
    await settleDue()
    const { code, page = '1', size = '10', ...times } = request.query as Record<string, string | undefined>
    const found = store.orders
      .map(({ order }) => order)
      .filter((order) => (code === undefined || order.code === code) && isCreatedIn(order, times))
    const length = Math.min(Number(size), PAGE_MAX)
    const from = (Number(page) - 1) * length
    return { data: found.toReversed().slice(from, from + length), paging: { total: found.length } }
  })
  app.get(`${BASE_PATH}/orders/:id`, async (request, reply) => {
    await settleDue()
    return store.findOrder((request.params as { id: string }).id)?.order ?? notFound(reply, 'Order')
  })
}

function isCreatedIn(order: SimulatedOrder, times: Record<string, string | undefined>): boolean {
  const at = Date.parse(String(order['created_at']))
  const { created_since: since, created_until: until } = times
  return (since === undefined || at >= Date.parse(since)) && (until === undefined || at <= Date.parse(until))
}

function addCharges(app: FastifyInstance, parts: ProviderParts): void {
  const { store, settleDue, change } = parts
  const find = (request: FastifyRequest) => store.findCharge((request.params as { id: string }).id)
  app.get(`${BASE_PATH}/charges/:id`, async (request, reply) => {
    await settleDue()
    return find(request)?.charge ?? notFound(reply, 'Charge')
  })
  app.delete(`${BASE_PATH}/charges/:id`, async (request, reply) => {
    await settleDue()
    const found = find(request)
    if (!found) return notFound(reply, 'Charge')
    return once(parts, request, reply, async () => {
      const { stored, charge } = found
      const amount = objectOf(request.body)['amount'] ?? charge.amount - charge.canceled_amount
      const isPaid = charge.status === 'paid'
      if (!(isPaid || charge.status === 'pending' || charge.status === 'processing')) {
        return { status: 412, body: { message: 'This charge can not be canceled.' } }
      }
      if (typeof amount !== 'number' || amount < 1 || amount > charge.amount - charge.canceled_amount) {
        return { status: 422, body: invalid({ amount: ['The field amount is invalid.'] }, {}) }
      }
      const split = listOf(objectOf(request.body)['split'])
      const problem = splitProblem(charge, split, amount) ?? (isPaid ? shareProblem(store, charge, split) : undefined)
      if (problem !== undefined) return { status: 422, body: invalid({ split: [problem] }, {}) }
      await change(stored, isPaid ? 'refunded' : 'voided', amount, split)
      return { status: 200, body: charge }
    })
  })
}

/** What is wrong with the split of a cancellation; the capture's own counts where none is sent. */
function splitProblem(charge: SimulatedCharge, split: readonly unknown[], amount: number): string | undefined {
  const captured = listOf(charge.last_transaction['split']).map((rule) => objectOf(rule)['recipient_id'])
  const rules = split.map(objectOf)
  if (rules.length === 0) return undefined
  if (captured.length === 0) return 'The charge was captured without a split.'
  if (!rules.every((rule) => captured.includes(rule['recipient_id']))) return 'Recipient not found.'
  const total = rules.reduce((sum, rule) => sum + Number(rule['amount']), 0)
  return total === amount ? undefined : 'The sum of the split rules is not the amount of the cancellation.'
}

/** No recipient bears more than it has of the charge. */
function shareProblem(store: CardStore, charge: SimulatedCharge, split: readonly unknown[]): string | undefined {
  const left = leftOf(store, charge)
  const isMore = split
    .map(objectOf)
    .some((rule) => Number(rule['amount']) > (left.get(String(rule['recipient_id'])) ?? 0))
  return isMore ? 'A recipient has less of the charge than the split rules take from it.' : undefined
}

/** How long the processor remembers an `Idempotency-Key`. */
const KEY_LIFE_MS = 24 * 3_600_000

/** Answers a write; with an `Idempotency-Key` that was used in the last 24 hours, what it was answered then. */
async function once(
  { store, clock }: ProviderParts,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<Answer>,
): Promise<FastifyReply> {
  const sent = textOf(request.headers['idempotency-key'])
  const key = sent && `${request.method} ${request.url} ${sent}`
  const digest = store.digest(request.body ?? null)
  const now = clock.now().getTime()
  const kept = key === undefined ? undefined : store.answers.get(key)
  const first = kept && now - kept.at <= KEY_LIFE_MS ? kept : undefined
  if (first && first.digest !== digest) {
    return reply.code(409).send({ message: 'The Idempotency-Key was used with another request.' })
  }
  const answer = first ?? (await work())
  // What was refused may be sent again, corrected; only what was done is remembered.
  if (key !== undefined && answer.status < 300) {
    const at = first?.at ?? now
    store.answers.set(key, { digest, at, status: answer.status, body: structuredClone(answer.body) })
  }
  return reply.code(answer.status).send(answer.body)
}

async function takeOrder(parts: ProviderParts, body: Record<string, unknown>): Promise<Answer> {
  const { store, clock, announce } = parts
  const now = clock.now()
  const problems: Problems = {}
  const sent = readOrder(body, now, problems)
  const payer = sent && findPayer(store, sent, now)
  if (!payer) return { status: 422, body: invalid(problems, body) }
  if ('missing' in payer) return { status: 404, body: { message: `${payer.missing} not found.` } }
  if ('problems' in payer) return { status: 422, body: invalid(payer.problems, body) }
  const { outcome } = payer
  const order = createOrder(sent, payer, { newId: store.newId, now })
  if (outcome === 'challenged') beginChallenge(order, sent, parts.url())
  const isProcessing = outcome === 'processing-then-paid' || outcome === 'processing-then-failed'
  if (order.charges[0].status === 'paid') addPayables(store, order, 'paid', now)
  store.orders.push({ order, pending: isProcessing ? { outcome, at: now.getTime() + PROCESSING_MS } : null })
  store.save()
  void announce(order)
  return { status: 200, body: order }
}

/** As the processor answers: the problems, and the request that they are in, the card's number and all. */
function invalid(problems: Problems, request: Record<string, unknown>): object {
  return { message: 'The request is invalid.', errors: problems, request }
}

function notFound(reply: FastifyReply, what: string): FastifyReply {
  return reply.code(404).send({ message: `${what} not found.` })
}
