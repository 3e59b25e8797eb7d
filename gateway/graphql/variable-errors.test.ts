import {
  buildSchema,
  getOperationAST,
  getVariableValues,
  parse,
  type GraphQLError,
  type GraphQLScalarType,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { attachScalars, Decimal } from '../../kernel/scalars.js'
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
    const operation = getOperationAST(parse(DOCUMENT))
    if (!operation) throw new Error('there is no operation')
    const error = {
      message: 'Variable "$values" got invalid value "bad" at "values[0]"',
      extensions: {},
    } as GraphQLError
    const told = withoutValues([error], schema, operation, { values: BAD })
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
    const operation = getOperationAST(parse('query ($shares: [Share!]!) { split(shares: $shares) }'))
    if (!operation) throw new Error('there is no operation')
    const shares = [{ receiverPercent }]
    const { errors = [] } = getVariableValues(schema, operation.variableDefinitions ?? [], { shares })
    const [told] = withoutValues(errors, schema, operation, { shares })
    expect(told?.extensions['errors']).toEqual([{ field: 'shares.0.receiverPercent', message }])
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

  it.each(['execute', 'executeByGateway'] as const)('%s names a bad item of a list by the variable', async (way) => {
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
