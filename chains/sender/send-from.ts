import type { Hex } from 'viem'
import type { HeldLock } from '../../kernel/advisory-lock.js'
import { AppError } from '../../kernel/errors.js'
import { broadcast } from '../evm/broadcast.js'
import { isKnown } from '../evm/confirm.js'
import { readGasCap } from '../evm/fees.js'
import {
  cancelTransaction,
  isCancellation,
  isLastingRefusal,
  isUnderpriced,
  mayRaiseFees,
  raiseFees,
} from '../evm/replace.js'
import { readSettledCount } from '../evm/settled-count.js'
import { ask } from '../evm/rpc.js'
import { estimateCost, readNextNonce, signTransaction, type TransactionCost } from '../evm/signer.js'
import type { EvmCall, PaidCall } from '../evm/transfer-call.js'
import { findAffordableGas } from './affordable-gas.js'
import { noteWait } from './coin-waits.js'
import { closeMined, countUsed, isYoung, type AccountTransaction, type EvmAccount } from './evm-account.js'
import { sendAgain } from './evm-signed.js'
import { sendStored } from './send-stored.js'

/** A transaction that is in no block after this gets higher fees. */
const STUCK_MS = 60_000
/** So many that the chain has dropped are sent again at once. */
const DROPPED_MAX = 100
/** Of what was signed while a caller waited for its turn so many are looked at; a process has a few that wait. */
const SINCE_MAX = 100

/** What came of it: a transaction was sent; one is on its way already; or somebody else signs for the account, and nothing was done. */
export type SendOutcome = 'sent' | 'pending' | 'busy'

/**
 * Brings a call on its way: signs, writes down and sends a transaction for its purpose, or sees to it that nodes know the one that was
 * written down for it. What landed meanwhile is not sent: the caller has to look again, which is told as `sent`.
 * @throws AppError broadcast_simulation_failed where the call would revert, broadcast_rejected where no node takes it, as where
 *   the account holds too little, provider_*, confirm_rpc_unavailable
 */
export async function sendFrom(account: EvmAccount, purpose: string, call: PaidCall): Promise<SendOutcome> {
  // In this order: what is written down in between is found by one of the two.
  const nextNonce = await account.rows.nextNonce()
  const open = await account.rows.findOpen()
  const known = open.find((row) => row.purpose === purpose)
  if (known && (isYoung(account, known) || (await isOnItsWay(account, open, known)))) return 'pending'
  // Nodes are asked before it is this one's turn: all others wait while it is.
  const prepare = () => (known ? Promise.resolve(undefined) : estimate(account, call))
  const locked = await account.exclusively(prepare, (lock, estimated) =>
    sendInTurn(account, purpose, { estimated, nextNonce }, lock),
  )
  return locked?.result ?? 'busy'
}

/** What a caller knew before it was its turn. */
interface Known {
  /** Absent where a transaction was on its way for its purpose. */
  estimated: Estimated | AppError | undefined
  /** What was signed since has this nonce, or a higher one. */
  nextNonce: number
}

async function sendInTurn(
  account: EvmAccount,
  purpose: string,
  { estimated, nextNonce }: Known,
  lock: HeldLock,
): Promise<'sent' | 'pending'> {
  // All at once: everybody else waits.
  const [before, used, now] = await Promise.all([account.rows.findOpen(), countUsed(account), readNow(account)])
  const open = await closeMined(account, before, used)
  const written = open.find((row) => row.purpose === purpose)
  await lock.assertHeld()
  await sendDropped(account, used, open)
  // All others wait for the nonce of the first, which may be nobody's any more. Those in between are brought on by who asks for them.
  const [first] = open
  if (first && first !== written && !isYoung(account, first)) await advance(account, first, { used, open })
  const trouble = written && (await advance(account, written, { used, open }))
  if (trouble) throw trouble
  if (written) return 'pending'
  // What was on its way has been mined since the caller read the chain: it has to read again before it asks for more.
  if (estimated === undefined || before.some((row) => row.purpose === purpose)) return 'sent'
  const since = await account.rows.findFrom(nextNonce, SINCE_MAX)
  if (since.some((row) => row.purpose === purpose)) return 'sent'
  if (estimated instanceof AppError) throw estimated
  // The balance may be from before those were mined that are over now.
  await sendNew(account, purpose, estimated, { ...now, open: before })
  return 'sent'
}

