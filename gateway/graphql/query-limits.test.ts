import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, getIntrospectionQuery, Kind, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../kernel/root.js'
import { startHarness } from '../../test/harness/harness.js'
import { measureQuery, type QueryMeasure } from './measure-query.js'
import { readQueryCosts } from './query-costs.js'
import { checkLimits, QUERY_LIMITS } from './query-limits.js'
import { SAVED_OPERATIONS } from './saved-operations.js'

const schema = buildSchema(readFileSync(join(projectRoot, 'schema', 'api.graphql'), 'utf8'))

const costs = readQueryCosts(readFileSync(join(projectRoot, 'schema', 'supergraph.graphql'), 'utf8'))

/** A page of everything that a shop's payment list shows. */
const PAYMENT_LIST = `query Payments($first: Int = 100, $after: String) {
  payments(first: $first, after: $after) {
    edges { cursor node {
      id status transactionType payerEmail payerWallet amountFrom fromCurrencySymbol amountTo toCurrencySymbol createdAt
      splitPaymentConfig { receiverWallet receiverPercent }
      order { id active amountFrom orderItems { name quantity description } paymentMethodAllowed { crypto pixcrypto } }
      history { sequence status cause createdAt }
      quote { rate amountFrom amountTo expiresAt }
      unsignedTransaction { ... on EvmTransaction { transactionRequest { to } } ... on SolanaTransaction { serialized } }
    } }
    pageInfo { hasNextPage endCursor }
  }
}`

/** What this process has computed since then, whatever else the machine had to do. */
function computedMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

function measure(source: string, variables: Record<string, unknown> = {}): QueryMeasure {
  const document = parse(source, { maxTokens: QUERY_LIMITS.tokens })
  expect(validate(schema, document)).toEqual([])
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)
  if (!operation) throw new Error('there is no operation')
  return measureQuery({ schema, costs }, document, operation, variables)
}

/** Fragments of which each spreads the next one twice: written out, the last is there 2^length times. */
function bomb(length: number): string {
  const spread = (index: number): string =>
    `a${index}: order { ...F${index + 1} } b${index}: order { ...F${index + 1} }`
  const links = Array.from({ length }, (_, index) =>
    index % 2 === 0
      ? `fragment F${index} on Payment { ${spread(index)} }`
      : `fragment F${index} on Order { payments { edges { a${index}: node { ...F${index + 1} } b${index}: node { ...F${index + 1} } } } }`,
  )
  const last = `fragment F${length} on ${length % 2 === 0 ? 'Payment' : 'Order'} { id }`
  return `{ payment(id: "x") { ...F0 } } ${links.join('\n')} ${last}`
}

const flags = Array.from({ length: 9 }, (_, index) => `$f${index}: Boolean = false`).join(', ')

const TWENTY_CONDITIONS = `fragment C on Query { ${fill(20, (index) => `... @skip(if: $f${index % 9}) { products { pix } }`)} }`

/** Conditions within conditions: those of each fragment stand around two of the next. */
function conditionBomb(length: number): string {
  const links = Array.from({ length: length + 1 }, (_, index) => {
    const next = `...F${index + 1}`
    const both = `... on Payment @skip(if: $f${index % 9}) { ${next} } ... on Node @include(if: $f${(index + 3) % 9}) { ${next} }`
    return `fragment F${index} on Node { id ... on Payment { order { active } } ${index < length ? both : ''} }`
  })
  return `query (${flags}) { node(id: "x") { ...F0 } } ${links.join('\n')}`
}

/** Fragments that multiply with each other below the schema's types. */
function schemaBomb(fields: number, types: number, names: number): string {
  return `{ __schema { types { ...F } } }
    fragment F on __Type { ${fill(fields, (index) => `a${index}: fields { ...G }`)} }
    fragment G on __Field { ${fill(types, (index) => `b${index}: type { ...H }`)} }
    fragment H on __Type { ${fill(names, (index) => `c${index}: name`)} fields { args { name description } } }`
}

