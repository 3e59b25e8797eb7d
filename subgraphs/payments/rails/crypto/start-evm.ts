import type { Address, Hex } from 'viem'
import { evmAddress, findToken, unknownToken, type EvmAsset, type EvmChain } from '../../../../chains/chain.js'
import { buildCall } from '../../../../chains/evm/build-call.js'
import { buildTransfer } from '../../../../chains/evm/build-transfer.js'
import { findEvmRouteViolation } from '../../../../chains/evm/check-route.js'
import { isContract } from '../../../../chains/evm/is-contract.js'
import { findDropped, takesNonceOf } from '../../../../chains/evm/free-nonce.js'
import { paymentReference } from '../../../../chains/evm/split.js'
import { ask } from '../../../../chains/evm/rpc.js'
import { sendAgain } from '../../../../chains/sender/evm-signed.js'
import { AppError, validationError } from '../../../../kernel/errors.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { EvmUnsignedTransaction } from '../../model/unsigned-transaction.js'
import type { Markets } from '../../prices/market.js'
import type { RouteQuote } from '../../router/router.js'
import type { RailDeps } from '../rail.js'
import type { PayerRequest } from './destination.js'
import { addressOf, assertReceiversSpend, assertSplitWorks, highestInput } from './route.js'

type EvmBuildDeps = Markets &
  Pick<ChainAccess, 'evmClient' | 'solanaClient'> &
  Pick<RailDeps, 'broadcasts' | 'clock' | 'log' | 'router'>

interface Plan extends PayerRequest {
  chain: EvmChain
  payer: Address
  /** What the receivers get in all, in base units of the destination's token. */
  amountOut: bigint
}

/**
 * Checks that a payer on an EVM chain can be served, and gives what then builds the transaction for an amount in base
 * units of the destination's token.
 * @throws validation_error where the wallet cannot sign, the chain cannot pay several receivers, or one of them cannot spend it
 */
export async function prepareEvm(
  deps: EvmBuildDeps,
  request: PayerRequest & { chain: EvmChain },
): Promise<(amountOut: bigint) => Promise<EvmUnsignedTransaction>> {
  const { payment, chain, symbol, destination } = request
  await Promise.all([
    assertSigns(deps, request),
    assertSplitWorks(deps, destination),
    assertReceiversSpend(deps, destination),
  ])
  const isDirect = destination.chain.name === chain.name && payment.toCurrencySymbol === symbol
  const build = isDirect ? buildDirect : buildRouted
  return async (amountOut) => {
    const plan = { ...request, payer: evmAddress(request.payer), amountOut }
    const [minedNonce, paidWith] = await Promise.all([readMinedNonce(deps, plan), sendDroppedAgain(deps, plan)])
    const built = await build(deps, plan)
    // What was dropped has not got around yet, or nobody took it now: the wallet's own node would let this one have its place.
    if (takesNonceOf(built.transactionRequest, paidWith)) throw new AppError('provider_unavailable')
    return minedNonce < built.transactionRequest.nonce ? { ...built, minedNonce } : built
  }
}

function readMinedNonce({ evmClient }: EvmBuildDeps, { chain, payer }: Plan): Promise<number> {
  return ask('build', () => evmClient(chain).getTransactionCount({ address: payer, blockTag: 'latest' }))
}

/**
 * What a contract wallet pays stands in somebody else's transaction, beside what others do in it: only an address of the
 * payment's own shows whose payment it is.
 */
async function assertSigns(deps: EvmBuildDeps, { chain, payer }: PayerRequest & { chain: EvmChain }): Promise<void> {
  if (!(await isContract(deps.evmClient(chain), evmAddress(payer)))) return
  const message = "must be a wallet that signs; a contract wallet pays at the payment's own address"
  throw validationError([{ field: 'payerWallet', message }])
}

/** The token or coin itself, to the receiver or to the split's address. */
async function buildDirect(deps: EvmBuildDeps, plan: Plan): Promise<EvmUnsignedTransaction> {
  const { payment, chain, payer, symbol, destination, amountOut } = plan
  const transactionRequest = await buildTransfer({
    chain,
    client: deps.evmClient(chain),
    from: payer,
    to: destination.address as Address,
    asset: evmAsset(chain, symbol),
    symbol,
    amount: amountOut,
    // A split's address is this payment's alone; a receiver's is not, so the calldata has to say which payment it is.
    ...(!destination.split && { reference: paymentReference(payment.id) }),
  })
  return {
    schemaVersion: 1,
    family: 'evm',
    chainName: chain.name,
    transactionRequest,
    meta: { source: destination.split ? 'evm_split' : 'evm_transfer' },
  }
}

