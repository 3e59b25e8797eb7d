import type { Chain } from '../../../../chains/chain.js'
import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import { AppError } from '../../../../kernel/errors.js'
import type { EnabledChains } from '../../model/chain-access.js'
import type { GasPayer } from '../../rails/gas-payer.js'
import { followFinalityJob, type FollowFinalityJob } from '../../settlement/follow-jobs.js'
import { followLanded } from '../../settlement/follow-landed.js'
import type { PayoutChain } from '../../settlement/payout-chain.js'
import { accountsOn, type PayoutChains } from '../../settlement/treasury-accounts.js'
import type { TreasuryDeps } from '../../settlement/treasury.js'
import type { Stores } from '../../store/stores.js'
import { followBroadcasts, type FollowBroadcastsDeps } from './follow-broadcasts.js'

/** What following chains to finality needs. */
export type FollowFinalityDeps = EnabledChains &
  FollowBroadcastsDeps &
  PayoutChains &
  TreasuryDeps &
  Pick<Stores, 'addJobNow' | 'pool'> & {
    gasPayer: GasPayer
  }

/** Between two polls while something may change. Every minute it is begun anew, if it should be lost. */
const POLL_MS = 5_000

/** Begins to look again on each chain that has something to look at; every minute. */
export async function startFollowing(deps: FollowFinalityDeps): Promise<void> {
  for (const chain of deps.settings.chains) {
    if (await hasOpen(deps, chain)) await deps.addJobNow(followFinalityJob(chain.name))
  }
}

/**
 * The job that follows what was called confirmed, until it is final: a chain may drop its newest blocks, and
 * with them payouts, payers' transactions and the sharing out of splits. What is missing is sent again, in the same bytes.
 */
export async function followFinality(deps: FollowFinalityDeps, { chainName }: FollowFinalityJob): Promise<void> {
  const chain = deps.settings.chains.find(({ name }) => name === chainName)
  if (!chain) return
  const ports = await accountsOn(deps, chain)
  const treasury = ports.map((port) => () => followTreasury(deps, chain, port))
  const unforeseen: unknown[] = []
  // Payers' last: they are many.
  for (const follow of [...treasury, () => followGasPayer(deps, chain), () => followBroadcasts(deps, chain)]) {
    await follow().catch((error: unknown) => {
      if (!(error instanceof AppError)) {
        unforeseen.push(error)
        return
      }
      const { code: errorCode, details } = error
      deps.log.warn({ chain: chainName, errorCode, details }, 'a chain cannot be followed now')
    })
  }
  // What happens to one account keeps nothing else from being followed.
  if (unforeseen.length > 0) throw unforeseen[0] as Error
  if (!(await hasOpen(deps, chain))) return
  await deps.addJobNow(followFinalityJob(chainName, new Date(deps.clock.now().getTime() + POLL_MS)))
}

async function hasOpen(deps: FollowFinalityDeps, chain: Chain): Promise<boolean> {
  if (await deps.landed.hasAnyOn(chain.name)) return true
  return (await deps.broadcasts.hasUnfinal(chain.name)) || (await deps.gasPayer.hasUnfinal(chain.name))
}

async function followTreasury(deps: FollowFinalityDeps, chain: Chain, port: PayoutChain): Promise<void> {
  await withAdvisoryLock(deps.pool, `treasury:${chain.name}:${port.account}`, () => followLanded({ deps, chain, port }))
}

async function followGasPayer(deps: FollowFinalityDeps, chain: Chain): Promise<void> {
  if (chain.family === 'evm') await deps.gasPayer.follow(chain)
}
