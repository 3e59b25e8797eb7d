import { passTime } from '../harness/control.js'
import { describe, expect, it } from 'vitest'
import { until } from '../harness/until.js'
import { startHarness } from '../harness/harness.js'
import { untilMails } from '../harness/mailbox.js'
import { CARDS } from '../../sandbox/demo/card-payer.js'
import { cardTerms } from '../harness/rest-cards.js'
import type { Shop } from '../harness/rest-payments.js'

const DAY_SECONDS = 86_400

const harness = await startHarness()

/** An order that is paid by card every week, as the tenant's own. */
const newOrder = (tenant: Shop, config: object = {}) =>
  tenant.createOrder({
    ...cardTerms(['rp_shop0001']),
    tenant_data: tenant.tenantData,
    gateway_method: 'subs',
    subscription_payment_config: { plan_name: 'Gold', interval: 'weekly', charge: true, retry_count: 0, ...config },
  })

const SUBSCRIPTION_OF_PAYMENT = `query ($id: ID!) { payment(id: $id) { subscription {
  id status planName interval nextPaymentAt order { id active } history { sequence type }
  page: history(first: 1, after: 3) { sequence type createdAt }
  events(first: 2) { edges { node { sequence kind } } pageInfo { hasNextPage } } } } }`

interface Shown {
  id: string
  status: string
  nextPaymentAt: string
  order: object
  history: { sequence: number; type: string }[]
  page: { sequence: number; type: string; createdAt: string }[]
  events: object
}

async function subscriptionOf(tenant: Shop, paymentId: string): Promise<Shown> {
  const { body } = await harness.graphql(SUBSCRIPTION_OF_PAYMENT, { id: paymentId }, { as: tenant })
  return (body.data as unknown as { payment: { subscription: Shown } }).payment.subscription
}

/** Waits for an event of a subscription; gives all that came of it, in the order of arrival. */
async function untilTold(id: string, type: string, count = 1) {
  const ofType = () => harness.hooks.of(id).filter((event) => event.type === `subscription.${type}`)
  await until(`${type} is told`, () => ofType().length >= count)
  return harness.hooks.of(id)
}