describe('the measure of a query', () => {
  it('multiplies what is in a page by its length, as argument, variable, default or by itself', () => {
    const costOf = (source: string, variables?: Record<string, unknown>) => measure(source, variables).cost
    expect(costOf('{ payments(first: 7) { totalCount } }')).toBe(1 + 50)
    // The connection, and an edge with its node for each place.
    expect(costOf('{ payments(first: 7) { edges { node { id } } } }')).toBe(1 + 7 * 2)
    expect(costOf('{ payments { edges { node { id } } } }')).toBe(1 + 20 * 2)
    const source = 'query ($n: Int = 9) { payments(first: $n) { edges { cursor } } }'
    expect(costOf(source)).toBe(1 + 9)
    expect(costOf(source, { n: 50 })).toBe(1 + 50)
    expect(
      costOf('{ payments(first: 10) { ...Page } } fragment Page on PaymentConnection { edges { node { id } } }'),
    ).toBe(1 + 10 * 2)
  })

  it("takes a payment's history to be as long as its page may be", () => {
    const costOf = (source: string) => measure(source).cost
    expect(costOf('{ payment(id: "x") { history { cause } } }')).toBe(1 + 20)
    expect(costOf('{ payment(id: "x") { history(first: 7) { cause } } }')).toBe(1 + 7)
  })

  it('multiplies pages within pages', () => {
    const { cost } = measure('{ orders(first: 10) { edges { node { payments(first: 20) { edges { cursor } } } } } }')
    expect(cost).toBe(1 + 10 * (1 + 1 + 1 + 20))
  })

  it('says whether variables decide about it', () => {
    expect(measure('query ($id: ID!) { payment(id: $id) { id } }').variesWithVariables).toBe(false)
    expect(measure('query ($n: Int) { payments(first: $n) { edges { cursor } } }').variesWithVariables).toBe(true)
  })

  it.each([
    ['a literal', '{ products { pix } payments(first: 100) @include(if: false) { edges { node { id } } } }', {}],
    [
      'a variable',
      'query ($all: Boolean!) { products { pix } payments(first: 100) @include(if: $all) { edges { node { id } } } }',
      { all: false },
    ],
    [
      "a variable's default",
      'query ($no: Boolean = true) { products { pix } ... @skip(if: $no) { payments { edges { node { id } } } } }',
      {},
    ],
    [
      'a fragment that is left out once',
      `query ($no: Boolean!) { ...F @skip(if: $no) products { ...P @include(if: $no) ...P @skip(if: $no) } }
        fragment F on Query { payments { edges { node { id } } } } fragment P on Products { pix }`,
      { no: true },
    ],
  ])('has no objects of what %s leaves out', (_by, source, variables) => {
    const { cost, rootKeys } = measure(source, variables)
    expect([cost, [...rootKeys]]).toEqual([1, ['products']])
  })

  it('has the objects of what variables leave in, or do not say', () => {
    const source = 'query ($all: Boolean!) { payments(first: 7) @include(if: $all) { edges { node { id } } } }'
    for (const variables of [{ all: true }, {}, { all: 'no' }])
      expect(measure(source, variables)).toMatchObject({ cost: 1 + 7 * 2, variesWithVariables: true })
  })

  it('has all that is planned, left out or not', () => {
    const source = '{ products { pix } a: payment(id: "x") @include(if: false) { b: id order { id } } }'
    expect(measure(source)).toMatchObject({ cost: 1, depth: 3, aliases: 2, fields: 6 })
  })

  it('counts aliases and depth through fragments, each time that they are spread', () => {
    const source = `{ a: payment(id: "x") { ...F } b: payment(id: "y") { ... { ...F } } }
      fragment F on Payment { c: id order { d: id } }`
    expect(measure(source)).toMatchObject({ depth: 3, aliases: 6 })
    expect([...measure(source).rootKeys]).toEqual(['a', 'b'])
  })

  it('of fragments that grow exponentially takes no longer than of others', () => {
    const before = process.cpuUsage()
    const { aliases } = measure(bomb(40))
    expect(aliases).toBeGreaterThan(1e9)
    expect(computedMs(before)).toBeLessThan(2000)
  })
})

describe('a list whose length is bounded', () => {
  it.each([
    ['Query.apiKeys', 200],
    ['Query.passkeys', 20],
    ['Query.people', 100],
    ['Query.sessions', 100],
    ['Query.webhookEndpoints', 10],
    ['Query.payoutProposals', 100],
    ['PaymentSummary.days', 186],
    ['PaymentSummary.failures', 20],
    ['MarketQuote.rates', 2],
    ['YieldEarnings.earnings', 1],
    // Nothing is known of these: they are taken to be as long as most.
    ['Payment.payouts', 5],
    ['Configuration.chains', 5],
  ])('%s is counted as %i', (field, size) => {
    expect(costs.listSizes.get(field)?.assumedSize).toBe(size)
  })

  it('counts so many objects', () => {
    expect(measure('{ apiKeys { id } }').cost).toBe(200)
    expect(measure('{ apiKeys { id } }').weight).toBe(4)
  })
})

