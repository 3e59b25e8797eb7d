import 'reflect-metadata'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadEnv } from '../../app/env.js'
import { startProduct } from '../../app/start-product.js'
import { adjustableClock } from '../../kernel/clock.js'
import { migrateJobs } from '../../kernel/jobs.js'
import { createLog } from '../../kernel/log.js'
import { ending, ownFolder } from '../harness/at-end.js'
import { postJson } from '../harness/control.js'
import { ownDatabase, ownPool } from '../harness/database.js'
import { chainSide } from '../harness/evm-side.js'
import { startPublicAddress } from '../harness/public-address.js'
import { callRest } from '../harness/rest.js'
import { startTestSandbox } from '../harness/sandbox.js'
import { until } from '../harness/until.js'

/** When the release was stopped, by its own clock: what it left pending has not expired then. */
const STOPPED_AT = Date.parse('2026-12-06T16:42:10Z')

/** The sandbox's in which the release ran, which is no more. */
const MASTER_KEY = '2d6edea199aacd4a6777fc0127e92e2ae9f2d63cdf99b5e47d8385c010e8264a'
const API_KEY = 'sk_test_jhWeuiDhuSMYKrjYCWCZL6s50enUTraM3038ce'

/** Payments of the release, by how they stood. */
const PAYMENTS = {
  paidByPix: 'cmxc2gez5kvuflnhaegltr9ww',
  paidByWallet: 'cmxc2gc6dwfimb2y948fq93uc',
  chargedBack: 'cmxc2grfo2ja6ynfwy0ll1v46',
  registered: 'cmxc2grixb1c28sbawdxm0gyt',
  pendingPix: 'cmxc2k8zxuu9w9jvxae4hr4y1',
  begunSubscription: 'cmxc2k93rb0z7eao85gezu99i',
  renewed: 'cmx22dajummh4su1y5qg9qrba',
} as const

/** The person's that was verified by e-mail, and the wallet's. */
const WALLET = '0xFbf97c2B3116c2f42E4f72Bd2a49D6d491e42f8f'

/** Who receives all of the pending charge, and has nothing yet on the new chain. */
const RECEIVER = '0x22Ee4f6B8d0E73F4B3c55cF14bc4c7fEBA1255Cd'

