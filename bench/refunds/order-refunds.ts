import { randomBytes } from 'node:crypto'
import type { EvmChain } from '../../chains/chain.js'
import { systemClock } from '../../kernel/clock.js'
import { keyRing } from '../../kernel/encryption.js'
import { idSource } from '../../kernel/ids.js'
import { createLog } from '../../kernel/log.js'
import { lockDataDir } from '../../sandbox/processes/data-dir-lock.js'
import { startEmbeddedPostgres } from '../../sandbox/processes/postgres.js'
import { openPaymentsDatabase } from '../../subgraphs/payments/context.js'
import { refundPayment, type RefundPaymentDeps } from '../../subgraphs/payments/domain/refunds/refund-payment.js'
import { pix } from '../../subgraphs/payments/rails/pix/rail.js'
import type { ChargeRail } from '../../subgraphs/payments/rails/rail.js'
import { openStores } from '../../subgraphs/payments/store/stores.js'

/** The rail that has charged. Ordering a refund asks no provider: the job does. */
const RAIL: ChargeRail = {
  ...{ kind: 'charge', name: pix.name, types: pix.types, needsVerifiedPayer: false },
  check: () => [],
  adapter: {} as ChargeRail['adapter'],
}

/**
 * Orders refunds of paid charges in this process, one after the other, on the database that a product has left behind: nothing else
 * runs, so all of the time is what the use case costs. Their jobs stay.
 * @param dataDir of a product that was stopped
 * @returns the time of each in milliseconds, in the order of `paymentIds`, and this process's own for each
 */
export async function orderRefunds(
  dataDir: string,
  chains: readonly EvmChain[],
  paymentIds: readonly string[],
  warmUp: number,
): Promise<{ timesMs: number[]; cpuMs: number }> {
  const log = createLog('warn')
  const lock = await lockDataDir(dataDir)
  const postgres = await startEmbeddedPostgres({ lock, log })
  const db = await openPaymentsDatabase({ url: postgres.databaseUrl, poolSize: 4, log })
  try {
    const sealing = keyRing([randomBytes(32)], 'provider-events')
    const follow = (): Promise<void> => Promise.resolve()
    const deps: RefundPaymentDeps = {
      ...openStores(db, { clock: systemClock, log, sealing, follow }),
      ...{ settings: { chains }, rails: [RAIL], clock: systemClock },
      newId: idSource(() => systemClock.now()),
    }
    const { rows } = await db.pool.query<{ id: string }>('select id from accounts.tenant')
    const timesMs: number[] = []
    let cpuBefore = process.cpuUsage()
    for (const [place, id] of paymentIds.entries()) {
      if (place === warmUp) cpuBefore = process.cpuUsage()
      const tenant = { id: rows[0]?.id ?? '', products: [], requestId: 'bench' }
      const startMs = performance.now()
      await refundPayment(deps, tenant, { id, reason: 'requested_by_customer' })
      timesMs.push(performance.now() - startMs)
    }
    const { user, system } = process.cpuUsage(cpuBefore)
    return { timesMs, cpuMs: (user + system) / 1000 / (paymentIds.length - warmUp) }
  } finally {
    await db.close()
    await postgres.stop()
    await lock.release()
  }
}
