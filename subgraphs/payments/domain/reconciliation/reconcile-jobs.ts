import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import type { JobRequest } from '../../../../kernel/jobs.js'
import type { EnabledChains } from '../../model/chain-access.js'
import type { Runtime } from '../../model/runtime.js'
import { chargeRailOf, type Rails } from '../../rails/find-rail.js'
import { isAnyAdded } from '../../settlement/audited-accounts.js'
import { bookOwnerTransfers } from '../../settlement/book-owner-transfers.js'
import { recoverDebts, type RecoverDebtDeps } from '../../settlement/recover-debt.js'
import { reconcileGasPayer, type ReconcileGasPayerDeps } from '../../settlement/reconcile-gas-payer.js'
import { reconcileChain, type ReconcileChainDeps } from '../../settlement/reconcile-chain.js'
import { signingOn } from '../../settlement/treasury-accounts.js'
import type { Stores } from '../../store/stores.js'
import { reconcileProvider, type ReconcileProviderDeps } from './reconcile-provider.js'
import { tellUncompared, type TellUncomparedDeps } from './tell-uncompared.js'

export const RECONCILE = 'reconcile'

/** While another worker compares the same chain. */
const BUSY_DELAY_MS = 10_000

/** While an account that was added could not be compared with the others. */
const ADDED_DELAY_MS = 600_000

/** What reconciling needs. */
export type ReconcileDeps = EnabledChains &
  Rails &
  ReconcileChainDeps &
  ReconcileGasPayerDeps &
  ReconcileProviderDeps &
  Pick<Stores, 'addJobNow' | 'pool'>

/** Whose books to compare: a chain's treasury, or a provider. */
export interface ReconcileJob {
  chainName?: string
  rail?: string
}

/** Compares the books with a chain or a provider; one such run is planned at a time. */
export function reconcileJob(job: ReconcileJob): JobRequest {
  return { name: RECONCILE, payload: job, key: `${RECONCILE}:${job.chainName ?? ''}:${job.rail ?? ''}`, maxAttempts: 8 }
}

/** The job that compares. Throws a ProviderError or AppError where the other side is away: the job comes again. */
export async function reconcile(deps: ReconcileDeps, { chainName, rail }: ReconcileJob): Promise<void> {
  if (chainName !== undefined) await reconcileByName(deps, chainName)
  const charges = rail === undefined ? undefined : chargeRailOf(deps, rail)
  if (charges) await reconcileProvider(deps, charges)
}

/** One at a time on each chain: what the second books, the first has not read. */
async function reconcileByName(deps: ReconcileDeps, chainName: string): Promise<void> {
  const chain = deps.settings.chains.find(({ name }) => name === chainName)
  const done = await withAdvisoryLock(deps.pool, `reconcile:${chainName}`, async () => {
    await bookOwnerTransfers(deps, chainName, chain)
    if (!chain) return
    await reconcileChain(deps, chain)
    // Where one account signs for both, the treasury's comparison is its own.
    const isApart = !signingOn(deps, chain).some(({ account }) => account === deps.gasPayerAudit.account)
    if (chain.family === 'evm' && isApart) await reconcileGasPayer(deps, chain)
  })
  const again = async (delayMs: number): Promise<void> => {
    const runAt = new Date(deps.clock.now().getTime() + delayMs)
    await deps.addJobNow({ ...reconcileJob({ chainName }), runAt })
  }
  if (!done) await again(BUSY_DELAY_MS)
  else if (chain && (await isAnyAdded(deps, chain))) await again(ADDED_DELAY_MS)
}

/** What the daily work needs. */
export type ReconcileAllDeps = TellUncomparedDeps &
  RecoverDebtDeps &
  Pick<Runtime, 'log'> &
  Pick<Stores, 'addJobNow' | 'payments'>

/** The daily work: everything is compared, what could not be since the last time is told, and debts are recovered. */
export async function reconcileAll(deps: ReconcileAllDeps): Promise<void> {
  for (const { name: chainName } of deps.settings.chains) await deps.addJobNow(reconcileJob({ chainName }))
  for (const rail of deps.rails) if (rail.kind === 'charge') await deps.addJobNow(reconcileJob({ rail: rail.name }))
  await tellUncompared(deps)
  await recoverAll(deps)
}

const DEBTS_ALERT = { kind: 'books_differ', subject: 'debts' } as const

/** An operator is told of debts that cannot be recovered; a try of the whole work again would compare everything once more. */
async function recoverAll(deps: ReconcileAllDeps): Promise<void> {
  try {
    await recoverDebts(deps)
  } catch (error) {
    deps.log.error({ err: error }, 'debts could not be recovered')
    const details = error instanceof Error ? error.message : String(error)
    await deps.alerts.raise({ ...DEBTS_ALERT, details })
    return
  }
  await deps.alerts.clear(DEBTS_ALERT.kind, DEBTS_ALERT.subject)
}
