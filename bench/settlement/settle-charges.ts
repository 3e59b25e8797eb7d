import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import bs58 from 'bs58'
import { usdtOf, usdtUnits, type DemoChain } from '../../sandbox/demo/balances.js'
import { verifyEmail } from '../../sandbox/demo/kyc.js'
import { receiveWebhooks } from '../../sandbox/demo/webhooks.js'
import { checkLedger } from './check-ledger.js'
import { inParallel, quantile, terms, type ProductHarness } from './product-harness.js'

/** How fast confirmed charges were settled. Latencies are from a charge's confirmation to its payment's `success`. */
export interface SettlementFigures {
  chargesPerSecond: number
  p50Ms: number
  p99Ms: number
  /** Processor time of the product's process per charge: it hardly moves with what else the machine does. */
  cpuMs: number
}

/** Requests that prepare and pay charges at once. */
const WIDTH = 16
const SETTLE_TIMEOUT_MS = 300_000

interface Charge {
  paymentId: string
  receiver: string
  txid: string
}

/**
 * Lets payers confirm charges at the Pix simulator, all as fast as it takes them, and waits until every receiver was paid.
 * @throws Error where a receiver holds anything but the quoted sum, or the ledger does not agree
 */
export async function settleCharges(
  harness: ProductHarness,
  chain: DemoChain,
  count: number,
): Promise<SettlementFigures> {
  const { sandbox, pool, product } = harness
  const { charges, end } = await createCharges(harness, chain, count)
  try {
    const cpuMsBefore = await product.cpuMs()
    const confirmedMs = await inParallel(charges, WIDTH, ({ txid }) => payCharge(sandbox.pix_url, txid))
    const succeededMs = await untilSucceeded(pool, charges)
    const cpuMs = ((await product.cpuMs()) - cpuMsBefore) / count
    await checkPaidOnce(harness, chain, charges)
    const elapsedMs = Math.max(...succeededMs) - Math.min(...confirmedMs)
    const latenciesMs = succeededMs.map((ms, index) => ms - (confirmedMs[index] ?? NaN))
    return {
      chargesPerSecond: (count * 1000) / elapsedMs,
      p50Ms: quantile(latenciesMs, 0.5),
      p99Ms: quantile(latenciesMs, 0.99),
      cpuMs,
    }
  } finally {
    end()
  }
}

/**
 * Registers payments and creates the Pix charge of each, for one verified payer.
 * @returns them, and what ends the receiving of their webhooks
 */
export async function createCharges(
  harness: ProductHarness,
  chain: DemoChain,
  count: number,
): Promise<{ charges: Charge[]; end: () => void }> {
  const { sandbox } = harness
  const webhooks = await receiveWebhooks(sandbox.webhook_secret)
  const end = (): void => webhooks.close()
  try {
    const payer = `bench-${process.hrtime.bigint()}@example.com`
    await verifyEmail({ sandbox, call: harness.call, webhooks, say: () => undefined }, payer)
    const receivers = Array.from({ length: count }, () => newAddress(chain))
    const charges = await inParallel(receivers, WIDTH, (receiver, index) =>
      createCharge(harness, {
        chain,
        receiver,
        amount: `${10 + (index % 90)}.${10 + (index % 89)}`,
        payer,
        hook: webhooks.url,
      }),
    )
    return { charges, end }
  } catch (error) {
    end()
    throw error
  }
}

/** An address that nobody has used before: whatever it holds came by one payment. */
export function newAddress(chain: DemoChain): string {
  return chain === 'polygon' ? `0x${randomBytes(20).toString('hex')}` : bs58.encode(randomBytes(32))
}

async function createCharge(
  { call, sandbox }: ProductHarness,
  order: { chain: DemoChain; receiver: string; amount: string; payer: string; hook: string },
): Promise<Charge> {
  const payment = await call('POST', '/payment/register/intents-create-order', {
    ...terms(sandbox),
    executor_id: 'api_transaction',
    tenant_data: { public_client_id: sandbox.public_client_id, webhook_url: order.hook },
    payment_method_allowed: { pixcrypto: true },
    split_payment_config: [{ receiver_wallet: order.receiver, receiver_percent: 100 }],
    amount_from: order.amount,
    to_chain: order.chain,
  })
  const paymentId = String(payment['payment_id'])
  const created = await call('POST', '/payment/register/intents-create-transaction', {
    payment_id: paymentId,
    transaction_type: 'pixcrypto',
    payer_email: order.payer,
    payer_cpf: '529.982.247-25',
  })
  return { paymentId, receiver: order.receiver, txid: (created['fiat_tx'] as { txid: string }).txid }
}

/** The payer's bank pays. @returns when the provider had the money, in milliseconds since 1970 */
export async function payCharge(pixUrl: string, txid: string): Promise<number> {
  const paid = await fetch(`${pixUrl}/sandbox/cob/${txid}/pay`, { method: 'POST' })
  if (!paid.ok) throw new Error(`the simulated bank answered ${paid.status}`)
  return Date.parse(((await paid.json()) as { horario: string }).horario)
}

const SUCCEEDED = `select payment_id as id, extract(epoch from created_at) * 1000 as ms from payments.payment_event
  where payment_id = any($1) and type = 'payment.success'`

/** When each payment succeeded, in milliseconds since 1970. */
async function untilSucceeded(pool: ProductHarness['pool'], charges: readonly Charge[]): Promise<number[]> {
  const ids = charges.map(({ paymentId }) => paymentId)
  const deadlineMs = performance.now() + SETTLE_TIMEOUT_MS
  for (;;) {
    const { rows } = await pool.query<{ id: string; ms: string }>(SUCCEEDED, [ids])
    const byId = new Map(rows.map(({ id, ms }) => [id, Number(ms)]))
    if (byId.size === ids.length) return ids.map((id) => byId.get(id) ?? NaN)
    if (performance.now() > deadlineMs) throw new Error(`${byId.size} of ${ids.length} charges were settled in time`)
    await delay(200)
  }
}

async function checkPaidOnce(harness: ProductHarness, chain: DemoChain, charges: readonly Charge[]): Promise<void> {
  const { sandbox, call, pool } = harness
  await inParallel(charges, WIDTH, async ({ paymentId, receiver }) => {
    const { status, amount_to: amount } = await call('GET', `/payment/${paymentId}/status`)
    const held = await usdtOf(sandbox, chain, receiver)
    if (status !== 'success' || held !== usdtUnits(String(amount))) {
      throw new Error(`${paymentId} is ${String(status)}, and its receiver holds ${held} instead of ${String(amount)}`)
    }
  })
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from payments.batch_leg where payment_id = any($1) and outcome = 'paid'`,
    [charges.map(({ paymentId }) => paymentId)],
  )
  if (rows[0]?.count !== charges.length) throw new Error(`${charges.length} charges were paid ${rows[0]?.count} times`)
  await checkLedger(sandbox.database_url)
}
