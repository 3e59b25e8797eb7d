import { readdirSync, readFileSync } from 'node:fs'
import { join, parse as parsePath } from 'node:path'
import federation from '@apollo/federation-internals'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { OperationTypeNode, parse, validate } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../kernel/root.js'
import type { SubgraphResult } from '../kernel/subgraph.js'
import { loadOperations, wholeSchema } from '../rest-compat/operation.js'
import { CLIENT_QUERIES } from './fixtures/client-queries.js'
import { sampleValue } from './fixtures/sample-input.js'
import { CREATE_ORDER, ORDER_INPUT, REGISTER_FROM_ORDER, startSupergraphHarness } from '../test/harness/supergraph.js'
import { seenAnswer } from '../test/harness/seen-answer.js'
import { hashOf, prepareOperation, type PreparedOperation } from './operation.js'
import { singleSubgraphPlanner } from './single-subgraph.js'
import type { SupergraphExecutor } from './supergraph.js'

type Variables = Record<string, unknown>

const { orderItems: _, ...PAYMENT } = ORDER_INPUT
const REGISTER =
  'mutation ($input: RegisterPaymentInput!) { payload: registerPayment(input: $input) { made: payment { id } errors { code path } } }'

const harness = await startSupergraphHarness()
const { make } = harness
const operations = loadOperations(wholeSchema(harness.supergraph.sdl))
const order = await make(CREATE_ORDER, ORDER_INPUT)
const paid = await make(REGISTER_FROM_ORDER, { orderCode: order })
const known = { order, paid, plain: await make(REGISTER, { ...PAYMENT, metadata: { note: [1, null] } }) }

/** Runs an operation both ways, each time with what `prepare` gives, and expects the same. @returns the answer */
async function sameBothWays(
  operation: PreparedOperation,
  prepare: () => Variables | Promise<Variables>,
  context = harness.context,
): Promise<SubgraphResult> {
  const ways: SupergraphExecutor['execute'][] = [harness.supergraph.execute, harness.supergraph.executeByGateway]
  const answers: SubgraphResult[] = []
  for (const run of ways) answers.push(await run(operation, await prepare(), context))
  const [direct, byGateway] = answers
  if (!direct || !byGateway) throw new Error('nothing was run')
  expect(seenAnswer(direct)).toBe(seenAnswer(byGateway))
  return direct
}

function client(source: string): PreparedOperation {
  const operation = prepareOperation(source)
  expect(validate(harness.supergraph.apiSchema, operation.document)).toEqual([])
  return operation
}

/** Variables with which the operations of the REST layer succeed. */
const SUCCEEDS: Record<string, () => Variables | Promise<Variables>> = {
  products: () => ({}),
  'create-order': () => ({ input: ORDER_INPUT }),
  'create-transaction': async () => ({
    input: {
      paymentId: await make(REGISTER, PAYMENT),
      transactionType: 'CRYPTO',
      payerEmail: 'ana@example.com',
      payerWallet: harness.payer,
      chainName: 'polygon',
      payerTokenSymbol: 'USDT',
    },
  }),
  order: () => ({ orderId: known.order }),
  payment: () => ({ id: known.paid }),
  'quote-market': () => ({ from: 'ETH', to: 'BRL' }),
  'register-checkout-payment': () => ({ input: { orderCode: known.order } }),
  'register-payment': () => ({ input: PAYMENT }),
  'delete-order': async () => ({ orderId: await make(CREATE_ORDER, ORDER_INPUT) }),
  'update-order': () => ({ orderId: known.order, input: { orderItems: [{ quantity: 3 }] } }),
}

/** What of the REST layer a client may ask as well, as a client asks it. */
const asked = new Map(
  [...operations.values()]
    .filter(({ document }) => validate(harness.supergraph.apiSchema, document).length === 0)
    .map(({ name, source, variables }) => [name, { ...client(source), name, variables }]),
)

describe('an operation of the REST layer answers a client the same directly as through the gateway', () => {
  it.each(Object.keys(SUCCEEDS))('where %s succeeds', async (name) => {
    const operation = asked.get(name)
    if (!operation) throw new Error(`no document is named ${name}`)
    const { data, errors } = await sameBothWays(operation, SUCCEEDS[name] ?? (() => ({})))
    expect(errors).toBeUndefined()
    expect(operation.kind === 'mutation' ? data?.['payload'] : data).toMatchObject({
      data: expect.anything() as unknown,
    })
  })

  it('where it is given what is well-formed and nobody knows', async () => {
    for (const operation of asked.values()) {
      const variables = Object.fromEntries(operation.variables.map(({ name, type }) => [name, sampleValue(type)]))
      await sameBothWays(operation, () => variables)
    }
  })

  it('where a platform key asks', async () => {
    const context = { ...harness.context, caller: { ...harness.context.caller, tenantId: null } }
    for (const operation of asked.values()) {
      const variables = Object.fromEntries(operation.variables.map(({ name, type }) => [name, sampleValue(type)]))
      await sameBothWays(operation, () => variables, context)
    }
  })

  it('where variables are missing, null or of another type', async () => {
    for (const operation of asked.values()) {
      for (const wrong of [undefined, null, 5, 'text', [], { unknown: true }]) {
        const names = operation.variables.map(({ name }) => name)
        await sameBothWays(operation, () => Object.fromEntries(names.map((name) => [name, wrong])))
      }
    }
  })
})

