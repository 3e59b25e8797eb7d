import type { Finding } from '../view.js'
import { finding, forEach, type Check } from './evidence.js'
import { evmTruth } from './evm-truth.js'
import { solanaTruth } from './solana-truth.js'

/** A payer who has paid from a wallet, and has handed that in, has a payment that is `success`; and has paid once. */
export const checkPayers: Check = async ({ journal, view, payments }) => {
  const evm = evmTruth(view)
  const solana = solanaTruth(view)
  const signed = journal.filter(({ operation }) => operation === 'sign')
  const landed = new Map<string, string[]>()
  await forEach(signed, async ({ id = '', request }) => {
    const { chain, hash } = request as { chain: string; hash: string }
    const outcome = await (chain === 'solana' ? solana : evm).outcomeOf(hash)
    if (outcome === 'success') landed.set(id, [...(landed.get(id) ?? []), hash])
  })
  // What the product was never told of it cannot know.
  const handedIn = new Set(
    journal.filter(({ operation, status }) => operation === 'execute-on-chain' && status !== 0).map(({ id }) => id),
  )
  const found: Finding[] = []
  for (const payment of payments) {
    if (payment.transaction_type !== 'crypto') continue
    const hashes = landed.get(payment.id) ?? []
    const { id, status } = payment
    if (new Set(hashes).size > 1) found.push(finding('once', `transactions that paid ${id}`, 'one', hashes.join(', ')))
    if (hashes.length > 0 && status !== 'success' && handedIn.has(id)) {
      found.push(finding('hangs', `payment ${id}, paid by ${hashes.join(', ')}`, 'success', status))
    }
    if (hashes.length === 0 && status === 'success') {
      found.push(finding('balances', `payment ${id}, success`, "its payer's transaction on the chain", 'none'))
    }
  }
  return found
}
