import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import { coinsSubject } from '../settlement/resolve-coins.js'
import { heldCoinsStore } from '../store/held-coins.js'
import type { Answer, Books } from './answer.js'
import { orderedBy, orderIntervention } from './intervention-commands.js'
import { readHash } from './treasury-transfer-command.js'

/**
 * `resolve` of a payment whose receiver is held since the treasury may have sent it coins before a restore: counts it as paid by a
 * transaction that the operator has found.
 * @returns as `intervene`
 * @throws UsageError
 */
export async function resolveCoins(books: Books, [paymentId = '', ...args]: readonly string[]): Answer {
  const text = { type: 'string' } as const
  const values = readOptions(args, { hash: text, receiver: text, reason: text, by: text })
  const [hash, reason] = [readHash(neededOption(values, 'hash')), neededOption(values, 'reason')]
  const { receiver } = values
  const held = (await heldCoinsStore(books.db, books.clock).find(paymentId)).filter(
    ({ splitIndex }) => receiver === undefined || String(splitIndex) === receiver,
  )
  const [payout] = held
  if (!payout) throw new UsageError(`Payment ${paymentId} has no such receiver who is held because of coins.`)
  if (held.length > 1) throw new UsageError('Which receiver? The alerts have their numbers.')
  const subject = { chainName: payout.chainName, batchId: coinsSubject(payout, hash) }
  return orderIntervention(books, subject, { action: 'resolve', reason, orderedBy: orderedBy(values) })
}
