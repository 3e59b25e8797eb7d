import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ledgerCli } from '../../subgraphs/payments/cli/ledger-cli.js'
import { readDemo } from '../workspace.js'
import { inParallel, quantile, startProductHarness, terms, type ProductHarness } from '../settlement/product-harness.js'
import { orderRefunds } from './order-refunds.js'

const WARM_UP = 50
const MEASURED = 200
const WIDTH = 8
const PAID_TIMEOUT_MS = 120_000

/** Paid and not given back yet: nobody is paid out meanwhile, so the tenant's receivers bear it. */
const PAID = `select count(*)::int as paid from payments.receipt where payment_id = any($1) and outcome = 'accepted'`
const RETURNED = `select count(*)::int as returned from payments.receipt_return as back
  join payments.receipt on (receipt.tenant_id, receipt.rail, receipt.id) = (back.tenant_id, back.rail, back.receipt_id)
  where receipt.payment_id = any($1) and back.status = 'done'`

/**
 * Measures refunds of paid charges, one after the other, and prints it: by REST, with the jobs that follow in the same process, and in the
 * use case alone. The provider is asked by a job after the answer, so all of the answer's time is the product's own. And how soon the
 * provider has given the money back, and what answers and jobs together cost the product's process.
 * @throws Error where a charge is not paid or its money is not given back
 */
export async function measureRefunds(): Promise<void> {
  const harness = await startProductHarness()
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (!isStopped) await harness.stop()
    isStopped = true
  }
  try {
    await pausePayouts(harness)
    const { sandbox, call } = harness
    const order = await call('POST', '/order/create', { executor_id: 'create_order_checkout', ...terms(sandbox) })
    const orderCode = String(order['order_id'])
    const all = Array.from({ length: 2 * (WARM_UP + MEASURED) })
    const ids = await inParallel(all, WIDTH, () => payByPix(harness, orderCode))
    await untilAll(harness, PAID, 'paid', ids)
    await refundByRest(harness, ids.slice(0, WARM_UP + MEASURED))
    const { chains } = await readDemo(harness.dataDir)
    await stop()
    const { timesMs, cpuMs } = await orderRefunds(harness.dataDir, chains, ids.slice(WARM_UP + MEASURED), WARM_UP)
    print('refund of a paid charge, the use case alone: own overhead', timesMs)
    console.log(`${cpuMs.toFixed(1)} ms of this process for each`)
  } finally {
    await stop()
    await harness.remove()
  }
}

async function refundByRest(harness: ProductHarness, ids: readonly string[]): Promise<void> {
  const times: number[] = []
  const cpuMsBefore = await harness.product.cpuMs()
  for (const id of ids) {
    const startMs = performance.now()
    await harness.call('POST', `/payment/${id}/refund`, { reason: 'requested_by_customer' })
    times.push(performance.now() - startMs)
  }
  const startMs = performance.now()
  await untilAll(harness, RETURNED, 'returned', ids)
  const cpuMs = ((await harness.product.cpuMs()) - cpuMsBefore) / ids.length
  print('refund of a paid charge by REST: answered', times)
  console.log(`all of them given back ${((performance.now() - startMs) / 1000).toFixed(1)} s after the last answer`)
  console.log(`${cpuMs.toFixed(1)} ms of the product's process for each, with its jobs and the simulated bank`)
}

function print(what: string, timesMs: readonly number[]): void {
  const [p50, p99] = [0.5, 0.99].map((part) => quantile(timesMs.slice(WARM_UP), part).toFixed(1))
  console.log(`${what} p50 ${p50} ms, p99 ${p99} ms (${MEASURED})`)
}

async function pausePayouts({ sandbox }: ProductHarness): Promise<void> {
  const lines: string[] = []
  const print = (line: string): number => lines.push(line)
  const to = { databaseUrl: sandbox.database_url, dataDir: '' }
  const code = await ledgerCli(['pause', '--reason', 'refunds are measured'], { out: print, err: print }, to)
  if (code !== 0) throw new Error(lines.join('\n'))
}

/** @returns the id of a payment whose charge the payer's bank has paid */
async function payByPix({ sandbox, call }: ProductHarness, orderCode: string): Promise<string> {
  const payment = await call('POST', '/payment/register/intents-create-order', { order_code: orderCode })
  const id = String(payment['payment_id'])
  const created = await call('POST', '/payment/register/intents-create-transaction', {
    ...{ payment_id: id, transaction_type: 'pixcrypto' },
    ...{ payer_email: `refund-${randomUUID()}@example.com`, payer_cpf: '529.982.247-25' },
  })
  const { txid } = created['fiat_tx'] as { txid: string }
  const paid = await fetch(`${sandbox.pix_url}/sandbox/cob/${txid}/pay`, { method: 'POST' })
  if (!paid.ok) throw new Error(`the simulated bank answered ${paid.status}`)
  return id
}

async function untilAll(
  { pool }: ProductHarness,
  statement: string,
  column: string,
  ids: readonly string[],
): Promise<void> {
  const deadlineMs = performance.now() + PAID_TIMEOUT_MS
  for (;;) {
    const { rows } = await pool.query<Record<string, number>>(statement, [ids])
    if (rows[0]?.[column] === ids.length) return
    if (performance.now() > deadlineMs) throw new Error(`${rows[0]?.[column]} of ${ids.length} are ${column}`)
    await delay(50)
  }
}
