import {
  buildSchema,
  getOperationAST,
  getVariableValues,
  parse,
  type GraphQLError,
  type GraphQLScalarType,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { invalidTextError } from '../../kernel/invalid-text-error.js'
import { attachScalars, Decimal } from '../../kernel/scalars.js'
import { startHarness } from '../../test/harness/harness.js'
import { startSupergraphHarness } from '../../test/harness/supergraph.js'
import { prepareOperation } from '../operation.js'
import { withoutValues } from './variable-errors.js'

/** As many as a body of 256 KiB can hold. */
const BAD = Array.from({ length: 60_000 }, () => 'bad')
const DOCUMENT = 'query ($values: [Amount!]!) { sum(values: $values) }'

describe('bad variables', () => {
  it('are looked at no further than their errors are told', () => {
    const schema = buildSchema('scalar Amount type Query { sum(values: [Amount!]!): Int }')
    let looks = 0
    const amount = schema.getType('Amount') as GraphQLScalarType
    amount.parseValue = (value) => {
      looks += 1
      return Decimal.parseValue(value)
    }
    const document = parse(DOCUMENT)
    const operation = getOperationAST(document)
    if (!operation) throw new Error('there is no operation')
    const error = {
      message: 'Variable "$values" got invalid value "bad" at "values[0]"',
      extensions: {},
    } as GraphQLError
    const told = withoutValues([error], schema, { document, operation }, { values: BAD })
    expect(told).toHaveLength(50)
    expect(looks).toBe(50)
  })

  it.each([
    ['-5', 'must be from 0 to 100'],
    ['1'.repeat(31), 'must be from 0 to 100'],
    ['33.3333333333333333333', 'must have at most 15 digits'],
    ['half', 'must be a decimal number such as "10.50"'],
    [50, 'must be a decimal number such as "10.50"'],
  ])('name the range of a share that no Decimal holds: %j', (receiverPercent, message) => {
    const schema = buildSchema(
      'scalar Decimal input Share { receiverPercent: Decimal! } type Query { split(shares: [Share!]!): Int }',
    )
    attachScalars(schema)
    const document = parse('query ($shares: [Share!]!) { split(shares: $shares) }')
    const operation = getOperationAST(document)
    if (!operation) throw new Error('there is no operation')
    const shares = [{ receiverPercent }]
    const { errors = [] } = getVariableValues(schema, operation.variableDefinitions ?? [], { shares })
    const [told] = withoutValues(errors, schema, { document, operation }, { shares })
    expect(told?.extensions['errors']).toEqual([{ field: 'shares.0.receiverPercent', message }])
  })
})

it('the field that a failure names is of the operation that is run, and of no other of its document', () => {
  const schema = buildSchema('type Query { one(first: Int): Int other(last: Int): Int }')
  const document = parse(
    'query A($v: Int) { one(first: $v) } query B($v: Int) { ...F } fragment F on Query { other(last: $v) }',
  )
  const operation = getOperationAST(document, 'B')
  if (!operation) throw new Error('there is no operation')
  const { errors = [] } = getVariableValues(schema, operation.variableDefinitions ?? [], { v: 'bad' })
  const [told] = withoutValues(errors, schema, { document, operation }, { v: 'bad' })
  expect(told?.extensions['errors']).toMatchObject([{ field: 'last' }])
  expect(invalidTextError(document, { v: 'a\u0000' }, 'B')?.extensions['errors']).toMatchObject([{ field: 'last' }])
})

describe('the field that a failure names', async () => {
  const harness = await startHarness()
  const fieldsOf = async (query: string, variables: object): Promise<string[]> => {
    const { body } = await harness.graphql(query, variables, { as: harness.tenant })
    const told = body.errors as unknown as { extensions: { errors: { field: string }[] } }[]
    return told.flatMap(({ extensions }) => extensions.errors.map(({ field }) => field))
  }
  const nul = 'a\u0000'
  const update = (argument: string, type: string) =>
    `mutation ($v: ${type}) { updateOrder(id: "x", input: ${argument}) { errors { path } } }`
  const page = (argument: string, type: string) =>
    `query ($v: ${type}) { payments(filter: ${argument}) { totalCount } }`

  it.each([
    ['an argument, by its own name', 'query ($v: Int) { payments(first: $v) { totalCount } }', 'x', 'first'],
    ['an argument that is missing', 'query ($v: ID!) { payment(id: $v) { id } }', undefined, 'id'],
    ['an argument, of a text', 'query ($v: ID!) { payment(id: $v) { id } }', nul, 'id'],
    ['an item of one', 'query ($v: [ID!]!) { nodes(ids: $v) { id } }', ['1', {}], 'ids.1'],
    ['a field of it', page('$v', 'PaymentFilterInput'), { statuses: ['X'] }, 'filter.statuses.0'],
    ['a field of it, of a text', page('$v', 'PaymentFilterInput'), { payerEmail: nul }, 'filter.payerEmail'],
    ['a field of it that is unknown', page('$v', 'PaymentFilterInput'), { nothing: 1 }, 'filter.nothing'],
    ['a variable in it', page('{ statuses: $v }', '[PaymentStatus!]'), ['X'], 'filter.statuses.0'],
    ['the input, where it is missing', update('$v', 'UpdateOrderInput!'), undefined, 'input'],
    ['a field of the input', update('$v', 'UpdateOrderInput!'), { executorId: nul }, 'executorId'],
    ['a variable in the input', update('{ executorId: $v }', 'String'), nul, 'executorId'],
    ['a variable in a list of it', update('{ orderItems: [{}, { name: $v }] }', 'String'), nul, 'orderItems.1.name'],
  ])('is %s', async (_what, query, v, field) => {
    const fields = await fieldsOf(query, { v })
    expect(fields).toEqual([field])
  })

  it("is the rules' own, whatever the variable is called", async () => {
    const query = 'query ($v: PaymentFilterInput) { payments(filter: $v) { totalCount } }'
    expect(await fieldsOf(query, { v: { statuses: [] } })).toEqual(['filter.statuses'])
  })
})

describe('over the supergraph', async () => {
  const harness = await startSupergraphHarness()

  it.each(['execute', 'executeByGateway'] as const)('%s tells a bounded number of them', async (way) => {
    const source = `mutation ($input: RegisterPaymentInput!) { a: registerPayment(input: $input) { payment { id order { active } } errors { code path } } }`
    const input = { splitPaymentConfig: BAD.slice(0, 20_000) }
    const { errors } = await harness.supergraph[way](prepareOperation(source), { input }, harness.context)
    expect(errors?.length).toBeLessThanOrEqual(51)
    expect(errors?.length).toBeGreaterThan(40)
  })

  it.each(['execute', 'executeByGateway'] as const)('%s prints an object of many unknown fields once', async (way) => {
    const source = `mutation ($input: RegisterPaymentInput!) { registerPayment(input: $input) { payment { id } errors { code path } } }`
    const input = Object.fromEntries(Array.from({ length: 18_000 }, (_, index) => [`unknown${index}`, 1]))
    const { errors = [] } = await harness.supergraph[way](prepareOperation(source), { input }, harness.context)
    const printed = errors.reduce((length, { message }) => length + message.length, 0)
    expect(printed).toBeGreaterThan(0)
    expect(printed).toBeLessThan(1_000_000)
  })

  it.each(['execute', 'executeByGateway'] as const)('%s names a bad item of a list by the argument', async (way) => {
    const operation = prepareOperation('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }')
    const { errors = [] } = await harness.supergraph[way](operation, { ids: ['1', 'a\u0000'] }, harness.context)
    expect(errors[0]?.extensions['errors']).toMatchObject([{ field: 'ids.1' }])
  })

  it.each(['execute', 'executeByGateway'] as const)(
    '%s names the field of a text that no database keeps',
    async (way) => {
      const source = `mutation ($input: CreateTransactionInput!) { createTransaction(input: $input) { payment { id } errors { code path } } }`
      const input = { paymentId: '1', transactionType: 'PIXCRYPTO', payerEmail: 'a@example.com', payerCpf: '1\u0000' }
      const { errors = [] } = await harness.supergraph[way](prepareOperation(source), { input }, harness.context)
      const failures = [{ field: 'payerCpf', message: 'must not contain NUL characters or lone surrogates' }]
      expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: failures })
    },
  )
})
