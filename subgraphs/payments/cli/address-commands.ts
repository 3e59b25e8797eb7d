import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import type { Database } from '../../../kernel/database.js'
import { isTolerance } from '../model/payment-address.js'
import { addressesStore } from '../store/addresses.js'

/** Lets what a refused wallet has sent to a payment's address count. @throws UsageError */
export async function releaseDeposits(
  db: Database,
  [paymentId]: readonly string[],
): Promise<{ answer: object; code: number }> {
  if (paymentId === undefined) throw new UsageError('Which payment?')
  const released = await addressesStore(db).release(paymentId)
  return { answer: { paymentId, released }, code: released > 0 ? 0 : 1 }
}

/** Sets how much less than the price a tenant takes for the whole at an address. @throws UsageError */
export async function setTolerance(db: Database, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { tenant: { type: 'string' }, percent: { type: 'string' } })
  const [tenantId, percent] = [neededOption(values, 'tenant'), neededOption(values, 'percent')]
  if (!isTolerance(percent)) throw new UsageError('--percent has to be from 0 to 10, with two decimals at most.')
  await addressesStore(db).setTolerance(tenantId, percent)
  return { tenantId, percent }
}
