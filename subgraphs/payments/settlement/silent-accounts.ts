import type { Stores } from '../store/stores.js'
import type { Treasury } from './treasury.js'

/** Payouts wait so long for an account that can sign nothing now; a node or signer that is away for a moment is no news. */
const SILENT_MS = 30_000

/** An account that can sign nothing now is asked again after this at first, and after this at last. */
const SOON_MS = 5_000
const LATEST_MS = 60_000

/** After what time an operator is told: until then nodes come back by themselves. */
const TOLD_MS = 300_000

/** After what time a failure counts no more that none has followed: since then nothing may have been there to sign for. */
const OVER_MS = 120_000

/** Since when this process has seen that an account can sign nothing, and when it saw that last. */
interface Silence {
  sinceMs: number
  lastMs: number
}

/** By chain and account. */
const silences = new WeakMap<Stores['payouts'], Map<string, Silence>>()

const keyOf = ({ chain, port }: Treasury): string => `${chain.name} ${port.account}`

/**
 * Notes whether an account could sign: its chain and its signer have answered, and it is known what it has sent. Where nothing was there to
 * sign for it is as silent as before: what it could not pay is only put off.
 */
export function noteAble(treasury: Treasury, isAble: boolean | undefined): void {
  if (isAble === undefined) return
  const { payouts } = treasury.deps
  const ofAll = silences.get(payouts) ?? new Map<string, Silence>()
  const silence = silenceOf(treasury)
  const nowMs = nowOf(treasury)
  silences.set(payouts, ofAll)
  if (isAble) ofAll.delete(keyOf(treasury))
  else ofAll.set(keyOf(treasury), { sinceMs: silence?.sinceMs ?? nowMs, lastMs: nowMs })
}

/** Whether an account could not sign for so long that nobody waits for it. */
export function isSilent(treasury: Treasury): boolean {
  return silentMs(treasury) >= SILENT_MS
}

/** In how long an account is asked again that could not be, or could not sign: a tenth of how long that has lasted. */
export function askedAgainInMs(treasury: Treasury): number {
  return Math.min(Math.max(silentMs(treasury) / 10, SOON_MS), LATEST_MS)
}

/** Tells an operator of payouts that wait for long as an account cannot be asked, or cannot sign. @param why what was said last */
export async function tellSilent(treasury: Treasury, why: string): Promise<void> {
  const { deps, chain, port } = treasury
  const forMs = silentMs(treasury)
  if (forMs < TOLD_MS || !port.canSign || deps.arePayoutsPaused) return
  const waitingAt = await deps.payouts.nextWaitingAt(chain.name)
  if (waitingAt === undefined || waitingAt > deps.clock.now()) return
  const details = `payouts wait for ${port.account} since ${Math.floor(forMs / 1_000)} s: ${why}`
  await deps.alerts.raise({ kind: 'payout_stuck', subject: chain.name, details })
}

/** For how long an account could not sign, as far as this process knows; 0 where it could. */
function silentMs(treasury: Treasury): number {
  const silence = silenceOf(treasury)
  return silence === undefined ? 0 : nowOf(treasury) - silence.sinceMs
}

function silenceOf(treasury: Treasury): Silence | undefined {
  const silence = silences.get(treasury.deps.payouts)?.get(keyOf(treasury))
  return silence && nowOf(treasury) - silence.lastMs < OVER_MS ? silence : undefined
}

const nowOf = ({ deps }: Treasury): number => deps.clock.now().getTime()
