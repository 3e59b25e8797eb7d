import type { Finding } from '../view.js'
import { finding, forEach, type Check } from './evidence.js'
import { evmTruth } from './evm-truth.js'
import { solanaTruth } from './solana-truth.js'

const UNDONE = `select subject from payments.operator_alert where kind = 'payment_undone' and closed_at is null`

/**
 * A payer who has paid from a wallet, and has handed that in, has a payment that is `success`; and has paid once. A reorganisation may
 * drop the money that he paid with too, and undo the payment for good: that an operator is told, and nothing else as such.
 */
export const checkPayers: Check = async ({ journal, view, payments, sql }) => {
  const evm = evmTruth(view)
  const solana = solanaTruth(view)
  const signed = journal.filter(({ operation }) => operation === 'sign')
  const landed = new Map<string, string[]>()
  const reverted = new Set<string>()
  await forEach(signed, async ({ id = '', request }) => {
    const { chain, hash } = request as { chain: string; hash: string }
    const outcome = await (chain === 'solana' ? solana : evm).outcomeOf(hash)
    if (outcome === 'success') landed.set(id, [...(landed.get(id) ?? []), hash])
    if (outcome === 'reverted') reverted.add(hash)
  })
  const undone = new Set((await sql<{ subject: string }>(UNDONE)).map(({ subject }) => subject))
  // What the product was never told of it cannot know.
  const handedIn = new Set(
    journal.filter(({ operation, status }) => operation === 'execute-on-chain' && status !== 0).map(({ id }) => id),
  )
  const found: Finding[] = []
  for (const payment of payments) {
    if (payment.transaction_type !== 'crypto') continue
    const hashes = landed.get(payment.id) ?? []
    const { id, status, tid_hash: told } = payment
    const isUndone = told !== null && reverted.has(told) && (status === 'pending' || status === 'success')
    if (new Set(hashes).size > 1) found.push(finding('once', `transactions that paid ${id}`, 'one', hashes.join(', ')))
    if (hashes.length > 0 && status !== 'success' && handedIn.has(id)) {
      found.push(finding('hangs', `payment ${id}, paid by ${hashes.join(', ')}`, 'success', status))
    }
    if (isUndone && !undone.delete(id)) found.push(finding('alerts', `payment ${id}`, 'told as undone', status))
    if (hashes.length === 0 && status === 'success' && !isUndone) {
      found.push(finding('balances', `payment ${id}, success`, "its payer's transaction on the chain", 'none'))
    }
  }
  for (const id of undone) found.push(finding('alerts', `payment ${id}`, 'not told as undone', 'told'))
  return found
}
