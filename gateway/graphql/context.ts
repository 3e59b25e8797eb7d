import type { RequestContext } from '../../kernel/subgraph.js'
import type { Caller } from '../../kernel/tenant.js'
import type { Charged, Measured } from './answer-cost.js'
import type { RequestOutcome } from '../request.js'

/** What one GraphQL request carries through Apollo Server. */
export interface GraphqlContext {
  request: { caller: Caller; keyHash: string; requestId: string; idempotencyKeys: readonly string[] }
  /** What was counted for it. */
  charged: Charged
  /** Whether what its operation is worth is among that already. */
  isOperationCounted: boolean
  /** There once the operation is known, also where it is refused then. */
  measured?: Measured
  /** Notes the answer's word for the log; see `tellOutcome`. */
  tell: (code: string) => void
  /** What the subgraphs get; there once the operation is known and has passed its checks. */
  run?: { context: RequestContext; outcome: RequestOutcome; weight: number }
}
