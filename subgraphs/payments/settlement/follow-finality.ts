import type { Chain } from '../../../chains/chain.js'
import { withAdvisoryLock } from '../../../kernel/advisory-lock.js'
import { AppError } from '../../../kernel/errors.js'
import type { PaymentsDeps } from '../deps.js'
import { followRelays } from '../domain/follow-relays.js'
import { followFinalityJob, type FollowFinalityJob } from './follow-jobs.js'
import { followLanded } from './follow-landed.js'

/** Between two looks while something may change. Every minute it is begun anew, if it should be lost. */
const LOOK_AGAIN_MS = 5_000

/** Begins to look again on each chain that has something to look at; every minute. */
export async function startFollowing(deps: PaymentsDeps): Promise<void> {
  for (const chain of deps.settings.chains) {
    if (await hasOpen(deps, chain)) await deps.addJobNow(followFinalityJob(chain.name))
  }
}

/**
 * The job that goes on looking at what was called confirmed, until it is final: a chain may drop its newest blocks, and
 * with them payouts, payers' transactions and the sharing out of splits. What is missing is sent again, in the same bytes.
 */
export async function followFinality(deps: PaymentsDeps, { chainName }: FollowFinalityJob): Promise<void> {
  const chain = deps.settings.chains.find(({ name }) => name === chainName)
  if (!chain) return
  for (const follow of [followTreasury, followRelays, followOperator]) {
    await follow(deps, chain).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      deps.log.warn(
        { chain: chainName, errorCode: error.code, details: error.details },
        'a chain cannot be followed now',
      )
    })
  }
  if (!(await hasOpen(deps, chain))) return
  await deps.addJobNow(followFinalityJob(chainName, new Date(deps.clock.now().getTime() + LOOK_AGAIN_MS)))
}

async function hasOpen(deps: PaymentsDeps, chain: Chain): Promise<boolean> {
  const port = deps.payoutChains[chain.family]
  if (port && (await deps.landed.hasAny({ chainName: chain.name, account: port.account }))) return true
  return (await deps.relays.hasUnfinal(chain.name)) || (await deps.operator.hasUnfinal(chain.name))
}

async function followTreasury(deps: PaymentsDeps, chain: Chain): Promise<void> {
  const port = deps.payoutChains[chain.family]
  if (!port) return
  await withAdvisoryLock(deps.pool, `treasury:${chain.name}:${port.account}`, () => followLanded({ deps, chain, port }))
}

async function followOperator(deps: PaymentsDeps, chain: Chain): Promise<void> {
  if (chain.family === 'evm') await deps.operator.follow(chain)
}
