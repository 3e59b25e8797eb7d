import { minPayout } from '../../../chains/min-payout.js'
import { walletsWithoutAccount } from '../../../chains/solana/token-accounts.js'
import { UNSPENDABLE, unspendableWallets } from '../../../chains/solana/unspendable.js'
import { toBaseUnits } from '../../../kernel/money.js'
import type { Payout } from '../store/payout.entity.js'
import { assetOf, type ChainContext } from './solana-balances.js'

/** What the chain shows of payouts' receivers. */
export interface Receivers {
  /** The payouts whose receivers have no token account yet. */
  missing: ReadonlySet<Payout>
  /** Why a payout must not be signed; undefined where it may. */
  refusalOf: (payout: Payout) => string | undefined
}

/**
 * Looks at what payouts' receivers are. All was checked before the charge too; but an account may be closed since then, and its rent is
 * its owner's, and at an address that was free there may be a token account now.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function readReceivers(context: ChainContext, payouts: readonly Payout[]): Promise<Receivers> {
  const missing = new Set<Payout>()
  const unspendable = new Set<Payout>()
  for (const [symbol, ofSymbol] of Map.groupBy(payouts, (payout) => payout.symbol)) {
    const asset = assetOf(context.chain, symbol)
    const wallets = ofSymbol.map(({ receiver }) => receiver)
    const [without, none] = await Promise.all([
      asset.kind === 'native' ? new Set<string>() : walletsWithoutAccount(context.client, asset.address, wallets),
      unspendableWallets(context.client, asset, wallets),
    ])
    for (const payout of ofSymbol) {
      if (without.has(payout.receiver)) missing.add(payout)
      if (none.has(payout.receiver)) unspendable.add(payout)
    }
  }
  const refusalOf = (payout: Payout): string | undefined => {
    if (unspendable.has(payout)) return `${payout.receiver} ${UNSPENDABLE}`
    const isUnpaid = missing.has(payout) && isTooSmall(context, payout)
    return isUnpaid ? `${payout.receiver} has no token account for ${payout.symbol}` : undefined
  }
  return { missing, refusalOf }
}

/** Whether a payout is too small for the treasury to open an account for its receiver. */
function isTooSmall({ chain }: ChainContext, { symbol, amount }: Payout): boolean {
  const { decimals } = assetOf(chain, symbol)
  return toBaseUnits(amount, decimals) < toBaseUnits(minPayout(chain, symbol).toNewAccount, decimals)
}
