import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import { isTolerance } from '../model/payment-address.js'
import { addressesStore } from '../store/addresses.js'
import type { Answer, Books } from './answer.js'

/** A command that lets what is held of a payment go. @param release gives how much that was */
export function releaseBy(release: (books: Books, paymentId: string) => Promise<number>) {
  return async (books: Books, [paymentId]: readonly string[]): Answer => {
    if (paymentId === undefined) throw new UsageError('Which payment?')
    const released = await release(books, paymentId)
    return { answer: { paymentId, released }, code: released > 0 ? 0 : 1 }
  }
}

/** Sets how much less than the price a tenant takes for the whole at an address. @throws UsageError */
export async function setTolerance({ db }: Books, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { tenant: { type: 'string' }, percent: { type: 'string' } })
  const [tenantId, percent] = [neededOption(values, 'tenant'), neededOption(values, 'percent')]
  if (!isTolerance(percent)) throw new UsageError('--percent has to be from 0 to 10, with two decimals at most.')
  await addressesStore(db).setTolerance(tenantId, percent)
  return { tenantId, percent }
}