function isStuck({ now }: Pick<EvmAccount, 'now'>, { createdAt }: AccountTransaction): boolean {
  return now().getTime() - createdAt.getTime() >= STUCK_MS
}

/** Whether there is nothing to do for a transaction, nor for the first, which all others wait for. */
async function isOnItsWay(
  account: EvmAccount,
  open: readonly AccountTransaction[],
  row: AccountTransaction,
): Promise<boolean> {
  const [first = row] = open
  if (isStuck(account, first) || first.nonce !== (await countUsed(account))) return false
  const isThere = await Promise.all([...new Set([first, row])].map(({ hash }) => isKnown(account.client, hash as Hex)))
  return !isThere.includes(false)
}

/**
 * Sends what the chain has dropped with its newest blocks, and everything behind it waits for. It is followed beside this too, but
 * under the same lock, which may never be free there while many ask for more.
 */
async function sendDropped(
  { client, rows }: EvmAccount,
  used: number,
  open: readonly AccountTransaction[],
): Promise<void> {
  const next = open[0]?.nonce ?? (await rows.nextNonce())
  if (next <= used) return
  // A node that is only behind counts too few, and takes or refuses what it gets without harm.
  const dropped = await rows.findFrom(used, Math.min(next - used, DROPPED_MAX))
  for (const { raw, state } of dropped) if (state === 'final') await sendAgain(client, raw as Hex)
}

interface Place {
  /** How many nonces the chain has used up. */
  used: number
  open: readonly AccountTransaction[]
}

/** Brings a transaction on. Its trouble is told, and is not that of others. Returns it. */
async function advance(account: EvmAccount, row: AccountTransaction, place: Place): Promise<AppError | undefined> {
  try {
    await bringOn(account, row, place)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await account.tellStuck(`${row.purpose}: ${error.details ?? error.code}`)
    return error
  }
}

/**
 * Sends a transaction again where it is not known any more; the one that is next on the chain gets higher fees where it waits for long in
 * a pool, or may be refused for its fees. They help nothing where no node says either: then it is only sent again.
 */
async function bringOn(account: EvmAccount, row: AccountTransaction, { used, open }: Place): Promise<void> {
  const { client, chain, signer, rows, now } = account
  const { purpose } = row
  const raw = row.raw as Hex
  const isThere = () => isKnown(client, row.hash as Hex)
  if (row.nonce !== used || !isStuck(account, row)) return void (await send(account, row, isThere))
  await account.tellStuck(`${purpose} is in no block`)
  const answer = await sendOnceMore(account, row, isThere)
  if (answer === 'sent' || answer === 'unknown') return
  const others = open.filter((other) => other !== row).map((other) => other.raw as Hex)
  if (!(await mayRaiseFees(client, chain, signer.address, raw, others))) {
    if (answer === 'waiting') return
    throw answer.underpriced
  }
  const dearer = await raiseFees(client, chain, signer, raw, others)
  await send(account, await rows.replace(row, { ...dearer, purpose, createdAt: now() }))
}

/**
 * @returns as `send`; a refusal for its fees too, as more of them may be offered
 * @throws AppError as `send`
 */
async function sendOnceMore(
  account: EvmAccount,
  row: AccountTransaction,
  isThere: () => Promise<boolean>,
): Promise<Sent | { underpriced: AppError }> {
  try {
    return await send(account, row, isThere)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // For what but its fees should one be refused that does nothing? Words that nobody knows are no reason to leave it.
    const doesNothing = error.code === 'broadcast_rejected' && isCancellation(row.raw as Hex, account.signer.address)
    if (isUnderpriced(error.details ?? '') || doesNothing) return { underpriced: error }
    throw error
  }
}

/** `waiting`: a node had it already, or has no room for it; `sent`: one has taken it; `unknown`: nobody can say. */
type Sent = 'waiting' | 'sent' | 'unknown'

/**
 * Sends a transaction that is written down. Where no node will ever take it, another takes its nonce that does nothing, or
 * everything behind it would wait for ever; its purpose may be tried again.
 * @throws AppError as `broadcast` does, also where the nonce was freed
 */
