import { AppError } from '../../../kernel/errors.js'
import type { Stores } from '../store/stores.js'
import { readPast, type ReadPast } from './hold-foreign.js'
import type { Treasury } from './treasury.js'

/** Since when this process has seen that an account may have sent what is not known here, by chain and account. */
const unknownSince = new WeakMap<Stores['payouts'], Map<string, Date>>()

/** What the accounts of a chain have sent that the database did not know. */
export interface ReadPasts extends ReadPast {
  /** Of one account. Throws AppError where it could not be read. */
  assertRead: (treasury: Treasury) => 'known' | 'waiting'
  /**
   * After which moment a payment has to be registered for an account to pay it; undefined where it may pay all. After a restore the
   * transactions of an account of which not all is known may have paid any payment that was there before this process first saw that.
   * When the payout was written down says nothing: a restore has it written down once more.
   */
  paysAfter: (treasury: Treasury) => Date | undefined
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
    // What it signs before its own past is read pays nobody.
    paysAfter: ({ port, chain }) =>
      port.isPastRead(chain) ? newest(treasuries.filter((one) => one.port !== port).map(sinceOf)) : undefined,
  }
}

const keyOf = ({ chain, port }: Treasury): string => `${chain.name} ${port.account}`

const sinceOf = (treasury: Treasury): Date | undefined =>
  unknownSince.get(treasury.deps.payouts)?.get(keyOf(treasury))

function note(treasury: Treasury, isKnown: boolean): void {
  const { payouts, clock } = treasury.deps
  const since = unknownSince.get(payouts) ?? new Map<string, Date>()
  unknownSince.set(payouts, since)
  if (isKnown) since.delete(keyOf(treasury))
  else if (sinceOf(treasury) === undefined) since.set(keyOf(treasury), clock.now())
}

function newest(times: readonly (Date | undefined)[]): Date | undefined {
  const given = times.flatMap((time) => (time ? [time.getTime()] : []))
  return given.length === 0 ? undefined : new Date(Math.max(...given))
}
