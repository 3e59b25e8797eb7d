/** Since when a call waits for coin of its account that is on its way, and when it asked last, in milliseconds. */
interface CoinWait {
  sinceMs: number
  lastMs: number
}

/** The calls of an account that wait so, by purpose, as far as this process knows. */
export type CoinWaits = Map<string, CoinWait>

/** A call that waits so long is told of: others that take less may go before it again and again. */
const LONG_MS = 60_000
/** One that has not asked for so long does not wait any more. */
const OVER_MS = 120_000

/** What noting a wait needs of an account. */
interface Waiting {
  waits: CoinWaits
  now: () => Date
  tellStuck: (details: string) => Promise<void>
}

/** Notes that a call waits until others of its account are mined, and tells people where it does so for long. */
export async function noteWait({ waits, now, tellStuck }: Waiting, purpose: string, why: string): Promise<void> {
  const nowMs = now().getTime()
  for (const [other, { lastMs }] of waits) if (nowMs - lastMs >= OVER_MS) waits.delete(other)
  const { sinceMs } = waits.get(purpose) ?? { sinceMs: nowMs }
  waits.set(purpose, { sinceMs, lastMs: nowMs })
  const seconds = Math.floor((nowMs - sinceMs) / 1_000)
  if (nowMs - sinceMs >= LONG_MS) await tellStuck(`${purpose} waits for coin since ${seconds} s: ${why}`)
}
