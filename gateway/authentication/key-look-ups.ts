import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.js'
import { AppError } from '../../kernel/errors.js'
import { tenantQueue } from '../../kernel/tenant-queue.js'
import { networkOf } from '../rate-limit/network-of.js'
import { tokenBuckets } from '../rate-limit/token-bucket.js'

/**
 * Look-ups of keys that turn out to be none, per address, before further ones wait for each other. A key that this process knows is
 * never looked up for it, so a client that guesses keys locks out no known caller behind the same proxy.
 */
const LOOK_UPS_PER_MINUTE = 600
const MAX_ADDRESSES = 10_000

/** Further look-ups: one at a time for each address, a few for all. As many wait as get their turn within two seconds or so. */
const LATE = { running: 1, waiting: 500, ofAll: { running: 8, waiting: 5_000 } }
/** Who would wait for longer than this may as well come again. */
const LATE_WAIT_MS = 5_000
/** After each the process has time for all else. */
const LATE_PAUSE_MS = 2

/** Looks a key up for an address. @returns null where it is none; the seconds until it may be asked again where nothing was looked up */
type KeyLookUp = <Found>(
  address: string,
  lookUp: () => Found | null | Promise<Found | null>,
) => Promise<{ found: Found | null } | { waitSeconds: number }>

/**
 * Look-ups of keys of which nothing is known. Beyond the budget of an address they run one after the other, so that a flood of them
 * takes little of the accounts subgraph, each unknown key is told that it is unknown, and a good one among them gets in.
 */
export function keyLookUps(clock: Clock): KeyLookUp {
  const budgets = tokenBuckets({ perMinute: LOOK_UPS_PER_MINUTE, maxKept: MAX_ADDRESSES, clock })
  const late = tenantQueue(LATE)
  return async (address, lookUp) => {
    const network = networkOf(address)
    const waitSeconds = budgets.take(network)
    if (waitSeconds === 0) {
      const found = await lookUp()
      if (found !== null) budgets.refund(network)
      return { found }
    }
    const turn = { hasCome: false }
    const lookUpLate = async () => {
      turn.hasCome = true
      try {
        return { found: await lookUp() }
      } finally {
        await delay(LATE_PAUSE_MS)
      }
    }
    try {
      return await late.run(network, lookUpLate, LATE_WAIT_MS)
    } catch (error) {
      if (turn.hasCome || !(error instanceof AppError)) throw error
      return { waitSeconds }
    }
  }
}