describe('a subscription over the whole product', () => {
  it('tells its tenant of each step, in order, as the clock goes on', async () => {
    const { tenant } = harness
    const orderCode = await newOrder(tenant)
    const paymentId = await tenant.payByCard(orderCode, CARDS.paid)
    const { id, ...begun } = await subscriptionOf(tenant, paymentId)
    expect(begun).toMatchObject({ status: 'ACTIVE', planName: 'Gold', interval: 'WEEKLY' })
    expect(begun.order).toEqual({ id: orderCode, active: true })
    for (const week of [1, 2]) {
      await passTime(harness, 7 * DAY_SECONDS)
      await untilTold(id, 'renewed', week)
    }
    const told = harness.hooks.of(id)
    expect(told.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['subscription.started', 1],
      ['subscription.payment_registered', 2],
      ['subscription.renewed', 3],
      ['subscription.payment_registered', 4],
      ['subscription.renewed', 5],
    ])
    const { history, page, events } = await subscriptionOf(tenant, paymentId)
    expect(history.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
    const createdAt = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string
    expect(page).toEqual([{ sequence: 4, type: 'subscription.payment_registered', createdAt }])
    const kinds = ['SUBSCRIPTION_STARTED', 'SUBSCRIPTION_PAYMENT_REGISTERED']
    expect(events).toEqual({
      edges: kinds.map((kind, index) => ({ node: { sequence: index + 1, kind } })),
      pageInfo: { hasNextPage: true },
    })
    const terms = { plan_name: 'Gold', interval: 'weekly', charge: true, retry_count: 0, order_code: orderCode }
    const [started, registered, renewed] = told.map(({ data }) => data)
    const first = { payment_id: paymentId, first_payment_id: paymentId, due_at: null }
    expect(started).toMatchObject({ ...terms, ...first, status: 'active', next_payment_at: begun.nextPaymentAt })
    expect(registered).toMatchObject({ ...terms, due_at: begun.nextPaymentAt, skipped_periods: 0, cancel_reason: null })
    expect(renewed).toMatchObject({ payment_id: registered?.['payment_id'], next_attempt_at: null, refusals: 0 })
    const periodic = await tenant.get(`/payment/${String(registered?.['payment_id'])}/status`)
    const shown = { status: 'success', order_code: orderCode, executor_id: 'order_transaction', amount_from: '100' }
    expect(periodic.body.data).toMatchObject(shown)
    expect(harness.hooks.of(String(registered?.['payment_id'])).map(({ type }) => type)).toEqual([
      ...['payment.registered', 'payment.pending', 'payment.success'],
    ])
    expect(JSON.stringify([told, periodic.body])).not.toMatch(/"card_\w{16}"/)
    expect(harness.hooks.refused).toEqual([])
  })

  it('is past due after a refusal that is not tried again', async () => {
    const { tenant } = harness
    const paymentId = await tenant.payByCard(await newOrder(tenant), CARDS.refusedOnFile)
    const { id } = await subscriptionOf(tenant, paymentId)
    await passTime(harness, 7 * DAY_SECONDS)
    const told = await untilTold(id, 'past_due')
    expect(told.map(({ type }) => type)).toEqual([
      'subscription.started',
      'subscription.payment_registered',
      'subscription.payment_failed',
      'subscription.past_due',
    ])
    expect(told.at(-1)?.data).toMatchObject({ status: 'past_due', refusals: 1, next_payment_at: null })
  })

  it('is told of however long its history is', async () => {
    const { tenant } = harness
    const { id } = await subscriptionOf(tenant, await tenant.payByCard(await newOrder(tenant), CARDS.paid))
    await untilTold(id, 'started')
    await harness.sql(
      `insert into payments.subscription_event (tenant_id, subscription_id, sequence, type, snapshot, created_at)
        select tenant_id, subscription_id, later, 'subscription.renewed', snapshot, created_at
        from payments.subscription_event, generate_series(2, 120) as later where subscription_id = $1 and sequence = 1`,
      [id],
    )
    await harness.sql('update payments.subscription set sequence = 120 where id = $1', [id])
    await harness.graphql(
      'mutation ($id: ID!) { cancelSubscription(id: $id) { errors { code } } }',
      { id },
      { as: tenant },
    )
    const told = await untilTold(id, 'canceled')
    expect(told.at(-1)).toMatchObject({ type: 'subscription.canceled', sequence: 121 })
  })

  it('is listed page by page with its order, can be canceled by its tenant, and is nobody else’s', async () => {
    const { tenant } = harness
    const orderCode = await newOrder(tenant)
    const paymentIds = [await tenant.payByCard(orderCode, CARDS.paid), await tenant.payByCard(orderCode, CARDS.paid)]
    const ids = await Promise.all(paymentIds.map(async (paymentId) => (await subscriptionOf(tenant, paymentId)).id))
    const list = `query ($id: ID!, $after: String) { order(id: $id) { subscriptions(first: 1, after: $after) {
      edges { cursor node { id status } } pageInfo { hasNextPage endCursor } } } }`
    const page = async (after?: string) => {
      const { body } = await harness.graphql(list, { id: orderCode, after }, { as: tenant })
      return (body.data as unknown as { order: { subscriptions: Page } }).order.subscriptions
    }
    const newest = await page()
    const oldest = await page(newest.pageInfo.endCursor)
    expect([newest, oldest].flatMap(({ edges }) => edges.map(({ node }) => node.id))).toEqual(ids.toReversed())
    expect([newest, oldest].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, false])

    const cancel =
      'mutation ($id: ID!) { cancelSubscription(id: $id) { paymentSubscription { status cancelReason nextPaymentAt } errors { code path } } }'
    const stranger = await harness.dashboard.newTenant()
    const refused = await harness.graphql(cancel, { id: ids[0] }, { as: stranger })
    expect(JSON.stringify(refused.body)).toContain('SUBSCRIPTION_NOT_FOUND')
    const read = 'query ($id: ID!) { paymentSubscription(id: $id) { id } }'
    expect(JSON.stringify((await harness.graphql(read, { id: ids[0] }, { as: stranger })).body)).toContain(
      'SUBSCRIPTION_NOT_FOUND',
    )
    const canceled = await harness.graphql(cancel, { id: ids[0] }, { as: tenant })
    expect(canceled.body.data).toEqual({
      cancelSubscription: {
        paymentSubscription: { status: 'CANCELED', cancelReason: 'REQUESTED', nextPaymentAt: null },
        errors: [],
      },
    })
    const told = await untilTold(String(ids[0]), 'canceled')
    expect(told.at(-1)?.data).toMatchObject({ status: 'canceled', cancel_reason: 'requested' })
  })

  it('is paused, changed and resumed over GraphQL, and tells of each as it was then', async () => {
    const { tenant } = harness
    const { id } = await subscriptionOf(tenant, await tenant.payByCard(await newOrder(tenant), CARDS.paid))
    const act = async (document: string, variables: object) => {
      const { body } = await harness.graphql(document, { id, ...variables }, { as: tenant })
      return (body.data as unknown as { act: { paymentSubscription: object; errors: object[] } }).act
    }
    const shown = 'paymentSubscription { status planName interval amountFrom awaitsConsent } errors { code path }'
    const plain = (name: string) => `mutation ($id: ID!) { act: ${name}(id: $id) { ${shown} } }`
    const change = `mutation ($id: ID!, $amountFrom: Decimal, $planName: String) {
      act: changeSubscriptionPlan(input: { id: $id, amountFrom: $amountFrom, planName: $planName }) { ${shown} } }`
    const before = { planName: 'Gold', interval: 'WEEKLY', amountFrom: '100', awaitsConsent: false }
    const paused = { paymentSubscription: { ...before, status: 'PAUSED' }, errors: [] }
    expect(await act(plain('pauseSubscription'), {})).toEqual(paused)
    expect(await act(plain('pauseSubscription'), {})).toEqual(paused)
    const bad = await act(change, { amountFrom: '0.001' })
    expect(bad.errors).toEqual([{ code: 'VALIDATION_ERROR', path: ['amountFrom'] }])
    const after = { ...before, planName: 'Platinum', amountFrom: '150', awaitsConsent: true }
    const changed = await act(change, { amountFrom: '150', planName: 'Platinum' })
    expect(changed).toEqual({ paymentSubscription: { ...after, status: 'PAUSED' }, errors: [] })
    const resumed = await act(plain('resumeSubscription'), {})
    expect(resumed).toEqual({ paymentSubscription: { ...after, status: 'ACTIVE' }, errors: [] })
    await act(plain('cancelSubscription'), {})
    expect((await act(plain('resumeSubscription'), {})).errors).toEqual([{ code: 'SUBSCRIPTION_CANCELED', path: null }])
    const told = await untilTold(id, 'canceled')
    expect(told.map(({ type, data }) => [type, data['status'], data['plan_name']])).toEqual([
      ['subscription.started', 'active', 'Gold'],
      ['subscription.paused', 'paused', 'Gold'],
      ['subscription.changed', 'paused', 'Platinum'],
      ['subscription.resumed', 'active', 'Platinum'],
      ['subscription.canceled', 'canceled', 'Platinum'],
    ])
  })

  it('begins with a trial over GraphQL, once, and its payer finds the payment page in the e-mail', async () => {
    const { tenant } = harness
    const orderId = await newOrder(tenant, { charge: false })
    const mutation = `mutation ($input: StartTrialInput!) { startTrial(input: $input) {
      paymentSubscription { id status trialEndsAt firstPaymentId nextPaymentAt } errors { code path } } }`
    const start = async (input: object) => {
      const { body } = await harness.graphql(mutation, { input }, { as: tenant })
      return body.data?.['startTrial'] as {
        paymentSubscription: Record<string, string> | null
        errors: { code: string; path: string[] }[]
      }
    }
    const input = { orderCode: orderId, payerEmail: 'tries@example.com', trialDays: 14 }
    const bad = await start({ ...input, trialDays: 0 })
    expect(bad).toEqual({ paymentSubscription: null, errors: [{ code: 'VALIDATION_ERROR', path: ['trialDays'] }] })
    const { paymentSubscription: begun } = await start(input)
    expect(begun).toMatchObject({ status: 'ACTIVE' })
    expect((await start(input)).paymentSubscription).toEqual(begun)
    await passTime(harness, 14 * DAY_SECONDS + 60)
    const [mail] = await untilMails(harness, input.payerEmail)
    const [link = ''] = /http\S+\/pay\/\S+/.exec(mail?.text ?? '') ?? []
    expect((await harness.rest('GET', new URL(link).pathname)).text).toContain('Pix')
  })

  it('is refused where there is neither an order nor its terms', async () => {
    const { tenant } = harness
    const answer = await tenant.post('/payment/register/intents-create-order', {
      executor_id: 'api_transaction',
      tenant_data: tenant.tenantData,
      payment_method_allowed: { crypto: true },
      split_payment_config: [{ receiver_wallet: '0x1111111111111111111111111111111111111111', receiver_percent: 100 }],
      gateway_method: 'subs',
      from_currency_symbol: 'BRL',
      amount_from: '100',
      to_currency_symbol: 'USDT',
      to_chain: 'polygon',
      on_ramp: false,
    })
    const message = 'is required for a subscription without an order'
    expect(answer.body.errors).toEqual([{ field: 'subscription_payment_config', message }])
  })
})

interface Page {
  edges: { cursor: string; node: { id: string; status: string } }[]
  pageInfo: { hasNextPage: boolean; endCursor: string }
}
