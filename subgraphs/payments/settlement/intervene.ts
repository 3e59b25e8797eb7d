import { AppError } from '../../../kernel/errors.js'
import type { Intervention, InterventionResult } from '../store/interventions.js'
import type { SignedBatch } from '../store/batches.js'
import type { Stores } from '../store/stores.js'
import { cancelTransaction } from './cancel-transaction.js'
import { isAboutCoins, resolveCoins } from './resolve-coins.js'
import { resolveTransaction } from './resolve-transaction.js'
import { retryTransaction } from './retry-transaction.js'
import type { ChainTreasuries, Treasury } from './treasury.js'

/** Decisions that are carried out in one run. */
const AT_ONCE = 20

/** What this process could not carry out yet, the least recently tried first: as many of them keep no other from its turn. */
const triedBy = new WeakMap<Stores['interventions'], Set<string>>()

const ACTIONS: Readonly<
  Record<Intervention['action'], (treasury: Treasury, versions: readonly SignedBatch[]) => Promise<InterventionResult>>
> = { cancel: cancelTransaction, retry: retryTransaction, resolve: resolveTransaction }

/**
 * Carries out what operators have decided about a chain's transactions, under its accounts' locks. Each action may be begun
 * again after a crash at any of its steps: the decision is ended last.
 * @returns whether some are left, because the chain was away
 */
export async function intervene({ deps, chain, treasuries }: ChainTreasuries): Promise<boolean> {
  let isAnyLeft = false
  const tried = triedBy.get(deps.interventions) ?? new Set<string>()
  triedBy.set(deps.interventions, tried)
  for (const { id, batchId, action } of await deps.interventions.findOrdered(chain.name, [...tried], AT_ONCE)) {
    tried.delete(id)
    try {
      const result = await perform({ deps, chain, treasuries }, batchId, action)
      await deps.interventions.end(id, result)
      deps.log.info({ chain: chain.name, transaction: batchId, action, ...result }, 'an operator has intervened')
    } catch (error) {
      isAnyLeft = true
      tried.add(id)
      // It is begun again, whatever it was; that one decision cannot be carried out keeps no payout waiting.
      const of = { chain: chain.name, transaction: batchId }
      if (error instanceof AppError) deps.log.warn({ ...of, errorCode: error.code }, 'an intervention waits')
      else deps.log.error({ ...of, err: error }, 'an intervention has failed and waits')
    }
  }
  return isAnyLeft
}

async function perform(
  { deps, chain, treasuries }: ChainTreasuries,
  batchId: string,
  action: Intervention['action'],
): Promise<InterventionResult> {
  if (isAboutCoins(batchId)) return resolveCoins({ deps, chain, treasuries }, batchId)
  const versions = await deps.landed.findVersions({ batchId })
  const [first] = versions
  if (!first) return refused('there is no such transaction')
  const { account } = first.transaction
  const treasury = treasuries.find(({ port }) => port.account === account)
  // It was ordered since the run began, which has not its account's lock.
  if (!treasury) throw new AppError('confirm_rpc_unavailable', { details: `${account} is not looked after yet` })
  return ACTIONS[action](treasury, versions)
}

function refused(result: string): InterventionResult {
  return { state: 'refused', result }
}
