import { findToken, isReceiver, isValidAddress, type Asset, type Chain } from '../../../chains/chain.js'
import { shareAmounts } from '../../../chains/shares.js'
import { validationError } from '../../../kernel/errors.js'
import { fromBaseUnits, toBaseUnits } from '../../../kernel/money.js'
import { percentText } from '../../../kernel/percent.js'
import { FIAT_DECIMALS, inProportion } from '../model/proportion.js'
import type { EnabledChains } from '../model/chain-access.js'
import type { SplitReceiver } from '../../../terms/split.js'
import type { Payment } from '../store/payment.entity.js'
import type { Payout } from '../store/payout.entity.js'
import { newPayout } from './new-payout.js'

/** Where the treasury pays a payment's receivers. */
export interface PayoutTarget {
  chain: Chain
  asset: Asset
  receivers: readonly SplitReceiver[]
}

/**
 * Where the treasury would pay. Whom a payment must not be begun for any more (`checkChargedFor`) is still paid of one that was: the
 * payer's money is here, and has to be booked.
 * @param payerChain the chain that the payer named; it counts where the payment's order leaves it open
 * @throws validation_error where no chain is named, a chain or token is not enabled, or a receiver has no address there
 */
export function payoutTarget(
  { settings }: EnabledChains,
  payment: Payment,
  payerChain: string | null | undefined,
): PayoutTarget {
  const chainName = payment.toChain ?? payerChain
  if (!chainName) throw invalid('chainName', 'is required: the order names no chain')
  const chain = settings.chains.find(({ name }) => name === chainName)
  const asset = chain && findToken(chain, payment.toCurrencySymbol)
  if (!chain || !asset) throw invalid('paymentId', `${payment.toCurrencySymbol} is not enabled on ${chainName}`)
  const receivers = payment.splitPaymentConfig.filter(({ receiverPercent }) => receiverPercent > 0)
  if (receivers.length === 0) throw invalid('paymentId', 'its order names no receiver')
  for (const { receiverWallet } of receivers) {
    if (!isValidAddress(chain, receiverWallet)) throw noAddress(chain)
  }
  return { chain, asset, receivers }
}

/** Refuses receivers that nobody must be charged for: our own accounts, and contracts. @throws validation_error */
export function checkChargedFor({ chain, receivers }: PayoutTarget): void {
  if (!receivers.every(({ receiverWallet }) => isReceiver(chain, receiverWallet))) throw noAddress(chain)
}

/**
 * What each receiver is owed: the quoted amount by shares, exact to the token's last unit, each share rounded down and
 * what remains for the first. A share that is nothing is no payout.
 * @param fiatAmount what the payer paid, of which each payout has its part
 * @throws as `payoutTarget`
 */
export function planPayouts(deps: EnabledChains, payment: Payment, fiatAmount: string, now: Date): Payout[] {
  const target = payoutTarget(deps, payment, payment.chainName)
  const { chain, asset, receivers } = target
  const amounts = splitAmounts(target, payment.amountTo ?? '0')
  const fiatCents = inProportion(toBaseUnits(fiatAmount, FIAT_DECIMALS), amounts)
  return receivers
    .map(({ receiverWallet }, splitIndex) =>
      newPayout(
        {
          tenantId: payment.tenantId,
          paymentId: payment.id,
          splitIndex,
          chainName: chain.name,
          symbol: payment.toCurrencySymbol,
          receiver: receiverWallet,
          amount: fromBaseUnits(amounts[splitIndex] ?? 0n, asset.decimals),
          fiatAmount: fromBaseUnits(fiatCents[splitIndex] ?? 0n, FIAT_DECIMALS),
        },
        now,
      ),
    )
    .filter(({ splitIndex }) => (amounts[splitIndex] ?? 0n) > 0n)
}

/**
 * What each receiver gets of an amount, in base units, in the receivers' order.
 * @param amountTo of the receivers' token; a decimal string
 */
export function splitAmounts({ asset, receivers }: PayoutTarget, amountTo: string): bigint[] {
  const percents = receivers.map(({ receiverPercent }) => percentText(receiverPercent))
  return shareAmounts(toBaseUnits(amountTo, asset.decimals), percents)
}

function noAddress({ name }: Chain): Error {
  return invalid('paymentId', `a receiver has no address on ${name}`)
}

function invalid(field: string, message: string): Error {
  return validationError([{ field, message }])
}
