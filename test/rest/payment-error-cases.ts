import type { Harness } from '../harness/harness.js'
import { execute, register, signedPayment } from '../harness/rest-payments.js'
import type { RestCall } from '../harness/rest.js'
import { NOBODY, type Cases, type Good } from './error-cases.js'

/** Good requests of the routes about a payment that is registered. */
export function paymentGood(harness: Harness): Readonly<Record<string, Good>> {
  const { tenant } = harness
  return {
    'POST /payment/:id/cancel': {
      path: async () => `/payment/${await register(harness, tenant)}/cancel`,
      body: () => Promise.resolve(undefined),
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
  return {
    'GET /payment/list': { validation_error: () => call('GET', '/payment/list?limit=0') },
    'POST /payment/:id/cancel': {
      payment_not_found: () => call('POST', `/payment/${NOBODY}/cancel`),
      payment_already_processed: async () => call('POST', `/payment/${await paidByWallet()}/cancel`),
    },
  }
}
