import type { Address } from 'viem'
import { readCameByHead } from '../../../../chains/evm/came-by.js'
import { hasSplitDeployer } from '../../../../chains/evm/distribute.js'
import { SPLIT_VERSION } from '../../../../chains/evm/forwarder.js'
import { splitAddress } from '../../../../chains/evm/split.js'
import { validationError } from '../../../../kernel/errors.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { PaymentAddress } from '../../model/payment-address.js'
import { lockQuote, type LockQuoteDeps } from '../../prices/lock-quote.js'
import type { Payment } from '../../store/payment.entity.js'
import type { PlacedAddress, RailDeps } from '../rail.js'
import { checkSplitCost, type SplitBudget } from './check-split-cost.js'
import { checkReceivers, destinationOf, splitOf, type Destination } from './destination.js'

type PlaceDeps = ChainAccess &
  LockQuoteDeps &
  Pick<PlacedAddress, 'watchedMax'> &
  Pick<RailDeps, 'payments'> &
  SplitBudget

/** Prices a payment and says at which address of its own it is paid on a chain. See `WalletRail.placeAddress`. */
export async function placeAddress(deps: PlaceDeps, payment: Payment, chainName: string): Promise<PlacedAddress> {
  const { settings, evmClient } = deps
  const chain = settings.chains.find(({ name }) => name === chainName)
  if (chain?.family !== 'evm') throw refused('must be an enabled EVM chain')
  if (payment.toChain !== null && payment.toChain !== chainName) {
    throw refused(`must be ${payment.toChain}, the chain of the receivers`)
  }
  const destination = addressDestination(deps, payment, chainName)
  checkReceivers(destination)
  const { split } = destination
  // A coin leaves no log that could be watched.
  if (split?.asset.kind !== 'token') throw refused(`cannot be paid at an address on ${chainName}`)
  const client = evmClient(chain)
  if (!(await hasSplitDeployer(client, split.forwarder))) throw refused('has no deployer of addresses')
  const quote = await lockQuote(deps, payment, split.asset.decimals, 'transfer')
  await checkSplitCost(deps, payment, destination, quote.amountTo)
  const { address: token, decimals } = split.asset
  const address = splitAddress(split.forwarder, split.terms)
  // Nobody is told of the address before it is written down, so nothing for it is in an older block, unless the database has lost it, or
  // somebody was told of the same address on another chain.
  const known = { address: lower(address), splitVersion: split.terms.version, token: lower(token) }
  const { head, came } = await readCameByHead(client, known)
  const place = { ...known, decimals, fromBlock: head, laidBefore: came }
  return { place, quote, watchedMax: deps.watchedMax }
}

/** What has come to an address of a payment by now, in base units; see `AddressReads`. */
export async function readDeposited(
  { settings, evmClient }: Pick<ChainAccess, 'settings' | 'evmClient'>,
  address: Pick<PaymentAddress, 'chainName' | 'address' | 'splitVersion' | 'token'>,
): Promise<bigint> {
  const chain = settings.chains.find(({ name }) => name === address.chainName)
  return chain?.family === 'evm' ? (await readCameByHead(evmClient(chain), address)).came : 0n
}

/** Where an address pays out to: a split also where there is one receiver. Throws as `destinationOf`. */
export function addressDestination(
  deps: Pick<ChainAccess, 'settings'>,
  payment: Payment,
  chainName: string,
): Destination {
  const destination = destinationOf(deps, payment, chainName)
  return {
    ...destination,
    split: splitOf({ id: payment.id, splitVersion: payment.splitVersion ?? SPLIT_VERSION }, destination),
  }
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}

function refused(message: string): Error {
  return validationError([{ field: 'chainName', message }])
}
