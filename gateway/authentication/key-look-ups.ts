import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.js'
import { AppError } from '../../kernel/errors.js'
import { tenantQueue } from '../../kernel/tenant-queue.js'
import { networkOf } from '../rate-limit/network-of.js'
import { tokenBuckets, type TokenBuckets } from '../rate-limit/token-bucket.js'

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
/** One that runs for longer hangs: who waits for it has guessed no key, and is told what those are told that are looked up. */
const HANGS_AFTER_MS = 1_000

/**
 * Looks a key up for an address.
 * @returns null where it is none; the seconds until it may be asked again where nothing was looked up
 * @throws provider_timeout where nothing was looked up because a look-up before it hangs; and whatever the look-up throws
 */
type KeyLookUp = <Found>(
  address: string,
  lookUp: () => Found | null | Promise<Found | null>,
) => Promise<{ found: Found | null } | { waitSeconds: number }>

/**
 * Look-ups of keys of which nothing is known. Beyond the budget of an address they run one after the other, so that a flood of them
 * takes little of the accounts subgraph, each unknown key is told that it is unknown, and a good one among them gets in. A look-up
 * that fails costs nothing: it says of no key that it is none.
 */
export function keyLookUps(clock: Clock): KeyLookUp {
  const budgets = tokenBuckets({ perMinute: LOOK_UPS_PER_MINUTE, maxKept: MAX_ADDRESSES, clock })
  const late = tenantQueue(LATE)
  /** Since when the late look-up of a network runs, by `steadyMs`. */
  const lateSince = new Map<string, number>()

  const hangs = (network: string): boolean => {
    const since = lateSince.get(network)
    return since !== undefined && clock.steadyMs() - since >= HANGS_AFTER_MS
  }

  return async (address, lookUp) => {
    const network = networkOf(address)
    const waitSeconds = budgets.take(network)
    if (waitSeconds === 0) return lookUpWithin(budgets, network, lookUp)
    const turn = { hasCome: false }
    const lookUpLate = async () => {
      turn.hasCome = true
      lateSince.set(network, clock.steadyMs())
      try {
        return { found: await lookUp() }
      } finally {
        lateSince.delete(network)
        await delay(LATE_PAUSE_MS)
      }
    }
    try {
      return await late.run(network, lookUpLate, LATE_WAIT_MS)
    } catch (error) {
      if (turn.hasCome || !(error instanceof AppError)) throw error
      if (hangs(network)) throw new AppError('provider_timeout')
      return { waitSeconds }
    }
  }
}

/** A look-up for which a token was taken; only a key that is none keeps it. */
async function lookUpWithin<Found>(
  budgets: TokenBuckets,
  network: string,
  lookUp: () => Found | null | Promise<Found | null>,
): Promise<{ found: Found | null }> {
  let isNone = false
  try {
    const found = await lookUp()
    isNone = found === null
    return { found }
  } finally {
    if (!isNone) budgets.refund(network)
  }
}
