import { describe, expect, it } from 'vitest'
import { adjustableClock } from '../../kernel/clock.js'
import { startCardSimulator } from './simulator.js'
import { ending } from '../../test/harness/at-end.js'

const clock = adjustableClock()
const secretKey = 'sk_test_secret'
const simulator = ending(
  await startCardSimulator({
    port: 0,
    secretKey,
    publicKey: 'pk_test_public',
    callbackUser: 'user',
    callbackPassword: 'password',
    clock,
  }),
)

type Json = Record<string, unknown>

const address = {
  line_1: '1000, Avenida Paulista, Bela Vista',
  zip_code: '01310100',
  city: 'São Paulo',
  state: 'SP',
  country: 'BR',
}
const card = (number = '4000000000000010') => ({
  number,
  holder_name: 'ANA SILVA',
  holder_document: '52998224725',
  exp_month: 12,
  exp_year: 2039,
  cvv: '123',
})
const rule = (amount: number, options: object = {}) => ({
  type: 'flat',
  amount,
  recipient_id: 'rp_shop',
  options: { liable: true, charge_processing_fee: true, charge_remainder_fee: true, ...options },
})

/** An order that the processor takes, with changes of its customer, its payment and its card. */
function order({ customer = {}, payment = {}, creditCard = {}, top = {} }: Record<string, Json> = {}): Json {
  return {
    code: 'code-1',
    items: [{ code: 'item', description: 'Thing', quantity: 1, amount: 1000 }],
    customer: {
      name: 'Ana Silva',
      email: 'ana@example.com',
      document: '52998224725',
      document_type: 'CPF',
      type: 'individual',
      address,
      phones: { mobile_phone: { country_code: '55', area_code: '11', number: '987654321' } },
      ...customer,
    },
    payments: [
      {
        payment_method: 'credit_card',
        amount: 1000,
        credit_card: { installments: 1, card: { ...card(), billing_address: address }, ...creditCard },
        ...payment,
      },
    ],
    ...top,
  }
}

