import { nextSplitStep } from '../../../../chains/evm/distribute.js'
import { AppError } from '../../../../kernel/errors.js'
import { toBaseUnits } from '../../../../kernel/money.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { Payment } from '../../store/payment.entity.js'
import type { GasPayer } from '../gas-payer.js'
import type { SplitProgress } from '../on-chain.js'
import { isWorthSharing } from './check-split-cost.js'
import { destinationOf } from './destination.js'
import { addressDestination } from './place-address.js'

/**
 * Takes the next step of a split's settlement, if the chain shows that one is needed.
 * @param due what the receivers get of what has come to the payment's own address, in base units; absent where a wallet pays
 * @throws AppError `broadcast_rejected` where a receiver cannot be paid and all others are, and what the chain and the gas payer throw
 */
export async function settleStep(
  deps: Omit<ChainAccess, 'solanaClient'> & { gasPayer: Pick<GasPayer, 'send'> },
  payment: Payment,
  due?: bigint,
): Promise<SplitProgress> {
  const find = due === undefined ? destinationOf : addressDestination
  const destination = find(deps, payment, payment.chainName ?? '')
  const { split } = destination
  if (!split) return { kind: 'done', distributed: due ?? 0n }
  const { chain, forwarder, terms, asset } = split
  const step = await nextSplitStep(deps.evmClient(chain), forwarder, terms, asset, {
    due: due ?? toBaseUnits(payment.amountTo ?? '0', asset.decimals),
    confirmations: chain.confirmations,
    // Anybody may send a little at any time.
    isWorth: (amount) => isWorthSharing(destination, payment.toCurrencySymbol, amount),
  })
  if (step.kind === 'done' || step.kind === 'waiting') return step
  if (step.kind === 'owed') {
    const details = `the others are paid; what ${step.receivers.join(', ')} cannot take can be claimed at ${step.at}`
    throw new AppError('broadcast_rejected', { details })
  }
  const sent = await deps.gasPayer.send(chain, `split:${payment.id}:${step.kind}`, {
    to: step.to,
    data: step.data,
    value: 0n,
  })
  return { kind: sent === 'sent' ? 'stepped' : 'waiting' }
}
