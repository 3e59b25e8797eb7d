import { describe, expect, it } from 'vitest'
import { cardTerms } from '../test/harness/rest-cards.js'
import { evmOwner } from '../test/harness/kyc-wallets.js'
import { newEmail, newestCode, proveEmail } from '../test/harness/rest-kyc.js'
import { startYieldRestHarness } from '../test/harness/rest-yield.js'
import { openStream } from '../test/harness/event-stream.js'
import { until } from '../test/harness/until.js'
import { EVENTS_EXAMPLE, EXAMPLE, EXAMPLES } from './examples.js'
import { operationIdOf, repliesOf } from './openapi.js'
import { EVENTS_ROUTE } from './payment-events.js'
import { ROUTES } from './routes.js'

const harness = await startYieldRestHarness()
const { tenant, call } = harness

/** What stands in an example for something of the reader's → what it is here. */
type Own = Partial<Record<keyof typeof EXAMPLE, string>>

const order = async (): Promise<Own> => ({ orderId: await tenant.createOrder() })
const payment = async (): Promise<Own> => ({ paymentId: await tenant.register() })
const prepared = async (): Promise<Own> => {
  const email = newEmail()
  await call('POST', '/kyc/prepare', { email })
  return { email }
}
const funded = async (): Promise<Own> => ({ solanaWallet: (await harness.newWallet()).publicKey.toBase58() })
const withPosition = async (): Promise<Own> => {
  const signer = await harness.newWallet()
  await harness.broadcast(await harness.signedDeposit(signer))
  return { solanaWallet: signer.publicKey.toBase58() }
}
const paidByCard = async (): Promise<Own> => {
  const orderCode = await tenant.createOrder(cardTerms(['rp_shop0001']))
  return { paymentId: await tenant.payByCard(orderCode) }
}
const delivered = async (): Promise<Own> => {
  const resourceId = await tenant.register()
  let deliveryId: string | undefined
  await until('the delivery', async () => {
    const { body } = await call('GET', `/webhook/deliveries?resource_id=${resourceId}&state=delivered`)
    deliveryId = (body.data?.['deliveries'] as { id: string }[])[0]?.id
    return deliveryId !== undefined
  })
  return { deliveryId: String(deliveryId) }
}

/** What has to be there before an example works. */
const BEFORE: Readonly<Record<string, () => Promise<Own>>> = {
  createTransaction: async () => ({ ...(await payment()), evmWallet: (await harness.chain.newPayer()).address }),
  paymentStatus: payment,
  cancelPayment: payment,
  refundPayment: paidByCard,
  listRefunds: payment,
  executeOnChain: async () => {
    const { id, raw } = await tenant.signedPayment(await harness.chain.newPayer())
    return { paymentId: id, signedTransaction: raw }
  },
  getOrder: order,
  updateOrder: order,
  deleteOrder: order,
  toggleOrder: order,
  toggleOrderByPost: order,
  replayWebhookDelivery: delivered,
  sendTestWebhook: async () => {
    await harness.dashboard.setWebhookUrl(tenant)
    return {}
  },
  sendEmailOtp: prepared,
  verifyEmailOtp: async () => {
    const { email = '' } = await prepared()
    await call('POST', '/security/email/send-otp', { email })
    return { email, code: await newestCode(harness, email) }
  },
  kycStatus: prepared,
  prepareWalletKyc: async () => {
    const owner = evmOwner()
    const { body } = await call('POST', '/security/wallet/challenge', { wallet: owner.wallet })
    const challenge = String(body.data?.['message'])
    return { challenge, signature: await owner.sign(challenge) }
  },
  createKycSession: async () => ({ email: await proveEmail(harness, tenant) }),
  depositYield: funded,
  withdrawYield: withPosition,
  rebalanceYield: withPosition,
  broadcastYield: async () => ({ signedSolanaTransaction: await harness.signedDeposit(await harness.newWallet()) }),
}

/** An example with the reader's own things in it. */
function replaced(value: unknown, own: ReadonlyMap<unknown, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, own))
  if (typeof value !== 'object' || value === null) return own.get(value) ?? value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, own)]))
}

describe('the examples', () => {
  it('are of every operation, and of no other', () => {
    expect(Object.keys(EXAMPLES)).toEqual(ROUTES.map(operationIdOf))
  })

  it.each(ROUTES.map((route) => [operationIdOf(route), route] as const))('%s works', async (name, route) => {
    const tenantOwn: Own = {
      publicClientId: tenant.tenantData.public_client_id,
      webhookUrl: tenant.tenantData.webhook_url,
    }
    const own = Object.entries({ ...tenantOwn, ...(await BEFORE[name]?.()) })
    const names = new Map<unknown, string>(own.map(([key, value]) => [EXAMPLE[key as keyof typeof EXAMPLE], value]))
    const { params = {}, body } = replaced(EXAMPLES[name], names) as { params?: Record<string, string>; body?: unknown }
    const path = route.path.replace(/:(\w+)/g, (_part, part: string) => encodeURIComponent(params[part] ?? ''))
    const query = Object.entries(params).filter(([part]) => !route.path.includes(`:${part}`))
    const answer = await call(route.method, `${path}?${new URLSearchParams(query).toString()}`, body)
    expect([answer.text, repliesOf(route).map(({ status }) => status)]).toEqual([
      answer.text,
      expect.arrayContaining([answer.body.status]),
    ])
  })

  it('of the stream works', async () => {
    const { paymentId = '' } = await payment()
    const { params } = replaced(EVENTS_EXAMPLE, new Map([[EXAMPLE.paymentId, paymentId]])) as typeof EVENTS_EXAMPLE
    const path = EVENTS_ROUTE.path.replace(':id', params.id)
    const stream = await openStream(`${harness.url}${path}`, { headers: { 'x-api-key': tenant.key } })
    const [event] = await stream.untilCount(1)
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ type: 'payment.registered', data: { id: paymentId } })
  })
})
