import type { Harness } from '../harness/harness.js'
import { postJson } from '../harness/control.js'
import { cardTerms } from '../harness/rest-cards.js'
import type { RestCall } from '../harness/rest.js'
import { NOBODY, type Cases, type Good } from '../harness/route-errors.js'

const CARD_TERMS = cardTerms(['rp_shop0001'])

/** Good requests of the routes about a payment that is registered. */
export function paymentGood(harness: Harness): Readonly<Record<string, Good>> {
  const { tenant } = harness
  const paidByCard = async () => tenant.payByCard(await (order ??= tenant.createOrder(CARD_TERMS)))
  let order: Promise<string> | undefined
  return {
    'POST /payment/:id/refund': {
      path: async () => `/payment/${await paidByCard()}/refund`,
      body: () => Promise.resolve({ amount: '1' }),
      other: () => Promise.resolve({ amount: '2' }),
    },
    'POST /payment/:id/cancel': {
      path: async () => `/payment/${await tenant.register()}/cancel`,
      body: () => Promise.resolve(undefined),
      otherPath: async () => `/payment/${await tenant.register()}/cancel`,
    },
  }
}

/** What provokes the errors that are their own. */
export function paymentCases(harness: Harness): Readonly<Record<string, Cases>> {
  const { tenant } = harness
  const call = (method: string, path: string, options: RestCall = {}) =>
    harness.rest(method, path, { as: tenant, ...options })
  const paidByWallet = async (): Promise<string> => {
    const signed = await tenant.signedPayment(await harness.chain.newPayer())
    await tenant.execute(signed)
    return signed.id
  }
  const paidByPix = async (): Promise<string> => {
    const orderId = await tenant.createOrder({ payment_method_allowed: { pixcrypto: true } })
    const { id, charge } = await tenant.pixOfOrder(orderId)
    await postJson(`${harness.pixUrl}/sandbox/cob/${charge.txid}/pay`)
    await tenant.untilStatus(id, 'success')
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
