import { OperationTypeNode, print } from 'graphql'
import { describe, expect, it } from 'vitest'
import { randomOf } from '../chaos/random.js'
import { adjustableClock } from '../kernel/clock.js'
import { AppError } from '../kernel/errors.js'
import { createLog } from '../kernel/log.js'
import { subgraphServer } from '../kernel/subgraph-http.js'
import type { SubgraphExecutor, SubgraphResult } from '../kernel/subgraph.js'
import { ending } from '../test/harness/at-end.js'
import { testSettings } from '../test/harness/env.js'
import { randomOperation, type OperationSource } from '../test/harness/random-operation.js'
import { seenInAnyOrder } from '../test/harness/seen-answer.js'
import { CREATE_ORDER, ORDER_INPUT, REGISTER_FROM_ORDER, startSupergraphHarness } from '../test/harness/supergraph.js'
import { prepareOperation } from './operation.js'
import { remoteExecutor } from './subgraph-client.js'
import { loadSupergraph, type SupergraphExecutor } from './supergraph.js'

/** How many operations are drawn, and from which number on: the same one draws the same operations. */
const { randomOperations: COUNT, randomSeed: SEED } = testSettings
const TIMEOUT_MS = 120_000 + COUNT * 500

const harness = await startSupergraphHarness()
const { make, context } = harness
const log = createLog('silent')
const orders = [await make(CREATE_ORDER, ORDER_INPUT), await make(CREATE_ORDER, ORDER_INPUT)]
const payments = [
  await make(REGISTER_FROM_ORDER, { orderCode: orders[0] }),
  await make(REGISTER_FROM_ORDER, { orderCode: orders[0] }),
]

const remote = await overHttp()

/** Fields of the root that are not drawn, as they ask systems outside, whose answers change by themselves. */
const ASKING_OUTSIDE = new Set([
  'marketQuote',
  'providerHealth',
  'treasury',
  'rebalanceOpportunities',
  'yieldEarnings',
  'yieldStrategies',
])
/** All others; those that are for people or operators are refused alike. */
const READS = Object.keys(harness.supergraph.apiSchema.getQueryType()?.getFields() ?? {}).filter(
  (root) => !ASKING_OUTSIDE.has(root),
)
/** Mutations that leave behind what the next way to the same answer finds: how often they were asked, or who was made known. */
const REMEMBERED = new Set(['sendEmailOtp', 'verifyEmailOtp', 'prepareKyc', 'prepareWalletKyc'])
/** All others; those that are for people or operators are refused alike. */
const WRITES = Object.keys(harness.supergraph.apiSchema.getMutationType()?.getFields() ?? {}).filter(
  (root) => !REMEMBERED.has(root),
)
/** Stand for an order and a payment that were made for one run of a document. */
const MADE = { order: 'made-order', payment: 'made-payment' }
const VALUES = {
  ID: [...orders, ...payments, 'none'],
  Int: [0, 1, 2, 3, 5, 100, 101],
  String: ['BRL', 'none', '', Buffer.from(payments[0] ?? '').toString('base64url')],
  Boolean: [true, false],
  Decimal: ['1', '10.50', '-1', 'much'],
  Float: [1, 50.5],
  EmailAddress: ['ana@example.com'],
  // A summary reaches back 92 days at most.
  DateTime: ['2026-01-01T00:00:00.000Z', new Date(Date.now() - 86_400_000).toISOString()],
  URL: ['https://example.com/picture'],
  JSON: [{}, { note: [1, null] }],
}
const READING: OperationSource = {
  schema: harness.supergraph.apiSchema,
  kind: OperationTypeNode.QUERY,
  roots: READS,
  values: VALUES,
}
const WRITING: OperationSource = {
  ...READING,
  kind: OperationTypeNode.MUTATION,
  roots: WRITES,
  values: { ...VALUES, ID: [...Object.values(MADE), MADE.order, 'none'] },
}

type Run = (source: string, variables: Record<string, unknown>) => Promise<SubgraphResult>

/** The ways to an answer: the quickest one, the planned one, and the quickest one to other processes. */
function waysOver(here: SupergraphExecutor, elsewhere: SupergraphExecutor): Record<string, Run> {
  const run =
    (execute: SupergraphExecutor['execute']): Run =>
    async (source, variables) =>
      execute(prepareOperation(source), variables, context)
  return {
    'past the planner': run(here.execute),
    planned: run(here.executeByGateway),
    'over HTTP': run(elsewhere.execute),
    'over HTTP, planned': run(elsewhere.executeByGateway),
  }
}

