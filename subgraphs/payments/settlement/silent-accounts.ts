import type { Stores } from '../store/stores.js'
import type { Treasury } from './treasury.js'

/** Payouts wait so long for an account that can sign nothing now; a node or signer that is away for a moment is no news. */
const SILENT_MS = 30_000

/** Since when this process has seen that an account can sign nothing, by chain and account. */
const silentSince = new WeakMap<Stores['payouts'], Map<string, number>>()

const keyOf = ({ chain, port }: Treasury): string => `${chain.name} ${port.account}`

/**
 * Notes whether an account could sign: its chain and its signer have answered, and it is known what it has sent. Where nothing was there to
 * sign for it is as silent as before: what it could not pay is only put off.
 */
export function noteAble(treasury: Treasury, isAble: boolean | undefined): void {
  if (isAble === undefined) return
  const { payouts, clock } = treasury.deps
  const since = silentSince.get(payouts) ?? new Map<string, number>()
  silentSince.set(payouts, since)
  if (isAble) since.delete(keyOf(treasury))
  else if (!since.has(keyOf(treasury))) since.set(keyOf(treasury), clock.now().getTime())
}

/** Whether an account could not sign for so long that nobody waits for it. */
export function isSilent(treasury: Treasury): boolean {
  const { payouts, clock } = treasury.deps
  const since = silentSince.get(payouts)?.get(keyOf(treasury))
  return since !== undefined && clock.now().getTime() - since >= SILENT_MS
}
