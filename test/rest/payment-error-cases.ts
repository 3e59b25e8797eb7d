import { cardFields } from '../../sandbox/demo/card-payer.js'
import type { Harness } from '../harness/harness.js'
import { postJson } from '../harness/control.js'
import { cardPaymentBody, cardTerms } from '../harness/rest-cards.js'
import {
  CREATE_TRANSACTION,
  createOrder,
  execute,
  pixOfOrder,
  register,
  signedPayment,
  untilStatus,
} from '../harness/rest-payments.js'
import type { RestCall } from '../harness/rest.js'
import { NOBODY, type Cases, type Good } from '../harness/route-errors.js'

const CARD_TERMS = cardTerms(['rp_shop0001'])

/** Good requests of the routes about a payment that is registered. */
export function paymentGood(harness: Harness): Readonly<Record<string, Good>> {
  const { tenant } = harness
  const paidByCard = async (): Promise<string> => {
    const id = await register(harness, tenant, {
      order_code: await (order ??= createOrder(harness, tenant, CARD_TERMS)),
    })
    const body = cardPaymentBody(id, cardFields('4000000000000010'))
    await harness.rest('POST', CREATE_TRANSACTION, { as: tenant, body })
    return id
  }
  let order: Promise<string> | undefined
  return {
    'POST /payment/:id/refund': {
      path: async () => `/payment/${await paidByCard()}/refund`,
      body: () => Promise.resolve({ amount: '1' }),
      other: () => Promise.resolve({ amount: '2' }),
    },
    'POST /payment/:id/cancel': {
      path: async () => `/payment/${await register(harness, tenant)}/cancel`,
      body: () => Promise.resolve(undefined),
      otherPath: async () => `/payment/${await register(harness, tenant)}/cancel`,
    },
  }
}

/** What provokes the errors that are their own. */
export function paymentCases(harness: Harness): Readonly<Record<string, Cases>> {
  const { tenant } = harness
  const call = (method: string, path: string, options: RestCall = {}) =>
    harness.rest(method, path, { as: tenant, ...options })
  const paidByWallet = async (): Promise<string> => {
    const signed = await signedPayment(harness, tenant, await harness.chain.newPayer())
    await execute(harness, tenant, signed)
    return signed.id
  }
  const paidByPix = async (): Promise<string> => {
    const orderId = await createOrder(harness, tenant, { payment_method_allowed: { pixcrypto: true } })
    const { id, charge } = await pixOfOrder(harness, tenant, orderId)
    await postJson(`${harness.pixUrl}/sandbox/cob/${charge.txid}/pay`)
    await untilStatus(harness, tenant, id, 'success')
    return id
  }
  return {
    'GET /payment/list': { validation_error: () => call('GET', '/payment/list?limit=0') },
    'POST /payment/:id/refund': {
      payment_not_found: () => call('POST', `/payment/${NOBODY}/refund`),
      payment_not_refundable: async () => call('POST', `/payment/${await paidByWallet()}/refund`),
      refund_exceeds_payment: async () =>
        call('POST', `/payment/${await paidByPix()}/refund`, { body: { amount: '100.01' } }),
      insufficient_refund_balance: async () => call('POST', `/payment/${await paidByPix()}/refund`),
    },
    'GET /payment/:id/refunds': { payment_not_found: () => call('GET', `/payment/${NOBODY}/refunds`) },
    'POST /payment/:id/cancel': {
      payment_not_found: () => call('POST', `/payment/${NOBODY}/cancel`),
      payment_already_processed: async () => call('POST', `/payment/${await paidByWallet()}/cancel`),
    },
  }
}
