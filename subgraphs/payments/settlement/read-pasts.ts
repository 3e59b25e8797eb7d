import { AppError } from '../../../kernel/errors.js'
import type { Payout } from '../store/payout.entity.js'
import type { Stores } from '../store/stores.js'
import { readPast, type ReadPast } from './hold-foreign.js'
import type { Treasury } from './treasury.js'

/** Clocks differ: only what is this much newer cannot have been sent before. */
const CLOCKS_MS = 60_000

/** Since when this process has seen that an account may have sent what is not known here, by chain and account. */
const unknownSince = new WeakMap<Stores['payouts'], Map<string, number>>()

/** What the accounts of a chain have sent that the database did not know. */
export interface ReadPasts extends ReadPast {
  /** Of one account. Throws AppError where it could not be read. */
  assertRead: (treasury: Treasury) => 'known' | 'waiting'
  /**
   * Those of payouts that no account can have paid of which not all is known: after a restore the transactions of each may have paid any
   * payout that was there before this process first saw that. A newer one none of them can be about.
   */
  unpaidOf: (treasury: Treasury, payouts: readonly Payout[]) => readonly Payout[]
}

/**
 * Reads what all accounts of a chain have sent, before any of them signs. One that cannot be read keeps its own payouts waiting, and
 * those that it may have paid.
 */
export async function readPasts(treasuries: readonly Treasury[]): Promise<ReadPasts> {
  const failures = new Map<string, AppError>()
  const pasts = new Map<string, ReadPast>()
  for (const treasury of treasuries) {
    const past = await readPast(treasury).catch((error: unknown) => {
      if (error instanceof AppError) return error
      throw error
    })
    const { account } = treasury.port
    if (past instanceof AppError) failures.set(account, past)
    else if (past !== 'waiting') pasts.set(account, past)
    note(treasury, pasts.has(account) && treasury.port.isPastRead(treasury.chain))
  }
  return {
    coinsUntil: newest([...pasts.values()].map(({ coinsUntil }) => coinsUntil)),
    assertRead: ({ port }) => {
      const failure = failures.get(port.account)
      if (failure) throw failure
      return pasts.has(port.account) ? 'known' : 'waiting'
    },
    unpaidOf: ({ port, chain }, payouts) => {
      // What it signs before its own past is read pays nobody.
      if (!port.isPastRead(chain)) return payouts
      const others = treasuries.filter((one) => one.port !== port).map(sinceOf)
      return payouts.filter(({ createdAt }) =>
        others.every((since) => since === undefined || createdAt.getTime() > since + CLOCKS_MS),
      )
    },
  }
}

const keyOf = ({ chain, port }: Treasury): string => `${chain.name} ${port.account}`

const sinceOf = (treasury: Treasury): number | undefined =>
  unknownSince.get(treasury.deps.payouts)?.get(keyOf(treasury))

function note(treasury: Treasury, isKnown: boolean): void {
  const { payouts, clock } = treasury.deps
  const since = unknownSince.get(payouts) ?? new Map<string, number>()
  unknownSince.set(payouts, since)
  if (isKnown) since.delete(keyOf(treasury))
  else if (sinceOf(treasury) === undefined) since.set(keyOf(treasury), clock.now().getTime())
}

function newest(times: readonly (Date | undefined)[]): Date | undefined {
  const given = times.flatMap((time) => (time ? [time.getTime()] : []))
  return given.length === 0 ? undefined : new Date(Math.max(...given))
}
