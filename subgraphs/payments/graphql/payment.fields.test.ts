import 'reflect-metadata'
import { isNonNullType, isObjectType, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../../kernel/log.js'
import { localExecutor } from '../../../kernel/local-executor.js'
import { paymentsSubgraph } from '../subgraph.js'

const { schema } = paymentsSubgraph()
const context = { requestId: 'request', caller: { tenantId: 'tenant', keyId: 'key', products: [] } }

/** Asks for fields of a payment. @param deps what its resolvers need, and the payment itself */
function ask(fields: string, { payment = {}, ...deps }: Record<string, unknown>) {
  const found = { id: 'paid', tenantId: 'tenant', status: 'success', ...(payment as object) }
  const all = { clock: { now: () => new Date(0) }, settings: { chains: [] }, paymentById: () => found, ...deps }
  const document = parse(
    `{ _entities(representations: [{ __typename: "Payment", id: "paid" }]) { ... on Payment { id ${fields} } } }`,
  )
  return localExecutor(schema, () => all, createLog('silent'))({ document, context })
}

describe('what is read of a payment by a question of its own', () => {
  const unread = (): Promise<never> => Promise.reject(new Error('it cannot be read'))

  it.each([
    ['events', '{ edges { cursor } }'],
    ['heldPayouts', '{ splitIndex }'],
    ['history', '{ sequence }'],
    ['payouts', '{ splitIndex }'],
    ['refunds', '{ id }'],
    ['returns', '{ id }'],
  ])('is null alone where %s cannot be read', async (field, selection) => {
    const deps = { historyById: unread, payoutsOf: unread, refundsOfPayment: unread, returnsOfPayment: unread }
    const { data, errors } = await ask(`status ${field} ${selection}`, deps)
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

describe('amounts of a payment', () => {
  const rails = [{ kind: 'charge', types: { cardfiat: { settlesInFiat: true }, pixcrypto: {} } }]
  const chargeById = () => Promise.resolve({ amount: '80', currency: 'BRL', platformFee: '1.20' })
  const settled = { rails, chargeById }
  const terms = { fromCurrencySymbol: 'USD', toCurrencySymbol: 'USDT', refundedAmount: '10', chargeId: 'charge' }

  it.each([
    ['the token of its receivers', { transactionType: 'pixcrypto', amountTo: '14.5' }, ['14.5', 'USDT']],
    ['the currency of its charge where the provider shares that out', { transactionType: 'cardfiat' }, ['78.8', 'BRL']],
  ])('say what they are in: %s, and of refunds what was charged', async (_what, payment, [amount, currency]) => {
    const fields = 'settledAmount settledCurrency refundedAmount refundedCurrency'
    const { data } = await ask(fields, { ...settled, payment: { ...terms, ...payment } })
    const refunded = { refundedAmount: '10', refundedCurrency: 'BRL' }
    expect(data).toEqual({
      _entities: [{ id: 'paid', settledAmount: amount, settledCurrency: currency, ...refunded }],
    })
  })

  it('are of nothing where a wallet is still waited for', async () => {
    const payment = { ...terms, chargeId: null, status: 'pending', transactionType: 'crypto', refundedAmount: null }
    const { data } = await ask('settledAmount settledCurrency refundedCurrency', { ...settled, payment })
    expect(data).toEqual({
      _entities: [{ id: 'paid', settledAmount: null, settledCurrency: null, refundedCurrency: null }],
    })
  })
})

describe('a word of a payment', () => {
  it.each([
    ['underpaid', 'UNDERPAID'],
    ['card_declined', 'CARD_DECLINED'],
    ['of_an_old_release', 'OTHER'],
  ])('is an enum beside its text: why it failed, %s', async (code, reason) => {
    const payment = { dataError: { code, status: 'error', message: 'It failed.', details: null } }
    const { data } = await ask('dataError { code reason }', { payment })
    expect(data).toEqual({ _entities: [{ id: 'paid', dataError: { code, reason } }] })
  })

  it.each([
    ['charge_paid', 'CHARGE_PAID'],
    ['underpaid', 'UNDERPAID'],
    ['of_an_old_release', 'OTHER'],
  ])('is an enum beside its text: what happened, %s', async (cause, kind) => {
    const entry = { sequence: 1, type: 'payment.pending', cause, notify: true, createdAt: new Date(0) }
    const { data } = await ask('events { edges { node { status cause kind } } }', { historyById: () => [entry] })
    const node = { status: 'PENDING', cause, kind }
    expect(data).toEqual({ _entities: [{ id: 'paid', events: { edges: [{ node }] } }] })
  })

  it('is called as elsewhere beside the name that REST has: its hash', async () => {
    const { data } = await ask('tidHash transactionHash', { payment: { tidHash: '0x1' } })
    expect(data).toEqual({ _entities: [{ id: 'paid', tidHash: '0x1', transactionHash: '0x1' }] })
  })
})
