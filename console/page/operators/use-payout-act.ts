import {
  cancelPayoutMutation,
  releasePayoutsMutation,
  resolvePayoutMutation,
  retryPayoutMutation,
  type PayoutAction,
  type PayoutDecisionState,
} from '../generated/operations.js'
import type { Acted, Refused } from '../graph/use-graph.js'
import { useProvenAct } from '../session/use-proven-act.js'

/** A decision: what is decided, about which transaction (of a release: which payment), and why. */
export interface GivenDecision {
  action: PayoutAction
  subject: string
  reason: string
}

interface Decided {
  state?: PayoutDecisionState | undefined
  refused?: Refused | undefined
}

/** Decides about payouts, or proposes that where two people are needed: the state says which. */
export function usePayoutAct(): (given: GivenDecision) => Promise<Decided> {
  const retry = useProvenAct(retryPayoutMutation)
  const cancel = useProvenAct(cancelPayoutMutation)
  const resolve = useProvenAct(resolvePayoutMutation)
  const release = useProvenAct(releasePayoutsMutation)
  const acts = { RETRY: retry, CANCEL: cancel, RESOLVE: resolve, RELEASE: release }
  return async ({ action, ...variables }) => {
    const { data, refused }: Acted<object> = await acts[action](variables)
    if (!data) return { refused }
    const [payload] = Object.values(data) as ({ payoutDecision: { state: PayoutDecisionState } | null } | null)[]
    return { state: payload?.payoutDecision?.state }
  }
}
