import type { Stores } from '../store/stores.js'
import { readPast, UNREAD, UNREAD_MS, type ReadPast } from './hold-foreign.js'
import type { Treasury } from './treasury.js'

/** Since when this process has seen that an account may have sent what is not known here, by chain and account. */
const unknownSince = new WeakMap<Stores['payouts'], Map<string, Date>>()

/** The chains of which an operator was told that payouts wait for that. */
const toldFor = new WeakMap<Stores['payouts'], Set<string>>()

/** What the accounts of a chain have sent that the database did not know. */
export interface ReadPasts extends Pick<ReadPast, 'coinsUntil'> {
  /** Of one account. Throws why it could not be read. */
  assertRead: (treasury: Treasury) => 'known' | 'waiting'
  /**
   * After which moment a payment has to be registered for an account to pay it; undefined where it may pay all. After a restore the
   * transactions of an account of which not all is known may have paid any payment that was there before this process first saw that.
   * When the payout was written down says nothing: a restore has it written down once more.
   */
  paysAfter: (treasury: Treasury) => Date | undefined
  /** Tells an operator, after a while, that payouts wait which an account may not pay for that. */
  tellKept: (treasury: Treasury) => Promise<void>
}

/**
 * Reads what all accounts of a chain have sent, before any of them signs. One that cannot be read keeps its own payouts waiting, and
 * those that it may have paid.
 */
export async function readPasts(treasuries: readonly Treasury[]): Promise<ReadPasts> {
  const failures = new Map<string, { error: unknown }>()
  const pasts = new Map<string, ReadPast>()
  for (const treasury of treasuries) {
    const { account } = treasury.port
    try {
      const past = await readPast(treasury)
      if (past !== 'waiting') pasts.set(account, past)
    } catch (error) {
      failures.set(account, { error })
    }
    note(treasury, pasts.has(account) && treasury.port.isPastRead(treasury.chain))
  }
  await clearUnread(treasuries, pasts)
  return {
    coinsUntil: newest([...pasts.values()].map(({ coinsUntil }) => coinsUntil)),
    assertRead: ({ port }) => {
      const failure = failures.get(port.account)
      if (failure) throw failure.error as Error
      return pasts.has(port.account) ? 'known' : 'waiting'
    },
    // What it signs before its own past is read pays nobody.
    paysAfter: ({ port, chain }) =>
      port.isPastRead(chain) ? newest(treasuries.filter((one) => one.port !== port).map(sinceOf)) : undefined,
    // What is not confirmed yet is told where it is read.
    tellKept: ({ port }) =>
      tellUnknown(
        treasuries.filter(
          (one) => one.port !== port && (pasts.has(one.port.account) || failures.has(one.port.account)),
        ),
      ),
  }
}

/** An alert may have been about any account of the chain: it is over once there is none to wait for. */
async function clearUnread(treasuries: readonly Treasury[], pasts: ReadonlyMap<string, ReadPast>): Promise<void> {
  const [first] = treasuries
  if (!first || pasts.size < treasuries.length || treasuries.some((one) => sinceOf(one) !== undefined)) return
  const wasTold = toldFor.get(first.deps.payouts)?.delete(first.chain.name) === true
  if (!wasTold && ![...pasts.values()].some(({ wasUnread }) => wasUnread)) return
  await first.deps.alerts.clear('payout_stuck', first.chain.name, UNREAD)
}

async function tellUnknown(treasuries: readonly Treasury[]): Promise<void> {
  for (const treasury of treasuries) {
    const { deps, chain, port } = treasury
    const since = sinceOf(treasury)
    if (!since || deps.clock.now().getTime() - since.getTime() < UNREAD_MS) continue
    const chains = toldFor.get(deps.payouts) ?? new Set<string>()
    toldFor.set(deps.payouts, chains.add(chain.name))
    const details = `${UNREAD}it is known what ${port.account} has sent`
    await deps.alerts.raise({ kind: 'payout_stuck', subject: chain.name, details })
  }
}

const keyOf = ({ chain, port }: Treasury): string => `${chain.name} ${port.account}`

const sinceOf = (treasury: Treasury): Date | undefined => unknownSince.get(treasury.deps.payouts)?.get(keyOf(treasury))

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
