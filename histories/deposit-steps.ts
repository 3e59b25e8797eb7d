import { AppError } from '../kernel/errors.js'
import { acceptUnderpayment } from '../subgraphs/payments/domain/deposits/accept-underpayment.js'
import { applyDeposits } from '../subgraphs/payments/domain/deposits/apply-deposits.js'
import { giveBackUnderpayment } from '../subgraphs/payments/domain/deposits/give-back-underpayment.js'
import { settleSplit } from '../subgraphs/payments/domain/transfers/settle-split.js'
import type { BroadcastJob } from '../subgraphs/payments/domain/transfers/transfer-jobs.js'
import { CHAIN } from './chain.js'
import { runJobs } from './run-jobs.js'
import type { Step } from './step.js'
import type { HistoryDeps, World } from './world.js'

const SCOPES = ['open', 'all'] as const
/** Where those live to whom a tenant gives an underpayment back. */
const BACK = '0x4444444444444444444444444444444444444444'

/** What the product does about what comes to payments' addresses. */
export async function actOnDeposits(
  world: World,
  deps: HistoryDeps,
  ids: readonly string[],
  step: Extract<Step, { do: 'watch' | 'share' | 'accept' | 'give-back' }>,
): Promise<void> {
  switch (step.do) {
    case 'watch':
      return watch(world, deps)
    case 'share':
      return runJobs(world, 'settle-split', (job) => settleSplit(deps, job as BroadcastJob))
    case 'accept':
    case 'give-back': {
      const paymentId = ids[step.of % ids.length] ?? ''
      const decided =
        step.do === 'accept'
          ? acceptUnderpayment(deps, world.tenant, { id: paymentId })
          : giveBackUnderpayment(deps, world.tenant, { paymentId, wallet: BACK })
      await decided.catch((error: unknown) => {
        // Refused: it is not underpaid.
        if (!(error instanceof AppError)) throw error
      })
    }
  }
}

/** As `deposits/watch-addresses.ts`: what is in blocks is written down, then all that is news is counted. */
async function watch({ deposits, clock }: World, deps: HistoryDeps): Promise<void> {
  const upTo = (block: bigint) => ({ block, blockHash: '0x' as const })
  const dropped = deposits.unseen()
  if (dropped !== undefined) await deps.addresses.rewind(CHAIN.name, SCOPES, upTo(dropped))
  const shown = deposits.shown()
  const blocks = { scopes: [], from: undefined, upTo: upTo(shown.at(-1)?.blockNumber ?? 0n) }
  await deps.addresses.record(CHAIN.name, blocks, shown)
  deposits.markSeen()
  for (const of of await deps.addresses.due(CHAIN.name, clock.now(), { after: '', limit: 100 }))
    await applyDeposits(deps, { ...of, chainName: CHAIN.name })
}