/** The subgraphs as other processes have them. */
async function overHttp(): Promise<Record<string, SubgraphExecutor>> {
  const [signingKey, clock] = [Buffer.alloc(32, 1), adjustableClock()]
  const server = ending(
    subgraphServer({ subgraphs: harness.local, signingKey, clock, isReady: () => Promise.resolve(true) }),
  )
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return Object.fromEntries(
    Object.keys(harness.executors).map((name) => [
      name,
      remoteExecutor({ name, url: `${url}/${name}/graphql`, signingKey, clock, log }),
    ]),
  )
}

/** A supergraph of which one subgraph fails: always, or in the midst of a plan, where it is asked for objects that another has named. */
function without(
  failing: string,
  subgraphs: Readonly<Record<string, SubgraphExecutor>>,
  when: 'always' | 'midway',
): SupergraphExecutor {
  const execute = subgraphs[failing]
  if (!execute) throw new Error(`no subgraph is named ${failing}`)
  const fails: SubgraphExecutor = (request) =>
    when === 'always' || print(request.document).includes('_entities(')
      ? Promise.reject(new AppError('provider_unavailable'))
      : execute(request)
  return ending(loadSupergraph({ ...subgraphs, [failing]: fails }, log))
}

/** Draws operations and expects each to be answered alike on all ways. @returns how many had data */
async function expectAlike(
  source: OperationSource,
  count: number,
  ways: Readonly<Record<string, Run>>,
  prepare: (variables: Record<string, unknown>) => Promise<Record<string, unknown>> = (given) => Promise.resolve(given),
): Promise<number> {
  let answered = 0
  for (let seed = SEED; seed < SEED + count; seed += 1) {
    const { source: text, variables } = randomOperation(source, randomOf(seed))
    const answers: Record<string, string> = {}
    for (const [way, run] of Object.entries(ways)) {
      const result = await run(text, await prepare(variables))
      answers[way] = seenInAnyOrder(result, source === WRITING)
      if (result.data) answered += 1
    }
    const [first] = Object.values(answers)
    const told = `seed ${seed}\n${text}\n${JSON.stringify(variables)}`
    expect({ told, ...answers }).toEqual({
      told,
      ...Object.fromEntries(Object.keys(ways).map((way) => [way, first])),
    })
  }
  return answered / Object.keys(ways).length
}

describe('a random operation', () => {
  const ways = async () => waysOver(harness.supergraph, ending(loadSupergraph(remote, log)))

  it('that reads is answered alike on every way', { timeout: TIMEOUT_MS }, async () => {
    expect(await expectAlike(READING, COUNT, await ways())).toBeGreaterThan(COUNT / 2)
  })

  it('that writes is answered alike on every way', { timeout: TIMEOUT_MS }, async () => {
    const count = Math.ceil(COUNT / 10)
    let order: string | undefined
    const fresh = async (variables: Record<string, unknown>): Promise<Record<string, unknown>> => {
      // An account has at most 20 orders.
      if (order !== undefined) await harness.supergraph.execute(DELETE, { id: order }, context)
      order = await make(CREATE_ORDER, ORDER_INPUT)
      const payment = await make(REGISTER_FROM_ORDER, { orderCode: order })
      const text = JSON.stringify(variables).replaceAll(MADE.order, order).replaceAll(MADE.payment, payment)
      return JSON.parse(text) as Record<string, unknown>
    }
    expect(await expectAlike(WRITING, count, await ways(), fresh)).toBeGreaterThan(count / 2)
  })

  it.each([
    ['orders', 'always'],
    ['orders', 'midway'],
    ['payments', 'always'],
    ['payments', 'midway'],
    ['kyc', 'always'],
    ['accounts', 'always'],
    ['yield', 'always'],
  ] as const)(
    'is answered alike on every way while %s fails %s, beside what the others have',
    { timeout: TIMEOUT_MS },
    async (failing, when) => {
      const [here, elsewhere] = [without(failing, harness.executors, when), without(failing, remote, when)]
      const count = Math.ceil(COUNT / 4)
      expect(await expectAlike(READING, count, waysOver(here, elsewhere))).toBeGreaterThan(count / 4)
      const writes = Math.ceil(count / 4)
      expect(await expectAlike(WRITING, writes, waysOver(here, elsewhere), withRoom)).toBeGreaterThan(0)
    },
  )
})

const ACTIVE = prepareOperation('{ orders(first: 20) { edges { node { id } } } }')

/** An account has at most 20 orders: those that operations have made are deleted. */
async function withRoom(variables: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { data } = await harness.supergraph.execute(ACTIVE, {}, context)
  const { edges } = data?.['orders'] as { edges: { node: { id: string } }[] }
  for (const { node } of edges.filter(({ node }) => !orders.includes(node.id)))
    await harness.supergraph.execute(DELETE, { id: node.id }, context)
  return variables
}

const DELETE = prepareOperation('mutation ($id: ID!) { deleteOrder(id: $id) { errors { code } } }')
