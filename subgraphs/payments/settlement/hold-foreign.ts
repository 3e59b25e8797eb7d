import { AppError } from '../../../kernel/errors.js'
import type { Payout } from '../store/payout.entity.js'
import type { FoundTransfer, PayoutPlace, ReferenceOf, StoredForeignTransfer } from '../store/foreign-holds.js'
import { alertJob } from './alert-job.js'
import { referenceOn } from './payment-references.js'
import type { ForeignTransfer, KnownTransactions, PayoutChain } from './payout-chain.js'
import type { Treasury } from './treasury.js'

/** So long payouts may wait for what the account has sent to be read, before an operator is told. */
export const UNREAD_MS = 60_000

/** How the details of an alert begin that is over once all is read. */
export const UNREAD = 'payouts wait until '

/** What an account has sent that the database did not know, as far as it is told apart by when. */
export interface ReadPast {
  /** Payouts in coins of payments that were registered before this may have been made. */
  coinsUntil: Date | undefined
  /** Whether payouts have waited for this. */
  wasUnread: boolean
}

/**
 * Reads what an account has sent though the database does not know it: that was restored from a backup, and the chain has what was
 * sent since. It is read before anything is signed.
 * @returns `waiting` while something that nobody knows is not confirmed yet, or not all is read
 * @throws AppError confirm_rpc_unavailable, provider_unavailable, provider_timeout
 */
export async function readPast(treasury: Treasury): Promise<ReadPast | 'waiting'> {
  const { deps, chain, port } = treasury
  const of = { chainName: chain.name, account: port.account }
  const known = await deps.foreign.known(of)
  const ours = (hashes: readonly string[]) => deps.foreign.ours(chain.name, hashes)
  const keep = (transfers: readonly ForeignTransfer[], block: number) =>
    deps.foreign.record(of, { ...known, block }, transfers.map(stored))
  const found = await readForeign(treasury, { ...known, since: () => deps.foreign.oldest(), ours, keep })
  if (found === 'waiting') {
    const details = `transactions of ${port.account} that nobody here has written down are not confirmed yet`
    await deps.alerts.raise({ kind: 'payout_stuck', subject: chain.name, details })
    return 'waiting'
  }
  if (found === 'unread') return 'waiting'
  let { coinsUntil } = known
  if (found !== 'none') {
    const { transfers, mayHaveSentCoins, nonce, block, signature, progress } = found
    const isAll = progress?.isAll ?? true
    if (mayHaveSentCoins) coinsUntil = deps.clock.now()
    const cursor = { nonce, block, signature, coinsUntil, look: progress?.look }
    await deps.foreign.record(of, cursor, transfers.map(stored), isAll)
    progress?.wasRecorded()
    const count = transfers.length
    if (count > 0) deps.log.warn({ chain: chain.name, count }, 'the treasury has sent what is not in the database')
    if (!isAll) return 'waiting'
  }
  return { coinsUntil, wasUnread: found !== 'none' && known.unreadSince !== undefined }
}

/** Reads what the account has sent; an operator is told where payouts wait for that, and it cannot be read for long. */
async function readForeign(treasury: Treasury, known: KnownTransactions): ReturnType<PayoutChain['readForeign']> {
  try {
    const found = await treasury.port.readForeign(treasury.chain, known)
    const isUnread = found === 'unread' || (typeof found === 'object' && found.progress?.isAll === false)
    if (isUnread) await tellUnread(treasury, 'more of them are still to be read')
    return found
  } catch (error) {
    // On EVM chains nothing is read but a nonce, unless that is unknown: it fails where all else does.
    if (error instanceof AppError && treasury.chain.family === 'solana')
      await tellUnread(treasury, error.details ?? error.message)
    throw error
  }
}

async function tellUnread({ deps, chain, port: { account } }: Treasury, reason: string): Promise<void> {
  const since = await deps.foreign.noteUnread({ chainName: chain.name, account })
  if (deps.clock.now().getTime() - since.getTime() < UNREAD_MS) return
  const details = `${UNREAD}the transactions that name ${account} are read: ${reason}`
  await deps.alerts.raise({ kind: 'payout_stuck', subject: chain.name, details })
}

function stored({ other: receiver, currency: symbol, ...transfer }: ForeignTransfer): StoredForeignTransfer {
  return { ...transfer, receiver, symbol }
}

/**
 * Holds payouts that an account of the treasury may have made, and an operator decides: a transfer that carries the reference of a payout's
 * payment holds it before any other can; else one of its token and amount to its receiver does, after its payment was registered, or one
 * of what the payout was before refunds.
 * @returns the others
 * @throws AppError as `readPast`
 */
