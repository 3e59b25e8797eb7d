import 'reflect-metadata'
import { isNonNullType, isObjectType, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../../kernel/log.js'
import { localExecutor } from '../../../kernel/subgraph.js'
import { paymentsSubgraph } from '../subgraph.js'

const { schema } = paymentsSubgraph()
const unread = (): Promise<never> => Promise.reject(new Error('it cannot be read'))
const deps = {
  clock: { now: () => new Date(0) },
  settings: { chains: [] },
  paymentById: () => Promise.resolve({ id: 'paid', tenantId: 'tenant', status: 'success' }),
  historyById: unread,
  payoutsOf: unread,
  refundsOfPayment: unread,
}
const execute = localExecutor(schema, () => deps, createLog('silent'))
const context = { requestId: 'request', caller: { tenantId: 'tenant', keyId: 'key', products: [] } }

describe('what is read of a payment by a question of its own', () => {
  it.each([
    ['events', '{ edges { cursor } }'],
    ['heldPayouts', '{ splitIndex }'],
    ['history', '{ sequence }'],
    ['payouts', '{ splitIndex }'],
    ['refunds', '{ id }'],
  ])('is null alone where %s cannot be read', async (field, selection) => {
    const document = parse(`{ _entities(representations: [{ __typename: "Payment", id: "paid" }]) {
      ... on Payment { id status ${field} ${selection} } } }`)
    const { data, errors } = await execute({ document, context })
    expect(data).toEqual({ _entities: [{ id: 'paid', status: 'SUCCESS', [field]: null }] })
    expect(errors?.map(({ path }) => path)).toEqual([['_entities', 0, field]])
  })

  it('is as little of a list where its count is', () => {
    const type = schema.getType('PaymentConnection')
    if (!isObjectType(type)) throw new Error('there is no list')
    const { totalCount, isTotalCountExact } = type.getFields()
    expect([totalCount, isTotalCountExact].map((field) => isNonNullType(field?.type))).toEqual([false, false])
  })
})
