import type { Address } from 'viem'
import {
  findToken,
  type Asset,
  type Chain,
  type EvmAsset,
  type EvmChain,
  type ForwarderSplit,
} from '../../../../chains/chain.js'
import { paymentReference, splitAddress, type Split } from '../../../../chains/evm/split.js'
import { validationError } from '../../../../kernel/errors.js'
import { percentText } from '../../../../kernel/percent.js'
import type { PaymentsDeps } from '../../deps.js'
import type { Payment } from '../../store/payment.entity.js'

/** Where a payment's money goes. */
export interface Destination {
  chain: Chain
  asset: Asset
  /** Set where several receivers share: the split that their address stands for. */
  split: SplitDestination | undefined
  /** The one address that has to be paid: the receiver's, or the split's. */
  address: string
}

/** A split on an EVM chain that has one. */
export interface SplitDestination {
  chain: EvmChain
  forwarder: ForwarderSplit
  asset: EvmAsset
  terms: Split
}

/**
 * Where a payment's receivers are paid. An order may leave the chain open: then it is the payer's.
 * @throws validation_error where the payment has no receiver, the chain or token is not enabled any more, or the chain
 *   cannot pay several receivers in one transaction
 */
export function destinationOf(deps: Pick<PaymentsDeps, 'settings'>, payment: Payment, payerChain: string): Destination {
  const chain = deps.settings.chains.find(({ name }) => name === (payment.toChain ?? payerChain))
  const asset = chain && findToken(chain, payment.toCurrencySymbol)
  if (!chain || !asset)
    throw notPayable(`${payment.toCurrencySymbol} is not enabled on ${payment.toChain ?? payerChain}`)
  const receivers = payment.splitPaymentConfig.filter(({ receiverPercent }) => receiverPercent > 0)
  const [first] = receivers
  if (!first) throw notPayable('its order names no receiver')
  if (receivers.length === 1) return { chain, asset, split: undefined, address: first.receiverWallet }
  if (chain.family !== 'evm' || !chain.split) throw notPayable(`several receivers cannot be paid on ${chain.name}`)
  const terms: Split = {
    reference: paymentReference(payment.id),
    receivers: receivers.map(({ receiverWallet }) => receiverWallet as Address),
    percents: receivers.map(({ receiverPercent }) => percentText(receiverPercent)),
  }
  const split = { chain, forwarder: chain.split, asset: asset as EvmAsset, terms }
  return { chain, asset, split, address: splitAddress(chain.split, terms) }
}

function notPayable(message: string): Error {
  return validationError([{ field: 'paymentId', message }])
}