/** Another token or chain: the router's offer for exactly what the receivers are due. */
async function buildRouted(deps: EvmBuildDeps, plan: Plan): Promise<EvmUnsignedTransaction> {
  const { chain, payer, symbol, destination, amountOut } = plan
  const { chain: toChain, asset: toAsset } = destination
  const fromAsset = evmAsset(chain, symbol)
  const offer = await deps.router.quoteExactOut({
    fromChainId: chain.chainId,
    toChain: toChain.family === 'evm' ? { family: 'evm', chainId: toChain.chainId } : { family: 'solana' },
    fromTokenAddress: addressOf(fromAsset),
    toTokenAddress: addressOf(toAsset),
    payer,
    receiver: destination.address,
    amountOut,
    amountInMax: await highestInput(deps, plan, fromAsset.decimals),
    allowedTargets: chain.routers,
  })
  const { to, data, value, gasLimit } = offer.tx
  const spender = offer.approvalSpender
  const transactionRequest = await buildCall({
    chain,
    client: deps.evmClient(chain),
    from: payer,
    to: to as Address,
    data: data as Hex,
    value,
    // Before the approval the call would revert, so its gas cannot be estimated: the router's figure stands.
    gasLimit,
  })
  await assertKeepsTerms(deps, plan, offer)
  const approval =
    spender !== undefined && fromAsset.kind === 'token'
      ? { token: fromAsset.address, spender, amount: offer.amountIn.toString() }
      : undefined
  return {
    schemaVersion: 1,
    family: 'evm',
    chainName: chain.name,
    transactionRequest,
    meta: { source: 'router', ...(approval && { approval }) },
  }
}

/**
 * Sends again what the payer's wallet has paid with before and the chain has dropped. The chain shows its nonce as free until then, to the
 * wallet too: another transaction with it would undo what was told as paid.
 * @returns what the wallet has paid with, as far as that is not final
 */
async function sendDroppedAgain(
  { broadcasts, evmClient, clock }: EvmBuildDeps,
  { chain, payer, payment }: Plan,
): Promise<readonly Hex[]> {
  const paidWith = (await broadcasts.unfinalOf(chain.name, payer, payment.id, clock.now())) as Hex[]
  const client = evmClient(chain)
  try {
    for (const raw of await findDropped(client, payer, paidWith)) {
      // A node that does not answer would keep the caller waiting once for each.
      if ((await sendAgain(client, raw)) === 'unknown') break
    }
  } catch {
    throw new AppError('provider_unavailable')
  }
  return paidWith
}

/** A router that is wrong or was broken into must not get a payer to sign away more than he was told. */
async function assertKeepsTerms(deps: EvmBuildDeps, plan: Plan, offer: RouteQuote): Promise<void> {
  const { chain, payer, symbol, destination, amountOut } = plan
  const { to, data, value, gasLimit } = offer.tx
  const call = { to: to as Address, data: data as Hex, value }
  const asset = evmAsset(chain, symbol)
  const isHere = destination.chain.family === 'evm' && destination.chain.name === chain.name
  const violation = await findEvmRouteViolation(deps.evmClient(chain), call, {
    ...{ payer, asset, symbol, amountIn: offer.amountIn, gasLimit },
    spender: offer.approvalSpender as Address | undefined,
    due: isHere
      ? { asset: destination.asset as EvmAsset, receiver: destination.address as Address, amount: amountOut }
      : undefined,
  })
  if (violation === undefined) return
  deps.log.error({ quoteId: offer.id, violation }, 'the router broke our rules')
  throw new AppError('provider_unavailable')
}

function evmAsset(chain: EvmChain, symbol: string): EvmAsset {
  const asset = findToken(chain, symbol)
  if (!asset) throw validationError([{ field: 'payerTokenSymbol', message: unknownToken(chain) }])
  return asset
}