async function send(
  { client, signer, rows, now }: EvmAccount,
  row: AccountTransaction,
  isThere: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<Sent> {
  const raw = row.raw as Hex
  const seen = { before: false, mayBeCheap: false }
  const outcome = await sendStored({
    wasSent: false,
    isKnown: async () => (seen.before = await isThere()),
    send: async () => {
      const result = await broadcast(client, raw)
      if (result.kind === 'sent') seen.before = result.wasKnown === true
      else seen.mayBeCheap = result.mayBeCheap === true
      return result.kind
    },
    markRefused: async ({ code, details = '' }) => {
      const isLasting = code === 'broadcast_rejected' && isLastingRefusal(details)
      if (!isLasting || isCancellation(raw, signer.address)) return
      const nothing = await cancelTransaction(client, signer, raw)
      await rows.replace(row, { ...nothing, purpose: `free:${row.nonce}`, createdAt: now() })
      // What is said of it is not said of the one that it replaces: it is sent again, and brought on, as what is written down.
      await sendAgain(client, nothing.raw)
    },
  })
  return seen.before || seen.mayBeCheap ? 'waiting' : outcome
}

/** A call, what it takes by estimate, and the most gas that it may have. */
interface Estimated {
  call: EvmCall
  cost: TransactionCost
  most: bigint
}

/**
 * Gives a refusal back: it is nobody's where a transaction for the same purpose was mined meanwhile.
 * @throws AppError what nodes throw that do not answer, and provider_unavailable while gas is too dear
 */
async function estimate(
  { client, chain, signer, gasMax: accountMax }: EvmAccount,
  { gasMax: ownMax = accountMax, gasSpare = 0n, ...call }: PaidCall,
): Promise<Estimated | AppError> {
  try {
    const gasMax = least(await readGasCap(client), accountMax, ownMax)
    const cost = await estimateCost(client, signer.address, call, { gasMax, capped: chain })
    if (cost.gas <= gasMax) return { call, cost, most: least(cost.gas + gasSpare, gasMax) }
    return new AppError('broadcast_rejected', { details: `it needs ${cost.gas} gas, more than ${gasMax}` })
  } catch (error) {
    if (error instanceof AppError && error.code === 'broadcast_simulation_failed') return error
    throw error
  }
}

/** What the account holds, in wei, and how many transactions of it a node counts, with those that wait. */
interface Now {
  balance: bigint
  counted: number
}

async function readNow({ client, signer: { address } }: EvmAccount): Promise<Now> {
  const [balance, counted] = await Promise.all([
    ask('build', () => client.getBalance({ address })),
    readNextNonce(client, address),
  ])
  return { balance, counted }
}

async function sendNew(
  account: EvmAccount,
  purpose: string,
  { call, cost, most }: Estimated,
  { balance, counted, open }: Now & Pick<Place, 'open'>,
): Promise<void> {
  const { chain, signer, rows, now } = account
  const tellWait = (why: string) => noteWait(account, purpose, why)
  const gas = await findAffordableGas({ ...account, tellWait }, call, { cost, most }, { balance, open })
  account.waits.delete(purpose)
  const nonce = await findNonce(account, open, counted)
  const { hash, raw } = await signTransaction(signer, { ...call, ...cost, gas, chainId: chain.chainId, nonce })
  await send(account, await rows.add({ nonce, purpose, hash, raw, createdAt: now() }))
}

function least(...amounts: [bigint, ...bigint[]]): bigint {
  return amounts.reduce((low, amount) => (amount < low ? amount : low))
}

/**
 * The nonce behind all that were written down. A node that is behind, or a chain that has dropped some, counts fewer. What it counts
 * beyond them somebody else has sent, or was sent before a restore, and is gone by where it is proven and all of it is confirmed:
 * behind a nonce that nobody has, everything would wait for ever.
 * @throws AppError provider_unavailable where that has to be waited for
 */
async function findNonce(account: EvmAccount, open: readonly AccountTransaction[], counted: number): Promise<number> {
  const { client, chain, signer, rows } = account
  const after = open.reduce((highest, { nonce }) => Math.max(highest, nonce + 1), 0)
  const written = Math.max(after, await rows.nextNonce())
  if (counted <= written) return written
  const { count: settled } = await readSettledCount(client, chain, signer.address)
  if (settled === counted) return settled
  const details = `a node counts ${counted} transactions of ${signer.address}: ${written} are written down, ${settled} confirmed`
  await account.tellStuck(details)
  throw new AppError('provider_unavailable', { details })
}