/** Starts the product of today on the release's database, around which the sandbox is new. */
async function startOnRelease() {
  const { url: databaseUrl } = await ownDatabase()
  await loadRelease(databaseUrl)
  const dataDir = await ownFolder()
  // The Pix provider outlives releases: it knows the charge.
  await copyFile(join(import.meta.dirname, 'release-0.1.0.pix-cobs.jsonl'), join(dataDir, 'pix-cobs.jsonl'))
  const clock = adjustableClock(STOPPED_AT - Date.now())
  const { sandbox, log, onGiveUp, evmUrl } = await startTestSandbox({ dataDir, databaseUrl, clock })
  // The provider calls back there; without that a payment waits for the next look at it.
  const publicAddress = await startPublicAddress()
  const env = loadEnv({
    ...{ PUBLIC_URL: publicAddress.url, PORT: '0', MODE: 'sandbox', DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
    ...{ MASTER_KEY, RATE_LIMIT_PER_MINUTE: '0' },
  })
  const product = ending(await startProduct({ env, clock, log, onGiveUp, sandbox }))
  publicAddress.leadTo(product.url)
  const rest = async (path: string) => (await callRest(product.url, 'GET', path, { as: API_KEY })).body.data
  const graphql = async (query: string) => {
    const answer = await callRest(product.url, 'POST', '/graphql', { as: API_KEY, body: { query } })
    expect(answer.body).not.toHaveProperty('errors')
    return answer.body.data as Record<string, unknown>
  }
  return { rest, graphql, pixUrl: sandbox.rails.pix.baseUrl, chain: chainSide(evmUrl) }
}

async function loadRelease(databaseUrl: string): Promise<void> {
  const pool = ownPool(databaseUrl, 2)
  await migrateJobs(pool, createLog('silent'))
  await pool.query(await readFile(join(import.meta.dirname, 'release-0.1.0.sql'), 'utf8'))
}

describe('a database that release 0.1.0 has left, under the product of today', async () => {
  const { rest, graphql, pixUrl, chain } = await startOnRelease()

  it('has its payments with their histories', async () => {
    const seen: Record<string, string[]> = {}
    for (const [name, id] of Object.entries(PAYMENTS)) {
      const { payment } = (await graphql(`{ payment(id: "${id}") { history(first: 20) { cause } } }`)) as {
        payment: { history: { cause: string }[] }
      }
      const { status, amount_from: amount } = (await rest(`/payment/${id}/status`)) as Record<string, string>
      seen[name] = [`${status} ${amount}`, ...payment.history.map(({ cause }) => cause)]
    }
    expect(seen).toEqual({
      paidByPix: ['success 100', 'registered', 'transaction_created', 'charge_paid', 'receivers_paid'],
      paidByWallet: [
        'success 100',
        'registered',
        'transaction_created',
        'transaction_signed',
        'payer_paid',
        'receivers_paid',
      ],
      chargedBack: ['success 100', 'registered', 'transaction_created', 'charge_paid', 'receipt_taken_back'],
      registered: ['registered 100', 'registered'],
      pendingPix: ['pending 100', 'registered', 'transaction_created'],
      begunSubscription: ['success 100', 'registered', 'transaction_created', 'charge_paid'],
      renewed: ['success 100', 'registered', 'transaction_created', 'charge_paid'],
    })
  })

  it('shows what providers and chains said of them', async () => {
    expect(await rest(`/payment/${PAYMENTS.chargedBack}/status`)).toMatchObject({
      global_payment_data: {
        charges: [{ status: 'chargedback' }],
        returns: [{ forced: true, reason: 'chargeback', status: 'done' }],
      },
    })
  })

  it('has its orders, deliveries, subscriptions and verified people', async () => {
    const seen = await graphql(`{
      begun: payment(id: "${PAYMENTS.begunSubscription}") { subscription { status planName interval nextPaymentAt } }
      renewed: payment(id: "${PAYMENTS.renewed}") { subscription { status cancelReason } }
      webhookDeliveries(resourceId: "${PAYMENTS.paidByPix}") { edges { node { type state attempts { httpStatus } } } }
      kycRecord(wallet: "${WALLET}") { status approved sessionStatus }
      orders { edges { node { orderItems { name } subscriptionPaymentConfig { planName } } } }
    }`)
    const delivered = (type: string) => ({ node: { type, state: 'DELIVERED', attempts: [{ httpStatus: 204 }] } })
    const order = (name: string, plan: object | null = null) => ({
      node: { orderItems: [{ name }], subscriptionPaymentConfig: plan },
    })
    const nextPaymentAt = '2026-12-13T16:42:05.519Z'
    expect(seen).toEqual({
      begun: { subscription: { status: 'ACTIVE', planName: 'Gold', interval: 'WEEKLY', nextPaymentAt } },
      renewed: { subscription: { status: 'CANCELED', cancelReason: 'REQUESTED' } },
      webhookDeliveries: { edges: ['payment.success', 'payment.pending', 'payment.registered'].map(delivered) },
      kycRecord: { status: 'APPROVED', approved: true, sessionStatus: 'Approved' },
      orders: {
        edges: [
          order('Card demo (cardfiat)'),
          order('Pix demo (polygon)'),
          order('Subscription demo', { planName: 'Gold' }),
        ],
      },
    })
  })

  it('has its queued jobs worked: what was to be told becomes deliveries', async () => {
    await until('the events of the release are deliveries', async () => {
      const { webhookDeliveries } = (await graphql(
        `{ webhookDeliveries(first: 50, resourceId: "${PAYMENTS.pendingPix}") { edges { node { type } } } }`,
      )) as { webhookDeliveries: { edges: object[] } }
      return webhookDeliveries.edges.length >= 2
    })
  })

  it('settles its pending Pix charge, once the payer pays it', async () => {
    await postJson(`${pixUrl}/sandbox/cob/${PAYMENTS.pendingPix}001/pay`)
    await until('the payment of the release is settled', async () => {
      const status = (await rest(`/payment/${PAYMENTS.pendingPix}/status`)) as { status: string }
      return status.status === 'success'
    })
    expect(await chain.balanceOf('USDT', RECEIVER)).toBe(18_450_185n)
  })
})
