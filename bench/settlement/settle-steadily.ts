import { setTimeout as delay } from 'node:timers/promises'
import { createPublicClient, http } from 'viem'
import { quantile, type ProductHarness } from './product-harness.js'
import { createCharges, payCharge } from './settle-charges.js'

/** How long it takes from a charge's confirmation to the block with its payout. */
export interface MinedFigures {
  payouts: number
  p50Ms: number
  p99Ms: number
}

/** The newest block is asked for so often. */
const LOOK_MS = 50
const SETTLED_TIMEOUT_MS = 300_000

/**
 * Has payers confirm charges at a steady rate at the Pix simulator, and looks which block of `polygon` has the payout of each.
 * @throws Error where one is in none in time
 */
export async function settleSteadily(
  harness: ProductHarness,
  { perSecond, durationMs }: { perSecond: number; durationMs: number },
): Promise<MinedFigures> {
  const { charges, end } = await createCharges(harness, 'polygon', Math.round((perSecond * durationMs) / 1000))
  const blocks = watchBlocks(harness.sandbox.chains.polygon.rpc_url)
  try {
    const confirmedMs = new Map<string, number>()
    const startedMs = performance.now()
    await Promise.all(
      charges.map(async ({ paymentId, txid }, index) => {
        await delay(Math.max(0, startedMs + (index * 1000) / perSecond - performance.now()))
        confirmedMs.set(paymentId, await payCharge(harness.sandbox.pix_url, txid))
      }),
    )
    const blockOf = await blocksOf(harness, [...confirmedMs.keys()])
    const latenciesMs = [...confirmedMs].map(([id, at]) => (blocks.seenMs(blockOf.get(id) ?? -1) ?? NaN) - at)
    return { payouts: confirmedMs.size, p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99) }
  } finally {
    await blocks.stop()
    end()
  }
}

/** Notes when each block was there first: its own time is in whole seconds. */
function watchBlocks(rpcUrl: string) {
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  const seen = new Map<number, number>()
  let isStopped = false
  const watch = async (): Promise<void> => {
    for (let last: number | undefined; !isStopped; await delay(LOOK_MS)) {
      const head = Number(await client.getBlockNumber())
      const at = Date.now()
      for (let block = (last ?? head - 1) + 1; block <= head; block += 1) seen.set(block, at)
      last = head
    }
  }
  const watching = watch()
  return {
    seenMs: (block: number): number | undefined => seen.get(block),
    stop: async (): Promise<void> => {
      isStopped = true
      await watching
    },
  }
}

const BLOCKS = `select leg.payment_id as id, transaction.block_number as block from payments.batch_leg as leg
  join payments.treasury_transaction as transaction on transaction.batch_id = leg.batch_id and transaction.state = 'confirmed'
  where leg.payment_id = any($1) and leg.outcome = 'paid'`

/** The block that has each payment's payout, once all are settled. */
async function blocksOf({ pool }: ProductHarness, ids: readonly string[]): Promise<Map<string, number>> {
  const deadlineMs = performance.now() + SETTLED_TIMEOUT_MS
  for (;;) {
    const { rows } = await pool.query<{ id: string; block: number }>(BLOCKS, [ids])
    if (rows.length === ids.length) return new Map(rows.map(({ id, block }) => [id, block]))
    if (performance.now() > deadlineMs) throw new Error(`${rows.length} of ${ids.length} payouts are settled`)
    await delay(500)
  }
}
