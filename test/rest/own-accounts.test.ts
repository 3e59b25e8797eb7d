import { privateKeyToAddress, generatePrivateKey } from 'viem/accounts'
import { expect, it } from 'vitest'
import { fieldsOf } from '../harness/http.js'
import { startHarness } from '../harness/harness.js'
import { orderBody, REGISTER, registerBody } from '../harness/rest-payments.js'

const [treasuryKey, gasPayerKey] = [generatePrivateKey(), generatePrivateKey()]
const harness = await startHarness({ TREASURY_EVM_KEY: treasuryKey, OPERATOR_EVM_KEY: gasPayerKey })

it.each([
  ['the treasury', privateKeyToAddress(treasuryKey)],
  ['the gas payer', privateKeyToAddress(gasPayerKey).toLowerCase()],
])('%s of the deployment is no receiver of a payment or an order, also where one is changed', async (_who, address) => {
  const tenant = await harness.dashboard.newTenant()
  const terms = { split_payment_config: [{ receiver_wallet: address, receiver_percent: 100 }] }
  const orderId = await tenant.createOrder()
  for (const [method, path, body] of [
    ['POST', REGISTER, registerBody(tenant, terms)],
    ['POST', '/order/create', orderBody(terms)],
    ['PATCH', `/order/${orderId}`, terms],
  ] as const) {
    const answer = await harness.rest(method, path, { as: tenant, body })
    expect([answer.status, answer.body.status]).toEqual([400, 'validation_error'])
    expect(fieldsOf(answer)).toEqual(['split_payment_config.0.receiver_wallet'])
  }
})
