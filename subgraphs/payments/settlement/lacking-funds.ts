import type { Payout } from '../store/payout.entity.js'
import type { Stores } from '../store/stores.js'
import type { OpenBatch } from '../store/batches.js'
import type { Preparation } from './payout-chain.js'
import type { Treasury } from './treasury.js'

/** A token that is short for so long is, whatever is on its way. */
const SHORT_MS = 30_000

/** Since when this process has seen a token short, by chain, account and token. */
const shortSince = new WeakMap<Stores['payouts'], Map<string, number>>()

/**
 * Of the payouts for which the balances are insufficient those that do not only look it. Where nothing is on its way, all are. What is
 * on its way is taken off before it is gone, and for some blocks twice; but on a chain that always pays somebody there is always
 * something, and a token that is short all the same has to be told, and must not keep what is funded from its turn. Where some are covered
 * and none of them could be signed yet, the others are short of nothing so far: another account may pay the ones or the others.
 */
export function lackingFunds(
  { deps, chain, port }: Treasury,
  {
    prepared,
    insufficientFunds,
    open,
    isAnyCovered,
  }: Omit<Preparation, 'failing'> & {
    open: readonly OpenBatch[]
    isAnyCovered: boolean
  },
  now: Date,
): readonly Payout[] {
  const since = shortSince.get(deps.payouts) ?? new Map<string, number>()
  shortSince.set(deps.payouts, since)
  const keyOf = ({ symbol }: Pick<Payout, 'symbol'>): string => `${chain.name} ${port.account} ${symbol}`
  const short = new Set(insufficientFunds.map(keyOf))
  for (const key of prepared.flatMap(({ payouts }) => payouts.map(keyOf))) if (!short.has(key)) since.delete(key)
  for (const key of short) if (!since.has(key)) since.set(key, now.getTime())
  if (prepared.length === 0 && open.length === 0 && !isAnyCovered) return insufficientFunds
  return insufficientFunds.filter((payout) => now.getTime() - (since.get(keyOf(payout)) ?? Infinity) >= SHORT_MS)
}
