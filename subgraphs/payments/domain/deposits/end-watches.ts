import type { EvmChain } from '../../../../chains/chain.js'
import { readCameBy } from '../../../../chains/evm/came-by.js'
import { readBlockTimes, type ReadUpTo } from '../../../../chains/evm/read-deposits.js'
import { AppError } from '../../../../kernel/errors.js'
import { fromBaseUnits, toBaseUnits } from '../../../../kernel/money.js'
import { withConcurrency } from '../../../../kernel/with-concurrency.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { PaymentAddress } from '../../model/payment-address.js'
import type { Runtime } from '../../model/runtime.js'
import { alertJob } from '../../settlement/alert-job.js'
import type { CameBy } from '../../store/ended-watches.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { fromWallet, isOnItsWay } from './from-wallet.js'

/** What ending watches needs. */
export type EndWatchesDeps = Pick<ChainAccess, 'evmClient'> &
  Pick<Runtime, 'clock' | 'log'> &
  Pick<Stores, 'addJob' | 'addresses' | 'payments'>

const DAY_MS = 24 * 3_600_000
/** So long after its watch it is asked what has come to an address: after a day first, then each time after twice as long. */
const ASKED_MS = 60 * DAY_MS
/** A node refuses to say, as it may not have the state of a block that is that old, or nobody can say yet whether it is what pays. */
const LATER_MS = 3_600_000
/** So long after the last time a node may refuse to say. */
const REFUSALS_MS = 7 * DAY_MS
const DUE_MAX = 200
const BESIDE = 10

/** What was read of a chain. */
interface Reading {
  upTo: ReadUpTo
  /** The addresses that were due before it was read: what a watched one has got since then is found. */
  due: readonly PaymentAddress[]
}

/** The addresses of which it is to be asked what came there; to be called before their chain is read. */
export function lookBacksDue({ addresses, clock }: EndWatchesDeps, chain: EvmChain): Promise<PaymentAddress[]> {
  return addresses.lookBacksDue(chain.name, clock.now(), DUE_MAX)
}

/**
 * Ends the watches whose last block was read. Then finds what came to addresses and was not read, as they were not watched: it pays nothing, and
 * an operator is told. What cannot be asked now is asked the next time.
 */
export async function endWatches(deps: EndWatchesDeps, chain: EvmChain, { upTo, due }: Reading): Promise<void> {
  const { addresses, clock, log } = deps
  const now = clock.now()
  try {
    const isAnyOver = await addresses.isAnyOver(chain.name, now)
    if (due.length === 0 && !isAnyOver) return
    const madeAt = (await readBlockTimes(deps.evmClient(chain), [upTo.block])).get(upTo.block)
    if (!madeAt) return
    // Where nothing was watched for a while the chain was read up to a block that says nothing of the time since.
    const asked = due.filter(
      ({ fromBlock, lookBackAt }) => fromBlock <= upTo.block && lookBackAt !== null && lookBackAt <= madeAt,
    )
    // First, as no end waits for a node that does not say what came.
    if (isAnyOver) {
      await addresses.endWatches(chain.name, { upTo, madeAt, lookBackAt: new Date(now.getTime() + DAY_MS) })
    }
    await layUnread(deps, chain, upTo, asked)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, details } = error
    log.warn(
      { chain: chain.name, errorCode: code, details },
      'what came to addresses that were not watched cannot be asked now',
    )
  }
}

async function layUnread(
  deps: EndWatchesDeps,
  chain: EvmChain,
  upTo: ReadUpTo,
  asked: readonly PaymentAddress[],
): Promise<void> {
  if (asked.length === 0) return
  const now = deps.clock.now()
  const amounts = await readCameBy(deps.evmClient(chain), asked, upTo)
  await withConcurrency([...asked.entries()], BESIDE, async ([place, address]) => {
    const came = amounts[place]
    if (came === undefined) return deps.addresses.putOffLookBack(address, refusedUntil(address, now))
    await lay(deps, address, { upTo, came, nextAt: nextAt(address, now) })
  })
}

/** Writes down what came to one unread, under its payment's lock, and tells an operator of what was not told yet: both or neither. */
async function lay(deps: EndWatchesDeps, address: PaymentAddress, cameBy: CameBy): Promise<void> {
  const seen = { isOnItsWay: false }
  await deps.payments.change(address.tenantId, address.paymentId, async (payment, em) => {
    // What a wallet pays with may lie there already.
    seen.isOnItsWay = isOnItsWay(payment)
    if (seen.isOnItsWay) return undefined
    const read = await deps.addresses.layUnread(em, address, cameBy)
    if (!read || read.laid === read.known) return undefined
    const loaded = await deps.addresses.load(em, address)
    const wallet = loaded && fromWallet(payment, loaded)
    // What was found at the address is read, and does not lie there unread.
    const unfound = wallet && wallet.hash === undefined ? wallet.amount : 0n
    const explained = toBaseUnits(read.held, address.decimals) + unfound
    const [before, total] = [read.known, read.laid].map((laid) => (laid > explained ? laid - explained : 0n))
    if (before === undefined || total === undefined || before === total) return undefined
    const details = detailsOf(payment, address, { before, total })
    await deps.addJob(em, alertJob({ kind: 'deposit_unexpected', subject: payment.id, details }))
    return undefined
  })
  if (seen.isOnItsWay) await deps.addresses.putOffLookBack(address, later(deps.clock.now()))
}

/** An alert keeps its last word alone: each says all that is there. */
function detailsOf(
  { toCurrencySymbol }: Payment,
  { address, chainName, decimals }: PaymentAddress,
  { before, total }: { before: bigint; total: bigint },
): string {
  const say = (amount: bigint): string => `${fromBaseUnits(amount, decimals)} ${toCurrencySymbol}`
  const where = `to ${address} on ${chainName} while it was not watched`
  if (total > before) {
    const more = before === 0n ? '' : ` in all (${fromBaseUnits(total - before, decimals)} since the last word)`
    return `${say(total)}${more} came ${where}, and pays nothing`
  }
  const found = `${say(before - total)} of what came ${where} was found after all, or is there no more`
  return total === 0n ? found : `${found}; ${say(total)} pays nothing`
}

/** One that is watched is read, and so nothing has to be asked for. */
function nextAt({ lastReadBlock, watchUntil }: PaymentAddress, now: Date): Date | null {
  const overMs = now.getTime() - watchUntil.getTime()
  if (lastReadBlock === null || overMs >= ASKED_MS) return null
  return new Date(now.getTime() + Math.max(overMs, DAY_MS))
}

/** Where no node can say it any more nobody is asked for ever. The last time that it is asked is before twice as long as it is asked again. */
function refusedUntil({ lastReadBlock, watchUntil }: PaymentAddress, now: Date): Date | null {
  const overMs = now.getTime() - watchUntil.getTime()
  const isGivenUp = lastReadBlock !== null && overMs >= 2 * ASKED_MS + REFUSALS_MS
  return isGivenUp ? null : later(now)
}

function later(now: Date): Date {
  return new Date(now.getTime() + LATER_MS)
}
