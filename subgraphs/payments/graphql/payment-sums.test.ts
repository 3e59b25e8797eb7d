import 'reflect-metadata'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { localExecutor } from '../../../kernel/local-executor.js'
import { createLog } from '../../../kernel/log.js'
import { statementsOf } from '../../../test/harness/count-statements.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { readsOf } from '../../../test/harness/reads-of.js'
import { until } from '../../../test/harness/until.js'
import { outcomeOf } from '../../../test/harness/refusal.js'
import { chargedPayment, paidPayment, payAndProcess } from '../fixtures/pix-payments.js'
import { orderRefund, untilRefunded } from '../fixtures/refunds.js'
import { requestLoaders } from '../request-loaders.js'
import { DISPUTES_OF_PAYMENTS } from '../store/disputes.js'
import { paymentsSubgraph } from '../subgraph.js'

/** Without a node of the chain payouts wait: what goes back is taken off them. */
const harness = await startPaymentsHarness()
const { tenant } = harness
const { schema } = paymentsSubgraph()

type Paid = Pick<Awaited<ReturnType<typeof paidPayment>>, 'payment' | 'endToEndId'>

/** What the graph says of a payment. */
async function ask({ id }: { id: string }, fields: string, tenantId = tenant.id): Promise<Record<string, unknown>> {
  const deps = { ...harness.deps, ...requestLoaders(harness.deps) }
  const caller = { tenantId, keyId: 'key', products: [] }
  const document = parse(
    `{ _entities(representations: [{ __typename: "Payment", id: "${id}" }]) { ... on Payment { ${fields} } } }`,
  )
  const executor = localExecutor(schema, () => deps as never, createLog('silent'))
  const { data, errors } = await executor({ document, context: { requestId: 'request', caller } })
  expect(errors).toBeUndefined()
  const [payment] = (data as { _entities: Record<string, unknown>[] })._entities
  return payment ?? {}
}

const LEFT = 'refundableAmount'
const SHARED = 'status settledAmount receiversAmount payouts { amount takenBackAmount state }'
const DISPUTES = 'disputes { amount currency status reason payment { id } }'
/** A bank takes a Pix back, or a part of it. */
async function dispute({ payment, endToEndId }: Paid, valor?: string): Promise<void> {
  await harness.pixControl(`/pix/${endToEndId}/med`, valor === undefined ? {} : { valor })
  await until('the dispute is seen', async () => {
    await harness.goOn(5)
    const found = await requestLoaders(harness.deps).disputesOfPayment(tenant.id, payment.id)
    return found.some(({ status }) => status === 'taken_back')
  })
}

describe('what a payment was charged', () => {
  it('is told from the start, in the currency of the charge, and of nothing where no provider charges', async () => {
    const { payment } = await chargedPayment(harness)
    expect(await ask(payment, 'payerCharge { amount currency isEstimate }')).toEqual({
      payerCharge: { amount: '100', currency: 'BRL', isEstimate: false },
    })
  })
})

describe('what is left of a payment to be refunded', () => {
  it('is unknown before its money came, then all of it, then what no refund and no dispute has taken', async () => {
    const { payment, txid } = await chargedPayment(harness)
    expect(await ask(payment, LEFT)).toEqual({ refundableAmount: null })
    const endToEndId = await payAndProcess(harness, txid)
    expect(await ask(payment, LEFT)).toEqual({ refundableAmount: '100' })
    await orderRefund(harness, payment, { amount: '30.5' })
    // What is on its way is gone already, as for whoever orders the next one.
    expect(await ask(payment, LEFT)).toEqual({ refundableAmount: '69.5' })
    expect(await outcomeOf(orderRefund(harness, payment, { amount: '69.51' }))).toBe('refund_exceeds_payment')
    await untilRefunded(harness, payment)
    await dispute({ payment, endToEndId })
    expect(await ask(payment, LEFT)).toEqual({ refundableAmount: '0' })
    expect(await outcomeOf(orderRefund(harness, payment))).toBe('refund_exceeds_payment')
    expect(await ask(payment, LEFT, 'another').catch(() => ({}))).not.toMatchObject({ refundableAmount: '0' })
  })

  it('is told with its cents where more is asked for', async () => {
    const { payment } = await paidPayment(harness)
    await orderRefund(harness, payment, { amount: '0.1' })
    await expect(orderRefund(harness, payment, { amount: '100' })).rejects.toMatchObject({
      details: '99.90 BRL are left to be refunded',
    })
  })
})

