import type { Address } from 'viem'
import {
  evmAddress,
  findToken,
  isReceiver,
  RECEIVERS_MAX,
  type Asset,
  type Chain,
  type EvmAsset,
  type EvmChain,
  type ForwarderSplit,
} from '../../../../chains/chain.js'
import type { SplitVersion } from '../../../../chains/evm/forwarder.js'
import { paymentReference, splitAddress, type Split } from '../../../../chains/evm/split.js'
import { percentText } from '../../../../kernel/percent.js'
import type { EnabledChains } from '../../model/chain-access.js'
import { notPayable } from '../../model/not-payable.js'
import type { Payment } from '../../store/payment.entity.js'

/** Where a payment's money goes. */
export interface Destination {
  chain: Chain
  asset: Asset
  /** Set where several receivers share: the split that their address stands for. */
  split: SplitDestination | undefined
  /** The one address that has to be paid: the receiver's, or the split's; on Solana the first receiver's. */
  address: string
  /** Everyone who is paid in the end, with the share as a decimal string in percent. */
  receivers: readonly { wallet: string; percent: string }[]
}

/** A split on an EVM chain that has one. */
export interface SplitDestination {
  chain: EvmChain
  forwarder: ForwarderSplit
  asset: EvmAsset
  terms: Split
}

/** What a payer wants to pay, and with what. */
export interface PayerRequest {
  payment: Payment
  /** The payer's wallet. */
  payer: string
  /** The payer's token. */
  symbol: string
  destination: Destination
}

/**
 * Where a payment's receivers are paid. An order may leave the chain open: then it is the payer's.
 * @throws validation_error where the payment has no receiver, the chain or token is not enabled any more, or the chain
 *   cannot pay several receivers in one transaction
 */
export function destinationOf(deps: EnabledChains, payment: Payment, payerChain: string): Destination {
  const chain = deps.settings.chains.find(({ name }) => name === (payment.toChain ?? payerChain))
  const asset = chain && findToken(chain, payment.toCurrencySymbol)
  if (!chain || !asset)
    throw notPayable(`${payment.toCurrencySymbol} is not enabled on ${payment.toChain ?? payerChain}`)
  const receivers = payment.splitPaymentConfig
    .filter(({ receiverPercent }) => receiverPercent > 0)
    .map(({ receiverWallet, receiverPercent }) => ({
      wallet: chain.family === 'evm' ? evmAddress(receiverWallet) : receiverWallet,
      percent: percentText(receiverPercent),
    }))
  const [first] = receivers
  if (!first) throw notPayable('its order names no receiver')
  const plain = { chain, asset, split: undefined, address: first.wallet, receivers }
  if (receivers.length === 1) return plain
  // One Solana transaction pays them all, if it is the payer's own; a router pays one address.
  if (chain.family === 'solana' && chain.name === payerChain) return plain
  const split = splitOf(payment, plain)
  if (!split) throw notPayable(`several receivers cannot be paid on ${chain.name}`)
  return { ...plain, split, address: splitAddress(split.forwarder, split.terms) }
}

/** The split that a payment's own address stands for, also where it has one receiver; undefined where the chain has none. */
export function splitOf(
  { id, splitVersion }: Pick<Payment, 'id' | 'splitVersion'>,
  { chain, asset, receivers }: Pick<Destination, 'chain' | 'asset' | 'receivers'>,
): SplitDestination | undefined {
  if (chain.family !== 'evm' || !chain.split) return undefined
  const version: SplitVersion = splitVersion === 2 ? 2 : 1
  const terms: Split = {
    version,
    reference: paymentReference(id),
    receivers: receivers.map(({ wallet }) => wallet as Address),
    percents: receivers.map(({ percent }) => percent),
  }
  return { chain, forwarder: chain.split, asset: asset as EvmAsset, terms }
}

/**
 * Refuses receivers that a payment must not be begun with; one that was begun before is still paid. An order that leaves
 * its chain open names wallets that nobody could check before.
 * @throws validation_error
 */
export function checkReceivers({ chain, receivers }: Destination): void {
  if (receivers.length > RECEIVERS_MAX) throw notPayable(`its order names more than ${RECEIVERS_MAX} receivers`)
  if (receivers.some(({ wallet }) => !isReceiver(chain, wallet))) {
    throw notPayable(`a receiver cannot be paid on ${chain.name}`)
  }
}
