import type { Address } from 'viem'
import type { EvmChain } from '../../../../chains/chain.js'
import { nextSplitStep, type SplitStep } from '../../../../chains/evm/distribute.js'
import { AppError } from '../../../../kernel/errors.js'
import { toBaseUnits } from '../../../../kernel/money.js'
import type { ChainAccess, ChainWatches } from '../../model/chain-access.js'
import type { Runtime } from '../../model/runtime.js'
import type { Payment } from '../../store/payment.entity.js'
import type { GasPayer } from '../gas-payer.js'
import type { SplitProgress } from '../on-chain.js'
import { isWorthSharing } from './check-split-cost.js'
import { mayClaimAgain } from './claims.js'
import { destinationOf } from './destination.js'
import { addressDestination } from './place-address.js'

/** What a step of a split's settlement needs. */
export type SettleStepDeps = Omit<ChainAccess, 'solanaClient'> &
  Pick<ChainWatches, 'evmWatch'> &
  Pick<Runtime, 'clock'> & { gasPayer: Pick<GasPayer, 'account' | 'send' | 'sentFor' | 'newestFor'> }

/** So long a transaction of ours is left to the watch of its chain that no block has yet; then the chain is read, and it is sent again. */
const UNMINED_MS = 15_000
/** In so long a block is old enough. One that was mined long ago is not asked for any more. */
const CONFIRMING_MS = 600_000

/** So long after a claim a node that is behind may not show it yet: nobody is called for a receiver who has just been paid. */
const CLAIMED_MS = 120_000

/**
 * Takes the next step of a split's settlement, if the chain shows that one is needed.
 * @param due what the receivers get of what has come to the payment's own address, in base units; absent where a wallet pays
 * @throws AppError `broadcast_rejected` where a receiver cannot be paid and all others are, and what the chain and the gas payer throw
 */
export async function settleStep(deps: SettleStepDeps, payment: Payment, due?: bigint): Promise<SplitProgress> {
  const find = due === undefined ? destinationOf : addressDestination
  const destination = find(deps, payment, payment.chainName ?? '')
  const { split } = destination
  if (!split) return { kind: 'done', distributed: due ?? 0n }
  const { chain, forwarder, terms, asset } = split
  if (await isOnItsWay(deps, chain, payment)) return { kind: 'waiting' }
  const now = deps.clock.now()
  let claimedAt = 0
  const mayClaim = async (receiver: Address): Promise<boolean> => {
    const sent = await deps.gasPayer.sentFor(chain, purposeOf(payment, { kind: 'claim', receiver }))
    claimedAt = Math.max(claimedAt, ...sent.map(({ createdAt }) => createdAt.getTime()))
    return mayClaimAgain(sent, now)
  }
  const step = await nextSplitStep(deps.evmClient(chain), forwarder, terms, asset, {
    due: due ?? toBaseUnits(payment.amountTo ?? '0', asset.decimals),
    sender: deps.gasPayer.account as Address,
    confirmations: chain.confirmations,
    // Anybody may send a little at any time.
    isWorth: (amount) => isWorthSharing(destination, payment.toCurrencySymbol, amount),
    mayClaim,
  })
  if (step.kind === 'done' || step.kind === 'waiting') return step
  if (step.kind === 'owed') {
    if (now.getTime() - claimedAt < CLAIMED_MS) return { kind: 'waiting' }
    const details = `the others are paid; what ${step.receivers.join(', ')} cannot take can be claimed at ${step.at}`
    throw new AppError('broadcast_rejected', { details })
  }
  const { to, data, gas } = step
  const sent = await deps.gasPayer.send(chain, purposeOf(payment, step), { to, data, value: 0n, ...gas })
  return { kind: sent === 'sent' ? 'stepped' : 'waiting' }
}

/**
 * Whether the newest step waits for its block, or for the blocks that make it count: nothing is to be read until then. The watch of this
 * process tells, by one look for all that wait there.
 */
async function isOnItsWay(
  { clock, evmWatch, gasPayer }: SettleStepDeps,
  chain: EvmChain,
  payment: Payment,
): Promise<boolean> {
  const newestOf = (kind: 'distribute' | 'deploy') => gasPayer.newestFor(chain, purposeOf(payment, { kind }))
  const shared = await newestOf('distribute')
  const newest = shared ?? (await newestOf('deploy'))
  if (!newest) return false
  const ageMs = clock.now().getTime() - newest.createdAt.getTime()
  // A clock that was ahead must not make one young for hours.
  if (ageMs < 0 || ageMs > CONFIRMING_MS) return false
  const seen = await evmWatch(chain).look(newest.hash)
  if (seen === undefined) return ageMs < UNMINED_MS
  // What is deployed can be used in the next block.
  return seen === 'confirming' && newest === shared
}

type Sent = Pick<SplitStep, 'kind'> & { receiver?: Address }

/** Of one purpose the gas payer has one transaction on its way. */
function purposeOf({ id }: Payment, { kind, receiver }: Sent): string {
  return receiver === undefined ? `split:${id}:${kind}` : `split:${id}:${kind}:${receiver}`
}