describe('the limits of a query', () => {
  it('let a frontend have a page of 100 payments with order, items, history, quote and transaction', () => {
    const measured = measure(PAYMENT_LIST)
    checkLimits(measured)
    expect(measured.cost).toBeLessThan(QUERY_LIMITS.cost * 0.75)
  })

  it('let a frontend have ten orders, each with a page of payments and their histories', () => {
    const page = 'payments(first: 20) { edges { node { id status history { sequence status createdAt } } } }'
    checkLimits(measure(`{ orders(first: 10) { edges { node { id ${page} } } } }`))
  })

  it('let a frontend decide about many fields, and about some within them', () => {
    const fields = fill(40, (index) => `a${index}: order @include(if: $f${index % 9}) { id @skip(if: $f${index % 7}) }`)
    const measured = measure(`query (${flags}) { payment(id: "x") { ${fields} } }`)
    checkLimits(measured)
    expect(measured.conditions).toBe(40 + 40 * 2)
    expect(measured.weight).toBe(7)
  })

  it('let tools read the schema', () => {
    checkLimits(measure(getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true })))
  })

  const { operations } = JSON.parse(readFileSync(join(projectRoot, 'schema', 'console-documents.json'), 'utf8')) as {
    operations: { body: string }[]
  }
  it.each([...operations.map(({ body }) => body), ...SAVED_OPERATIONS.map(({ query }) => query)])(
    'let the console and GraphiQL ask what they do, for a ninth of a minute at most: %.40s',
    (source) => {
      const measured = measure(source, { first: 50 })
      checkLimits(measured)
      expect(measured.weight).toBeLessThanOrEqual(66)
    },
  )

  it.each([
    ['depth', deep(5), 'its depth is 22'],
    ['aliases', `{ products { ${fill(101, (index) => `a${index}: pix`)} } }`, 'aliases is 101'],
    ['root fields', `{ ${fill(21, (index) => `a${index}: products { pix }`)} }`, 'root fields is 21'],
    ['fields that are left out', `{ products { pix ...F0 @include(if: false) } } ${wide(3)}`, 'its fields is 24002'],
    ['conditions', `query (${flags}) { ${fill(11, () => '...C')} } ${TWENTY_CONDITIONS}`, 'around it, is 220'],
    ['conditions within conditions', conditionBomb(6), 'around it, is 642'],
    ['cost', '{ orders(first: 100) { edges { node { payments(first: 100) { edges { node { id } } } } } } }', 'objects'],
    ['readings of the schema', `{ ${fill(11, (index) => `a${index}: __schema { queryType { name } }`)} }`, 'objects'],
    ['fragments that grow exponentially', bomb(40), 'The query is too complex'],
    ['aliases in what it reads of the schema', schemaBomb(100, 100, 60), 'aliases is'],
    ['of what the schema tells', schemaBomb(5, 19, 0), 'objects'],
  ])('refuse too much %s', (_about, source, message) => {
    const measured = measure(source)
    expect(() => {
      checkLimits(measured)
    }).toThrow(message)
  })

  it('bound what the longest document that is read costs to validate', () => {
    const pairs = `{ products { ${fill(950, () => 'pix ')} } }`
    const before = process.cpuUsage()
    validate(schema, parse(pairs, { maxTokens: QUERY_LIMITS.tokens }))
    expect(computedMs(before)).toBeLessThan(3000)
  })
})

describe('on the wire', async () => {
  const harness = await startHarness()

  it.each([
    ['aliases', `{ products { ${fill(101, (index) => `a${index}: pix`)} } }`],
    ['tokens', `{ products { ${fill(2000, () => 'pix ')} } }`],
    ['nested lists', '{ orders(first: 100) { edges { node { payments(first: 100) { edges { node { id } } } } } } }'],
  ])('too many %s are a 400 with a code, whatever the client accepts', async (_about, query) => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const answer = await harness.graphql(query, {}, { as: harness.tenant, headers: { accept } })
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toEqual([
        {
          message: expect.stringContaining('The query is too complex') as string,
          extensions: { code: 'QUERY_TOO_COMPLEX' },
        },
      ])
    }
  })

  it('a variable decides about the same document each time', async () => {
    const query = `query ($n: Int) { orders(first: $n) { edges { node { payments(first: 100) { edges { node { id } } } } } } }`
    const codes: unknown[] = []
    for (const n of [2, 100, 3]) {
      const { status } = await harness.graphql(query, { n }, { as: harness.tenant })
      codes.push(status)
    }
    expect(codes).toEqual([200, 400, 200])
  })

  it('the long list of a frontend is answered', async () => {
    const answer = await harness.graphql(PAYMENT_LIST, {}, { as: harness.tenant })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ data: { payments: { edges: [] } } })
  })
})

function fill(count: number, part: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => part(index)).join(' ')
}

/** Fragments of which each spreads the next one 20 times, at one depth and without aliases. */
function wide(length: number): string {
  const links = fill(length, (index) => `fragment F${index} on Products { ${fill(20, () => `...F${index + 1}`)} }`)
  return `${links} fragment F${length} on Products { pix kyc crypto }`
}

/** A payment's order's payments' orders. */
function deep(times: number): string {
  const within = (left: number): string =>
    left === 0 ? 'id' : `order { payments(first: 1) { edges { node { ${within(left - 1)} } } } }`
  return `{ payment(id: "x") { ${within(times)} } }`
}
