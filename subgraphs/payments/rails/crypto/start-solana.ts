import bs58 from 'bs58'
import { findToken, unknownToken, type SolanaChain } from '../../../../chains/chain.js'
import { shareAmounts } from '../../../../chains/shares.js'
import { readLastValidHeight } from '../../../../chains/solana/blockhash.js'
import { buildTransfer } from '../../../../chains/solana/build-transfer.js'
import { assertHolds } from '../../../../chains/solana/assert-holds.js'
import { findRouteViolation } from '../../../../chains/solana/check-route.js'
import { isOnCurve } from '../../../../chains/solana/on-curve.js'
import { paymentKey } from '../../../../chains/solana/transfer.js'
import { parseWire } from '../../../../chains/solana/wire.js'
import { AppError, validationError } from '../../../../kernel/errors.js'
import type { Logger } from '../../../../kernel/log.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { SolanaUnsignedTransaction } from '../../model/unsigned-transaction.js'
import type { Markets } from '../../prices/market.js'
import type { Router } from '../../router/router.js'
import type { Destination, PayerRequest } from './destination.js'
import { addressOf, assertReceiversSpend, assertSplitWorks, highestInput } from './route.js'

type SolanaBuildDeps = Markets & ChainAccess & { router: Router; log: Logger }

interface Plan extends PayerRequest {
  chain: SolanaChain
  /** What the receivers get in all, in base units of the destination's token. */
  amountOut: bigint
}

/**
 * Checks that a payer on Solana can be served, and gives what then builds the transaction for an amount in base units.
 * @throws validation_error where the wallet cannot sign, or a route would have to pay several receivers, or one who cannot spend it
 */
export async function prepareSolana(
  deps: SolanaBuildDeps,
  request: PayerRequest & { chain: SolanaChain },
): Promise<(amountOut: bigint) => Promise<SolanaUnsignedTransaction>> {
  const { payment, chain, payer, symbol, destination } = request
  if (!isOnCurve(bs58.decode(payer))) throw refuse('payerWallet', 'must be a wallet that can sign')
  const isHere = destination.chain.name === chain.name
  const isDirect = isHere && payment.toCurrencySymbol === symbol
  if (isHere && !isDirect && destination.receivers.length > 1) {
    throw refuse('payerTokenSymbol', `several receivers can only be paid in ${payment.toCurrencySymbol}`)
  }
  await Promise.all([assertSplitWorks(deps, destination), isDirect || assertReceiversSpend(deps, destination)])
  const build = isDirect ? buildDirect : buildRouted
  return (amountOut) => build(deps, { ...request, amountOut })
}

/** The token or coin itself, to each receiver. */
async function buildDirect(deps: SolanaBuildDeps, plan: Plan): Promise<SolanaUnsignedTransaction> {
  const { payment, chain, payer, symbol, destination, amountOut } = plan
  const request = await buildTransfer({
    client: deps.solanaClient(chain),
    from: payer,
    asset: destination.asset,
    symbol,
    shares: sharesOf(destination, amountOut),
    paymentId: payment.id,
  })
  return { schemaVersion: 1, family: 'solana', chainName: chain.name, ...request, meta: { source: 'solana_transfer' } }
}

/** Another token or chain: the router's transaction for exactly what the receivers are due, once it was run. */
async function buildRouted(deps: SolanaBuildDeps, plan: Plan): Promise<SolanaUnsignedTransaction> {
  const { payment, chain, payer, symbol, destination, amountOut } = plan
  const { chain: toChain, asset: toAsset } = destination
  const asset = findToken(chain, symbol)
  if (!asset) throw refuse('payerTokenSymbol', unknownToken(chain))
  const offer = await deps.router.quoteFromSolana({
    toChain: toChain.family === 'evm' ? { family: 'evm', chainId: toChain.chainId } : { family: 'solana' },
    fromTokenAddress: addressOf(asset),
    toTokenAddress: addressOf(toAsset),
    payer,
    receiver: destination.address,
    amountOut,
    amountInMax: await highestInput(deps, plan, asset.decimals),
  })
  const { serialized, amountIn, id: quoteId } = offer
  const client = deps.solanaClient(chain)
  const bounds = { payer, asset, amountIn }
  await assertHolds(client, { payer, asset, amount: amountIn, symbol })
  const violation = await findRouteViolation(client, serialized, bounds)
  if (violation !== undefined) {
    deps.log.error({ quoteId, violation }, 'the router broke our rules')
    throw new AppError('provider_unavailable')
  }
  const recentBlockhash = bs58.encode(parseWire(Buffer.from(serialized, 'base64')).message.blockhash)
  return {
    schemaVersion: 1,
    family: 'solana',
    chainName: chain.name,
    serialized,
    recentBlockhash,
    lastValidBlockHeight: await readLastValidHeight(client, recentBlockhash),
    feePayer: payer,
    reference: paymentKey(payment.id),
    meta: { source: 'router' },
  }
}

/** What each receiver gets of an amount, in base units; exact, see `shareAmounts`. */
export function sharesOf({ receivers }: Destination, amount: bigint): { wallet: string; amount: bigint }[] {
  const amounts = shareAmounts(
    amount,
    receivers.map(({ percent }) => percent),
  )
  return receivers.map(({ wallet }, index) => ({ wallet, amount: amounts[index] ?? 0n }))
}

function refuse(field: string, message: string): Error {
  return validationError([{ field, message }])
}
