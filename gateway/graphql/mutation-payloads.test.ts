import { registerInput } from '../../test/harness/rest-payments.js'
import { describe, expect, it } from 'vitest'
import { startHarness } from '../../test/harness/harness.js'
import { send } from '../../test/harness/http.js'

const harness = await startHarness()
const { tenant } = harness

const ask = async (query: string, variables: object = {}, key: typeof tenant | string = tenant) => {
  const { body } = await harness.graphql(query, variables, { as: key })
  return body as unknown as {
    data: Record<string, { errors: unknown[]; [thing: string]: unknown } | null> | null
    errors?: { path?: string[]; extensions: { code: string } }[]
  }
}

describe('a mutation that fails', () => {
  it.each([
    ['of one subgraph', ''],
    ['of several', 'test: sendTestWebhook(input: { type: "none" }) { webhookDelivery { id } errors { code } }'],
  ])('takes nothing from what the others of its document did, where they are %s', async (_about, more) => {
    const order = await tenant.createOrder()
    const { data, errors } = await ask(
      `mutation ($id: ID!) {
        off: deactivateOrder(id: $id) { order { active } errors { code } }
        lost: deactivateOrder(id: "cunknown0000000000000000") { order { active } errors { __typename ... on InputError { code message path } ... on OperationError { code message path } } }
        ${more}
        on: activateOrder(id: $id) { order { active } errors { code } } }`,
      { id: order },
    )
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({
      off: { order: { active: false }, errors: [] },
      lost: {
        order: null,
        errors: [{ __typename: 'OperationError', code: 'ORDER_NOT_FOUND', message: 'No such order.', path: null }],
      },
      ...(more !== '' && { test: { webhookDelivery: null, errors: [{ code: 'VALIDATION_ERROR' }] } }),
      on: { order: { active: true }, errors: [] },
    })
  })

  it('names each field that is bad, from the input down', async () => {
    const input = {
      ...registerInput(tenant, { amountFrom: '0' }),
      splitPaymentConfig: [{ receiverWallet: 'nowhere', receiverPercent: '100' }],
    }
    const { data, errors } = await ask(
      `mutation ($input: RegisterPaymentInput!) { registerPayment(input: $input) {
        payment { id } errors { code message path ... on InputError { needed: path } } } }`,
      { input },
    )
    expect(errors).toBeUndefined()
    expect(data?.['registerPayment']?.['payment']).toBeNull()
    const bad = ['amountFrom', 'splitPaymentConfig.0.receiverWallet'].map((field) => {
      const path = field.split('.')
      return { code: 'VALIDATION_ERROR', message: expect.any(String) as string, path, needed: path }
    })
    expect(data?.['registerPayment']?.errors).toEqual(expect.arrayContaining(bad))
  })

  it('unexpectedly is an error of the answer that tells nothing, and the others stay', async () => {
    const order = await tenant.createOrder()
    const payment = await tenant.register()
    await harness.withoutTable('orders.payment_order', async () => {
      const { data, errors } = await ask(
        `mutation ($order: ID!, $payment: ID!) {
          deactivateOrder(id: $order) { order { id } errors { code } }
          cancelPayment(id: $payment) { payment { status } errors { code } } }`,
        { order, payment },
      )
      expect(data).toEqual({
        deactivateOrder: null,
        cancelPayment: { payment: { status: 'ERROR' }, errors: [] },
      })
      expect(errors).toMatchObject([{ path: ['deactivateOrder'], extensions: { code: 'SERVER_ERROR' } }])
    })
  })

  it('for its key is an error of the answer, as the key is no part of what was asked', async () => {
    const { data, errors } = await ask(
      'mutation { deactivateOrder(id: "x") { errors { code } } }',
      {},
      await harness.dashboard.platformKey(),
    )
    expect(data).toEqual({ deactivateOrder: null })
    expect(errors).toMatchObject([{ path: ['deactivateOrder'], extensions: { code: 'CUSTOMER_NOT_LOGGED' } }])
  })
})

it('a field that another subgraph answers takes nothing else with it', async () => {
  const order = await tenant.createOrder()
  await harness.withoutTable('payments.payment', async () => {
    const { data, errors } = await ask('query ($id: ID!) { order(id: $id) { id payments { edges { cursor } } } }', {
      id: order,
    })
    expect(data).toEqual({ order: { id: order, payments: null } })
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['SERVER_ERROR'])
  })
})

it('a value that is nested too deep is refused under an Idempotency-Key as without one', async () => {
  // As text, since JSON.stringify cannot write it either.
  const input = JSON.stringify(registerInput(tenant, { metadata: 'DEEP' }))
  const deep = input.replace('"DEEP"', '['.repeat(40_000) + ']'.repeat(40_000))
  const query =
    'mutation ($input: RegisterPaymentInput!) { registerPayment(input: $input) { payment { id } errors { code } } }'
  for (const key of [{}, { 'idempotency-key': 'deep' }]) {
    const { body } = await send({
      method: 'POST',
      url: `${harness.url}/graphql`,
      headers: { 'content-type': 'application/json', 'x-api-key': tenant.key, ...key },
      body: `{ "query": ${JSON.stringify(query)}, "variables": { "input": ${deep} } }`,
    })
    const errors = [{ message: 'must not be nested deeper than 64 levels' }]
    expect(body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', errors } }])
  }
})
