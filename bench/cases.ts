import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../kernel/root.js'
import { loadOperations, wholeSchema } from '../rest-compat/operation.js'
import type { WireRequest } from './http-client.js'
import { registration, registrationInput, type Registered } from './registration.js'
import type { Demo } from './workspace.js'

export const TARGETS = ['handwritten', 'product', 'stock'] as const
export type TargetName = (typeof TARGETS)[number]

/** One question that all targets are asked, each in its own way. */
export interface Case {
  name: string
  /** Whether it changes something: then every request has an idempotency key of its own, and an answer too. */
  writes: boolean
  /** A target that has none is not measured in it. */
  requests: Partial<Record<TargetName, readonly WireRequest[]>>
  /** How many connections ask at once, where not as many as usual. */
  connections?: number
  /** The fields of an answer that are others at another moment, each with the pattern of its JSON value. */
  varying?: Readonly<Record<string, string>>
  /** What an answer is about, in a form in which the answers of all targets are the same. */
  essence: (target: TargetName, body: unknown) => unknown
}

/** A payment as a whole. */
export const BY_ID = `query PaymentById($id: ID!) {
  payment(id: $id) {
    id status executorId orderCode transactionType gatewayMethod payerEmail payerWallet payerTokenSymbol payerCpf tidHash
    fromCurrencySymbol amountFrom toCurrencySymbol amountTo chainName toChain onRamp
    splitPaymentConfig { receiverWallet receiverPercent }
    signedTransaction globalPaymentData dataError { code message } sessionPayment metadata createdAt updatedAt
  }
}`

/** A page of payments. */
export const LIST = `query Payments($after: String) {
  payments(first: 20, after: $after) {
    edges { cursor node { id status transactionType fromCurrencySymbol amountFrom toCurrencySymbol amountTo createdAt } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`

/** How many different payments and pages are asked for. */
const QUESTIONS = 500

/**
 * The measured cases.
 * @param ids the seeded payments, oldest first
 */
export function casesFor(demo: Demo, ids: readonly string[]): Case[] {
  const headers = { 'x-api-key': demo.apiKey }
  const asked = Array.from({ length: QUESTIONS }, (_, index) => ids[(index * 7919) % ids.length] ?? '')
  const get = (path: string): WireRequest => ({ method: 'GET', path, headers })
  const post = (path: string, body: unknown): WireRequest => ({
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const graphql = (query: string, variables: object): WireRequest => post('/graphql', { query, variables })
  const status = asked.map((id) => get(`/payment/${id}/status`))
  const byId = asked.map((id) => graphql(BY_ID, { id }))
  const cursors = asked.map((id) => Buffer.from(id).toString('base64url'))
  const list = cursors.map((after) => graphql(LIST, { after }))
  const register = [post('/payment/register/intents-create-order', bodyOf(demo))]
  return [
    {
      name: 'REST status',
      writes: false,
      requests: {
        product: status,
        handwritten: status,
        stock: asked.map((id) => graphql(restDocument('payment'), { id })),
      },
      essence: (target, body) => (target === 'stock' ? asStatusRecord(at(body, 'data', 'data')) : at(body, 'data')),
    },
    {
      name: 'REST register',
      writes: true,
      requests: {
        product: register,
        handwritten: register,
        stock: [graphql(restDocument('register-payment'), { input: inputOf(demo) })],
      },
      essence: (target, body) =>
        target === 'stock' ? at(body, 'data', 'payload', 'data', 'payment_id') : at(body, 'data', 'payment_id'),
    },
    {
      name: 'GraphQL by id',
      writes: false,
      requests: { product: byId, handwritten: asked.map((id) => get(`/payments/${id}`)), stock: byId },
      // What an answer has cost is told by the product alone.
      essence: (_target, body) => at(body, 'data'),
      varying: { remaining: '\\d+' },
    },
    {
      name: 'GraphQL list',
      writes: false,
      requests: { product: list, handwritten: cursors.map((after) => get(`/payments?after=${after}`)), stock: list },
      // What an answer has cost is told by the product alone.
      essence: (_target, body) => at(body, 'data'),
      varying: { remaining: '\\d+' },
    },
  ]
}

/** The document of a REST operation as the product runs it. */
function restDocument(name: string): string {
  const schema = wholeSchema(readFileSync(join(projectRoot, 'schema', 'supergraph.graphql'), 'utf8'))
  const operation = loadOperations(schema).get(name)
  if (!operation) throw new Error(`no operation is named ${name}`)
  return operation.source
}

/** GraphQL's names, nulls and decimals as the REST record has them: the only differences between the two. */
function asStatusRecord(data: unknown): object {
  const record = data as Record<string, unknown>
  const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)
  const blank = ['payer_email', 'payer_wallet', 'amount_to', 'chain_name', 'from_chain', 'to_chain']
  const transaction = record['unsigned_tx'] as Record<string, unknown> | null
  const split = record['split_payment_config'] as Record<string, unknown>[]
  return {
    ...record,
    ...Object.fromEntries(blank.map((name) => [name, record[name] ?? ''])),
    status: lower(record['status']),
    transaction_type: lower(record['transaction_type']),
    split_payment_config: split.map((share) => ({ ...share, receiver_percent: Number(share['receiver_percent']) })),
    unsigned_tx: transaction && { ...transaction, family: lower(transaction['family']) },
  }
}

/** What is at a path of a parsed answer. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)
}

const METADATA = { cart: 'bench' }

function registeredBy({ publicClientId, receivers: [first, second] }: Demo): Registered {
  const shares = [[first, 70] as const, [second, 30] as const]
  return { publicClientId, webhookUrl: 'https://127.0.0.1/hook', shares }
}

function bodyOf(demo: Demo): object {
  const methods = { payment_method_allowed: { crypto: true, pixcrypto: false } }
  return { ...registration(registeredBy(demo)), ...methods, metadata: METADATA }
}

function inputOf(demo: Demo): object {
  const methods = { paymentMethodAllowed: { crypto: true, pixcrypto: false } }
  return { ...registrationInput(registeredBy(demo)), ...methods, metadata: METADATA }
}