describe('what receivers get', () => {
  it('is what a refund leaves of payouts that have not left, each with what was taken off it', async () => {
    const { payment } = await paidPayment(harness)
    const before = await ask(payment, SHARED)
    expect(before['receiversAmount']).toBe(before['settledAmount'])
    await orderRefund(harness, payment, { amount: '40' })
    const after = await ask(payment, SHARED)
    expect(after['settledAmount']).toBe(before['settledAmount'])
    const payouts = after['payouts'] as { amount: string; takenBackAmount: string }[]
    const sumUp = (amounts: readonly string[]) => amounts.reduce((sum, amount) => sum + Number(amount), 0)
    const left = sumUp(payouts.map(({ amount }) => amount))
    expect(Number(after['receiversAmount'])).toBeCloseTo(left, 6)
    expect(left).toBeCloseTo(0.6 * Number(before['settledAmount']), 4)
    const taken = sumUp(payouts.map(({ takenBackAmount }) => takenBackAmount))
    expect(left + taken).toBeCloseTo(Number(before['settledAmount']), 6)
  })

  it('is not told of what has failed, whose payouts say what was taken back', async () => {
    const { payment } = await paidPayment(harness)
    const { settledAmount } = await ask(payment, SHARED)
    await orderRefund(harness, payment)
    expect(await ask(payment, SHARED)).toEqual({
      ...{ status: 'ERROR', settledAmount: null, receiversAmount: null },
      payouts: [{ amount: '0', takenBackAmount: settledAmount, state: 'CANCELED' }],
    })
  })
})

describe('the disputes of a payment', () => {
  it('stand beside its refunds, each with its sum and where it stands', async () => {
    const paid = await paidPayment(harness)
    const { payment } = paid
    expect(await ask(payment, DISPUTES)).toEqual({ disputes: [] })
    await dispute(paid, '50.00')
    expect(await ask(payment, DISPUTES)).toMatchObject({
      disputes: [{ amount: '50.00', currency: 'BRL', status: 'TAKEN_BACK', payment: { id: payment.id } }],
    })
  })

  it('are read of many payments by one statement, and none of a stranger', async () => {
    const paid = [await paidPayment(harness), await paidPayment(harness)]
    for (const one of paid) await dispute(one)
    const loaders = requestLoaders(harness.deps)
    const statements = await statementsOf(harness.db.pool, () =>
      Promise.all(paid.map(({ payment }) => loaders.disputesOfPayment(tenant.id, payment.id))),
    )
    expect(statements).toEqual(['dispute_of_payments'])
    const [{ payment }] = paid as [(typeof paid)[number]]
    expect(await requestLoaders(harness.deps).disputesOfPayment('another', payment.id)).toEqual([])
    await harness.query(
      `insert into payments.receipt (tenant_id, rail, id, charge_id, payment_id, currency, amount, received_at, outcome, created_at)
        select tenant_id, rail, 'many-' || n, charge_id, 'many-' || n, currency, amount, received_at, outcome, created_at
        from payments.receipt, generate_series(1, 5000) as n where payment_id = $1`,
      [payment.id],
    )
    await harness.query('analyze payments.receipt')
    const reads = await readsOf(harness.query, 'receipt', {
      ...DISPUTES_OF_PAYMENTS,
      values: [tenant.id, [payment.id]],
    })
    expect(reads.rows).toBeLessThanOrEqual(10)
  })
})

describe('the history of a payment with several refunds', () => {
  it('says of each entry about them how much it is about', async () => {
    const paid = await paidPayment(harness)
    const { payment } = paid
    for (const amount of ['10', '20', '10']) {
      await orderRefund(harness, payment, { amount })
      await untilRefunded(harness, payment)
    }
    await dispute(paid, '5.00')
    const { events } = await ask(payment, 'events(first: 100) { edges { node { kind amount currency } } }')
    const entries = (events as { edges: { node: { kind: string; amount: string; currency: string } }[] }).edges.map(
      ({ node }) => node,
    )
    const told = (wanted: string) => entries.filter(({ kind }) => kind === wanted)
    const inReais = (amounts: readonly string[]) => amounts.map((amount) => ({ amount, currency: 'BRL' }))
    expect(told('REFUND_REQUESTED')).toMatchObject(inReais(['10', '20', '10']))
    expect(told('RETURN_DONE')).toMatchObject(inReais(['10', '20', '10']))
    expect(told('RECEIPT_TAKEN_BACK').at(-1)).toMatchObject({ amount: '5', currency: 'BRL' })
    expect(told('CHARGE_PAID')).toMatchObject([{ amount: null, currency: null }])
  })
})
