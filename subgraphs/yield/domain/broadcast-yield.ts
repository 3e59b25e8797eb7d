import { hasAbsurdFee, isAddedByWallets } from '../../../chains/solana/verify-signed.js'
import { parseWire } from '../../../chains/solana/wire.js'
import { AppError, validationError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { YieldDeps } from '../deps.js'
import { checkChain } from './check-move.js'
import { assertPairLives, inOrder } from './broadcast-pair.js'
import { decodeSigned, type SignedTransaction } from './decode-signed.js'
import { describeTransaction } from './describe-transaction.js'
import { knownMarkets } from './open-markets.js'
import { broadcastSigned, findSentBefore, findUnderWay, type BroadcastSignedDeps } from './broadcast-signed.js'
import { inTime, inTurn, patienceOf, type Patience } from './broadcast-turn.js'

export interface BroadcastInput {
  chainName: string
  /** One signed transaction in base64, or the two of a rebalance in their order. */
  opSigned?: readonly string[] | null
}

/** What a broadcast led to. */
export interface Broadcast {
  /** The signature of the last one. */
  transactionHash: string
  /** All signatures in their order, where two were sent. */
  transactionHashes: string[] | null
}

const MAX_TRANSACTIONS = 2
const MARKET_UNREAD = 'nothing was sent: the chain has not told of all markets yet, which shows what was built here'
const TABLE_UNREAD = 'nothing was sent: the chain has not told of the look-up table, which shows what was built here'

type BroadcastYieldDeps = BroadcastSignedDeps &
  Pick<YieldDeps, 'broadcastQueue' | 'inFlight' | 'isStopping' | 'once' | 'openMarkets' | 'settings'>

/**
 * Broadcasts signed transactions of this service's operations, one after the other: the second only once the first is final.
 * The same bytes again, also at once and in other processes, get the same answer and are executed once. Two have one turn:
 * the second does not stand behind others once the first has moved the money.
 * @throws AppError validation_error, signed_transaction_missing, solana_blockhash_expired, broadcast_*, confirm_*
 */
export async function broadcastYield(
  deps: BroadcastYieldDeps,
  tenant: Tenant,
  input: BroadcastInput,
): Promise<Broadcast> {
  const failures = checkChain(deps, input.chainName)
  if (failures.length > 0) throw validationError(failures)
  const sent = input.opSigned ?? []
  if (sent.length === 0 || sent.some((text) => text === '')) throw new AppError('signed_transaction_missing')
  if (sent.length > MAX_TRANSACTIONS) {
    throw new AppError('invalid_parameters', {
      message: `At most ${MAX_TRANSACTIONS} transactions are relayed at once.`,
    })
  }
  const signed = sent.map(decodeSigned)
  const patience = patienceOf(deps, signed.length)
  return deps.once(tenant, async () => {
    // Under the key, so that a replay is not judged by what can be read of the markets by then.
    await inTime(patience, checkAreOurs(deps, tenant, signed), () =>
      inOrder(signed, (each) => findSentBefore(deps, tenant, each, MARKET_UNREAD)),
    )
    await inTime(patience, landAll(deps, tenant, signed, patience), () =>
      inOrder(signed, (each) => findUnderWay(deps, tenant, each)),
    )
    const hashes = signed.map(({ signature }) => signature)
    return { transactionHash: hashes.at(-1) ?? '', transactionHashes: hashes.length > 1 ? hashes : null }
  })
}

/** Of those that the tenant has not broadcast before: what has a row was judged when that was written, and has its answer. */
async function checkAreOurs(
  deps: BroadcastYieldDeps,
  tenant: Tenant,
  signed: readonly SignedTransaction[],
): Promise<void> {
  const known = await Promise.all(signed.map(({ signature }) => deps.broadcasts.find(tenant.id, signature)))
  const unknown = signed.filter((_, index) => !known[index])
  await assertAreOurs(deps, unknown)
}

/**
 * Payments and anything else have their own ways to the chain: what is broadcast here is what this service builds for the
 * wallet that signed it. The instructions that wallets add by themselves check effects only, or set the fee.
 */
async function assertAreOurs(deps: BroadcastYieldDeps, signed: readonly SignedTransaction[]): Promise<void> {
  if (signed.length === 0) return
  const messages = signed.map(({ wire }) => parseWire(Buffer.from(wire, 'base64')).message)
  const isTableUsed = messages.some(({ lookups }) => lookups.length > 0)
  const [known, lookupTable] = await Promise.all([knownMarkets(deps), isTableUsed ? readTable(deps) : undefined])
  for (const [index, { wire }] of signed.entries()) {
    const { instructions, signers } = describeTransaction(known, wire, lookupTable)
    const own = instructions.filter(({ program }) => !isAddedByWallets(program))
    const movesMoney = own.some(({ kind }) => kind === 'deposit' || kind === 'withdraw')
    const isOurs = signers.length === 1 && movesMoney && own.every(({ isAsBuilt }) => isAsBuilt)
    const message = messages[index]
    if (isOurs && message && !hasAbsurdFee(message)) continue
    // A market that could not be read yet may be the one that this transaction was built for.
    if (!isOurs && !known.isComplete) throw new AppError('broadcast_rpc_unavailable', { details: MARKET_UNREAD })
    throw new AppError('invalid_parameters', { message: 'This is no transaction that this service has built.' })
  }
}

/** @throws AppError broadcast_rpc_unavailable */
async function readTable({ chain }: Pick<BroadcastYieldDeps, 'chain'>) {
  try {
    return await chain.lookupTable()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError('broadcast_rpc_unavailable', { details: TABLE_UNREAD, cause: error })
  }
}

/** Sends all in their tenant's turn. Where the same ones are under way here, or wait for their turn, their end is waited for. */
function landAll(
  deps: BroadcastYieldDeps,
  tenant: Tenant,
  signed: readonly SignedTransaction[],
  patience: Patience,
): Promise<void> {
  const key = [tenant.id, ...signed.map(({ signature }) => signature)].join(' ')
  const { mayWait } = patience
  const begin = async () => {
    await assertPairLives(deps, tenant, signed)
    await inOrder(signed, (each, afterSlot) => broadcastSigned(deps, tenant, each, { afterSlot, mayWait }))
  }
  const withoutTurn = () => inOrder(signed, (each) => findSentBefore(deps, tenant, each))
  const underWay =
    deps.inFlight.get(key) ??
    inTurn(deps, tenant, patience, { begin, withoutTurn }).finally(() => deps.inFlight.delete(key))
  deps.inFlight.set(key, underWay)
  return underWay
}