describe('an operation of a client answers the same directly as through the gateway', () => {
  it.each(CLIENT_QUERIES)('with %s', async (_about, source, variables = () => ({})) => {
    await sameBothWays(client(source), () => variables(known))
  })

  it.each([undefined, null, 5, true, [1], { id: 1 }])('with %j for an id', async (id) => {
    await sameBothWays(client('query ($id: ID!) { payment(id: $id) { id } }'), () => ({ id }))
    await sameBothWays(client('query ($id: ID!) { payment(id: $id) { order { id active } } }'), () => ({ id }))
  })

  it.each([undefined, null, 'NONE', 5, 'registered'])('with %j for an enum', async (status) => {
    const source = 'query ($status: PaymentStatus) { payments(filter: {status: $status}) { edges { node { id } } } }'
    await sameBothWays(client(source), () => ({ status }))
  })

  it('with several operations in a document, each by its name', async () => {
    const source = 'query A { products { kyc } } query B { account { name } }'
    const both = { source, document: parse(source), hash: hashOf(source), kind: OperationTypeNode.QUERY }
    for (const operationName of ['A', 'B']) await sameBothWays({ ...both, operationName }, () => ({}))
  })

  it('with several mutations, in their order', async () => {
    const source = `mutation ($a: CreateOrderInput!, $b: ID!) {
      first: createOrder(input: $a) { order { id active } errors { code path } } second: deactivateOrder(id: $b) { order { active } errors { code path } } third: activateOrder(id: $b) { order { active } errors { code path } } }`
    const order = await make(CREATE_ORDER, ORDER_INPUT)
    const { data } = await sameBothWays(client(source), () => ({ a: ORDER_INPUT, b: order }))
    expect(data).toMatchObject({ second: { order: { active: false } }, third: { order: { active: true } } })
  })

  it('with mutations of several subgraphs, one of which fails', async () => {
    const source = `mutation ($order: CreateOrderInput!, $payment: RegisterPaymentInput!) {
      a: createOrder(input: $order) { order { id payments { pageInfo { hasNextPage } } } errors { code path } }
      b: registerPayment(input: $payment) { payment { id } errors { code path } } c: deactivateOrder(id: "none") { order { id } errors { code path } } }`
    await sameBothWays(client(source), () => ({ order: ORDER_INPUT, payment: PAYMENT }))
  })
})

it('a field that its client calls by the name of a key is that field, where it takes several subgraphs too', async () => {
  const read = (fields: string) =>
    harness.supergraph.execute(
      client(`query ($id: ID!) { order(id: $id) { ${fields} } }`),
      { id: known.order },
      harness.context,
    )
  const alone = await read('id: executorId createdAt: updatedAt')
  expect(alone.data?.['order']).not.toMatchObject({ id: known.order })
  const { data, errors } = await read('id: executorId createdAt: updatedAt payments { __typename }')
  expect(errors).toBeUndefined()
  expect(data).toEqual({
    order: { ...(alone.data?.['order'] as object), payments: { __typename: 'PaymentConnection' } },
  })
})

describe('the decision to go to one subgraph directly', () => {
  let plans: ReturnType<typeof singleSubgraphPlanner>
  beforeAll(() => {
    const folder = join(projectRoot, 'schema', 'subgraphs')
    const schemas = readdirSync(folder).map(
      (file) => [parsePath(file).name, buildSubgraphSchema(parse(readFileSync(join(folder, file), 'utf8')))] as const,
    )
    plans = singleSubgraphPlanner(
      federation.Supergraph.build(harness.supergraph.sdl),
      harness.supergraph.apiSchema,
      Object.fromEntries(schemas),
    )
  })
  const decide = (source: string): string | undefined => plans.singleSubgraphOf(client(source))

  it('is made for what one subgraph has, whichever it is', () => {
    expect(decide('query ($id: ID!) { payment(id: $id) { id history { cause } order { id } } }')).toBe('payments')
    expect(decide('{ a: orders { totalCount } b: order(id: "x") { active } }')).toBe('orders')
    expect(decide('{ products { pix } }')).toBe('accounts')
    for (const name of ['payment', 'register-payment', 'order', 'list-refunds']) {
      expect(decide(operations.get(name)?.source ?? '')).toBeDefined()
    }
  })

  it('is made for all of REST, also where it sends what the API hides, and not for a client with the same text', async () => {
    for (const operation of operations.values())
      expect([operation.name, plans.singleSubgraphOf(operation)]).not.toContain(undefined)
    const checkout = operations.get('register-checkout-payment')
    if (!checkout) throw new Error('there is no such document')
    expect(decide(checkout.source)).toBeUndefined()
    const input = { orderCode: known.order, fromCurrencySymbol: 'XXX' }
    const { data } = await harness.supergraph.execute(checkout, { input }, harness.context)
    expect(data).toMatchObject({
      payload: { data: null, errors: [{ code: 'VALIDATION_ERROR', path: ['fromCurrencySymbol'] }] },
    })
    const { errors } = await sameBothWays(client(checkout.source), () => ({ input }))
    expect(errors?.[0]?.message).toContain('fromCurrencySymbol')
  })

  it('is not made where another subgraph, the schema or the order of mutations is needed', () => {
    expect(decide('{ payment(id: "x") { order { active } } }')).toBeUndefined()
    expect(decide('{ products { pix } order(id: "x") { id } }')).toBeUndefined()
    expect(decide('{ products { pix } __schema { queryType { name } } }')).toBeUndefined()
    expect(
      decide(
        'mutation { a: deactivateOrder(id: "x") { order { id } errors { code path } } b: replayWebhookDelivery(id: "x") { webhookDelivery { id } errors { code path } } }',
      ),
    ).toBeUndefined()
  })
})
