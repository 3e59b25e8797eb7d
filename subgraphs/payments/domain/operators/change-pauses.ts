import { validationError } from '../../../../kernel/errors.js'
import type { EnabledChains } from '../../model/chain-access.js'
import { settleChainJob } from '../../settlement/settlement-jobs.js'
import type { PauseScope, PayoutPause } from '../../store/payout-pauses.js'
import type { Stores } from '../../store/stores.js'
import { readReason } from './read-reason.js'

/** What pausing payouts needs. */
export type ChangePausesDeps = EnabledChains & Pick<Stores, 'pauses'>

/** What is paused after an act. */
export interface PausedPayouts {
  pauses: PayoutPause[]
}

/** Which payouts: of a chain, a tenant, a tenant's on a chain; all of them where nothing is named. */
export interface PauseInput {
  chainName?: string | null
  tenantId?: string | null
}

/** Pays nobody of these until it is resumed, as `npm run ledger -- pause`. Throws validation_error on `chainName`, `reason`. */
export async function pause(deps: ChangePausesDeps, input: PauseInput & { reason: string }): Promise<PausedPayouts> {
  const scope = scopeOf(deps, input)
  await deps.pauses.pause(scope, readReason(input.reason))
  return { pauses: await deps.pauses.list() }
}

/** Ends the pause of exactly these. Throws validation_error on `chainName`. */
export async function resume(deps: ChangePausesDeps, input: PauseInput): Promise<PausedPayouts> {
  await deps.pauses.resume(scopeOf(deps, input), (chainName) => settleChainJob(chainName))
  return { pauses: await deps.pauses.list() }
}

/** A name that nobody knows is a slip, and would pause nothing. */
function scopeOf({ settings }: ChangePausesDeps, { chainName, tenantId }: PauseInput): PauseScope {
  if (chainName != null && !settings.chains.some(({ name }) => name === chainName))
    throw validationError([{ field: 'chainName', message: 'must be a chain of the deployment' }])
  return { ...(chainName != null && { chainName }), ...(tenantId != null && { tenantId }) }
}
