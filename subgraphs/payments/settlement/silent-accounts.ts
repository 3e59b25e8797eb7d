import type { Stores } from '../store/stores.js'
import type { Treasury } from './treasury.js'

/** Payouts wait so long for an account that can sign nothing now; a node or signer that is away for a moment is no news. */
const SILENT_MS = 30_000

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
  const silence = silenceOf(treasury)
  return silence !== undefined && nowOf(treasury) - silence.sinceMs >= SILENT_MS
}

function silenceOf(treasury: Treasury): Silence | undefined {
  const silence = silences.get(treasury.deps.payouts)?.get(keyOf(treasury))
  return silence && nowOf(treasury) - silence.lastMs < OVER_MS ? silence : undefined
}

const nowOf = ({ deps }: Treasury): number => deps.clock.now().getTime()
