import type { Asset } from '../../../../chains/chain.js'
import { hasSplitDeployer } from '../../../../chains/evm/distribute.js'
import { UNSPENDABLE, unspendableWallets } from '../../../../chains/solana/unspendable.js'
import { fromBaseUnits, multiply, roundHalfUp, toBaseUnits } from '../../../../kernel/money.js'
import type { ChainAccess } from '../../model/chain-access.js'
import { notPayable } from '../../model/not-payable.js'
import type { Markets } from '../../prices/market.js'
import type { Destination, PayerRequest } from './destination.js'

/** A route may cost the payer a tenth more than the market's price; above that something is wrong. */
const ROUTE_MARGIN = '1.1'

/**
 * Without the deployer's code a split's address could be paid but never emptied.
 * @throws validation_error where the chain cannot pay several receivers
 */
export async function assertSplitWorks(deps: Pick<ChainAccess, 'evmClient'>, { split }: Destination): Promise<void> {
  if (!split || (await hasSplitDeployer(deps.evmClient(split.chain), split.forwarder))) return
  throw notPayable(`several receivers cannot be paid on ${split.chain.name}`)
}

/**
 * A router pays whatever address it is told.
 * @throws validation_error where nobody could spend what a receiver on Solana gets; provider_unavailable, provider_timeout
 */
export async function assertReceiversSpend(
  deps: Pick<ChainAccess, 'solanaClient'>,
  { chain, asset, receivers }: Destination,
): Promise<void> {
  if (chain.family !== 'solana') return
  const wallets = receivers.map(({ wallet }) => wallet)
  const none = await unspendableWallets(deps.solanaClient(chain), asset, wallets)
  if (none.size > 0) throw notPayable(`has a receiver that ${UNSPENDABLE}`)
}

/** The most that the payer may be asked for: the market's price and a margin, in base units of the payer's token. */
export async function highestInput(
  deps: Markets,
  { payment, symbol, destination, amountOut }: PayerRequest & { amountOut: bigint },
  decimals: number,
): Promise<bigint | undefined> {
  const market = await deps.findMarket(payment.toCurrencySymbol, symbol)
  if (!market) return undefined
  const due = fromBaseUnits(amountOut, destination.asset.decimals)
  return toBaseUnits(roundHalfUp(multiply(multiply(due, market.rate), ROUTE_MARGIN), decimals), decimals)
}

/** The contract or mint of an asset; undefined for a chain's native coin. */
export function addressOf(asset: Asset): string | undefined {
  return asset.kind === 'token' ? asset.address : undefined
}