export async function holdForeign(
  treasury: Treasury,
  payouts: readonly Payout[],
  { coinsUntil }: Pick<ReadPast, 'coinsUntil'>,
): Promise<readonly Payout[]> {
  const { deps, chain } = treasury
  const how = { areMerged: isMerging(treasury), referenceOf: referencesOf(treasury) }
  const matches = await deps.foreign.matches(chain.name, payouts, how)
  const held = new Set<Payout>()
  // Those who are named by a transfer, and those of a transfer's own amount, take it before others of the same receiver can.
  const rankOf = ([place, { amount }]: readonly [number, Payout]): number => {
    const transfer = matches.get(place)
    return (transfer?.isNamed ? 2 : 0) + (transfer?.leftAmount === amount ? 1 : 0)
  }
  const inOrder = [...payouts.entries()].sort((one, other) => rankOf(other) - rankOf(one))
  for (const [place, payout] of inOrder) {
    // One that is held has taken its transfer: the next has to have another.
    const isMatched = matches.has(place)
    const transfer = isMatched ? (await deps.foreign.matches(chain.name, [payout], how)).get(0) : undefined
    const isHeld = transfer
      ? await hold(treasury, payout, transfer)
      : payout.symbol === chain.nativeCoin.symbol && (await holdCoins(treasury, payout, coinsUntil))
    if (isHeld) held.add(payout)
  }
  return payouts.filter((payout) => !held.has(payout))
}

/** On Solana what one receiver gets of several payouts is one transfer. */
function isMerging({ chain }: Treasury): boolean {
  return chain.family === 'solana'
}

function referencesOf({ chain }: Treasury): ReferenceOf {
  return (paymentId) => referenceOn(chain, paymentId)
}

async function hold(treasury: Treasury, payout: Payout, transfer: FoundTransfer): Promise<boolean> {
  const { deps, chain, port } = treasury
  const { hash, amount, leftAmount, isNamed } = transfer
  const raw = (await port.readRaw(chain, hash)) ?? '0x'
  const unnamed = isMerging(treasury) ? payout.amount : leftAmount
  const how = { raw, paid: isNamed ? amount : unnamed, referenceOf: referencesOf(treasury) }
  // Where it was cancelled meanwhile it is not paid either.
  await deps.foreign.hold(chain.name, payout, transfer, how, async (em, id, left) => {
    const tell = (subject: string, details: string): Promise<void> =>
      deps.addJob(em, alertJob({ kind: 'payout_held', subject, details }))
    await tell(payout.paymentId, detailsOf(treasury, payout, { transfer, id }))
    for (const one of left) await tell(one.paymentId, leftDetails(one, payout, hash))
  })
  return true
}

function detailsOf(
  treasury: Treasury,
  { paymentId, splitIndex }: Payout,
  { transfer, id }: { transfer: FoundTransfer; id: string },
): string {
  const { hash, amount, symbol } = transfer
  return `${hash} has sent ${amount} ${symbol} to receiver ${splitIndex} and is not in the database, as after a restore; it ${saysOf(treasury, transfer)}: resolve ${id} counts it as paid, release ${paymentId} pays it again`
}

/** What a transaction says of the payout that it holds. What several payouts on Solana go by together names no payment. */
function saysOf(treasury: Treasury, { isNamed, references }: FoundTransfer): string {
  if (isNamed) return "carries the payment's reference"
  const isOfOthers = references.length > 0 && !isMerging(treasury)
  return isOfOthers
    ? "only pays the same, and carries another payment's reference"
    : 'only pays the same, and carries no reference'
}

/** What an operator is told of a payout that was held by a transaction that is another payment's. */
function leftDetails({ paymentId, splitIndex }: PayoutPlace, { paymentId: named }: Payout, hash: string): string {
  return `${hash} has held receiver ${splitIndex} by what it pays, and carries the reference of ${named} in place of this payment's: release ${paymentId} pays`
}

/**
 * Of coins no log tells who got them. One that was held since the coins left was released by an operator. Its attempts say nothing of
 * that: a reserve or a refund that was taken off it is counted among them.
 */
async function holdCoins({ deps, chain }: Treasury, payout: Payout, coinsUntil: Date | undefined): Promise<boolean> {
  if (!coinsUntil || (payout.coinsHeldAt && payout.coinsHeldAt >= coinsUntil)) return false
  const payment = await deps.payments.find(payout.tenantId, payout.paymentId)
  if (!payment || payment.createdAt > coinsUntil) return false
  const details = `the treasury has sent coins on ${chain.name} that are not in the database, as after a restore: look whether receiver ${payout.splitIndex} was paid: resolve ${payout.paymentId} --hash counts it as paid by a transaction, release ${payout.paymentId} pays`
  await deps.foreign.holdCoins(payout, (em) =>
    deps.addJob(em, alertJob({ kind: 'payout_held', subject: payout.paymentId, details })),
  )
  return true
}