async function call(method: string, path: string, body?: Json, headers: Record<string, string> = {}) {
  const answer = await fetch(simulator.apiUrl + path, {
    method,
    headers: {
      authorization: `Basic ${btoa(`${secretKey}:`)}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Json }
}

describe('the simulated card processor', () => {
  it.each<[string, Record<string, Json>, string]>([
    ['no phone', { customer: { phones: {} } }, 'order.customer.phones'],
    ['no document', { customer: { document: undefined as never } }, 'order.customer.document'],
    [
      'a wrong check digit',
      { creditCard: { card: { ...card('4000000000000011'), billing_address: address } } },
      'order.payments[0].credit_card.card.number',
    ],
    [
      'no billing address',
      { creditCard: { card: card() } },
      'order.payments[0].credit_card.card.billing_address.line_1',
    ],
    [
      'an unknown token',
      { creditCard: { card: { billing_address: address }, card_token: 'token_x' } },
      'order.payments[0].credit_card.card_token',
    ],
    ['another sum than the items', { payment: { amount: 999 } }, 'order.payments[0].amount'],
    ['a split that is less than the payment', { payment: { split: [rule(999)] as never } }, 'order.payments[0].split'],
    [
      'a split that nobody is liable for',
      { payment: { split: [rule(1000, { liable: false })] as never } },
      'order.payments[0].split',
    ],
    ['no items', { top: { items: [] as never } }, 'order.items'],
  ])('refuses %s, and quotes the request in its answer', async (_what, changes, field) => {
    const sent = order(changes)
    const answer = await call('POST', '/orders', sent)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body['errors'] as Json)).toContain(field)
    expect(answer.body['request']).toEqual(JSON.parse(JSON.stringify(sent)))
  })

  it('lets nobody in without its secret key', async () => {
    expect(
      (await call('GET', '/orders?code=x', undefined, { authorization: `Basic ${btoa('sk_other:')}` })).status,
    ).toBe(401)
    expect((await call('POST', '/orders', order(), { authorization: '' })).status).toBe(401)
  })

  it('answers an idempotency key again, and refuses it with another body', async () => {
    const headers = { 'idempotency-key': 'key-1' }
    const first = await call('POST', '/orders', order({ top: { code: 'once' } }), headers)
    expect(first).toMatchObject({ status: 200, body: { status: 'paid', code: 'once' } })
    expect(await call('POST', '/orders', order({ top: { code: 'once' } }), headers)).toEqual(first)
    expect((await call('POST', '/orders', order({ top: { code: 'twice' } }), headers)).status).toBe(409)
    expect(simulator.countOrders('once')).toBe(1)
  })

  it('refuses a card by an answer of 200, and takes a token once, within a minute', async () => {
    const refused = await call(
      'POST',
      '/orders',
      order({ creditCard: { card: { ...card('4000000000000028'), billing_address: address } } }),
    )
    expect(refused).toMatchObject({ status: 200, body: { status: 'failed', charges: [{ status: 'failed' }] } })
    const tokenize = () => call('POST', '/tokens?appId=pk_test_public', { type: 'card', card: card() })
    const pay = (token: unknown) =>
      call('POST', '/orders', order({ creditCard: { card_token: token, card: { billing_address: address } } }))
    const { body: token } = await tokenize()
    expect((await pay(token['id'])).body).toMatchObject({ status: 'paid' })
    expect((await pay(token['id'])).status).toBe(422)
    const { body: late } = await tokenize()
    clock.advance(60_000)
    expect((await pay(late['id'])).status).toBe(422)
  })

  it('charges a card on file to its own customer only, without a code, and not after it was removed', async () => {
    const email = 'saved@example.com'
    const first = await call('POST', '/orders', order({ customer: { email } }))
    const other = await call('POST', '/orders', order({ customer: { email: 'other@example.com' } }))
    const customerOf = ({ body }: { body: Json }) => (body['customer'] as Json)['id']
    const [charge] = first.body['charges'] as [{ last_transaction: { card: { id: string } } }]
    const { id: cardId } = charge.last_transaction.card
    const onFile = (customerId: unknown) =>
      call('POST', '/orders', {
        ...order({ creditCard: { card: undefined as never, card_id: cardId, recurrence_cycle: 'subsequent' } }),
        customer: undefined,
        customer_id: customerId,
      })
    expect((await onFile(customerOf(first))).body).toMatchObject({ status: 'paid', customer: { email } })
    expect(await onFile(customerOf(other))).toMatchObject({ status: 404, body: { message: 'Card not found.' } })
    expect(await onFile('cus_unknown')).toMatchObject({ status: 404, body: { message: 'Customer not found.' } })
    // A customer is known again by the e-mail address.
    expect(customerOf(await call('POST', '/orders', order({ customer: { email } })))).toBe(customerOf(first))
    await fetch(`${simulator.url}/sandbox/cards/${cardId}/refuse`, { method: 'POST' })
    expect((await onFile(customerOf(first))).body).toMatchObject({ status: 'failed', charges: [{ status: 'failed' }] })
    await fetch(`${simulator.url}/sandbox/cards/${cardId}/remove`, { method: 'POST' })
    expect((await onFile(customerOf(first))).status).toBe(404)
  })

  it('gives money back once, and settles what is in processing when its time has come', async () => {
    const processing = order({ creditCard: { card: { ...card('4000000000000036'), billing_address: address } } })
    const { body } = await call('POST', '/orders', processing)
    const [{ id }] = body['charges'] as [{ id: string }]
    expect(body).toMatchObject({ status: 'pending', charges: [{ status: 'processing' }] })
    clock.advance(15_000)
    expect((await call('GET', `/charges/${id}`)).body).toMatchObject({ status: 'paid', paid_amount: 1000 })
    expect((await call('DELETE', `/charges/${id}`)).body).toMatchObject({ status: 'canceled', canceled_amount: 1000 })
    expect((await call('DELETE', `/charges/${id}`)).status).toBe(412)
  })

  it('takes from no recipient more than it has of a charge, by rules or by what each has left', async () => {
    const second = { ...rule(500), recipient_id: 'rp_other' }
    const paid = await call('POST', '/orders', order({ payment: { split: [rule(500), second] as never } }))
    const [{ id }] = paid.body['charges'] as [{ id: string }]
    const refund = (amount: number, split: object[]) =>
      call('DELETE', `/charges/${id}`, { amount, split: split as never })
    expect((await refund(501, [rule(501)])).status).toBe(422)
    expect((await refund(499, [rule(499)])).status).toBe(200)
    expect((await refund(2, [rule(2)])).status).toBe(422)
    expect((await refund(500, [])).status).toBe(200)
    expect((await refund(1, [rule(1)])).status).toBe(422)
    expect((await refund(1, [{ ...second, amount: 1 }])).status).toBe(200)
  })
})
