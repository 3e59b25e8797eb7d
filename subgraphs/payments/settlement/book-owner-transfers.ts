import type { Chain } from '../../../chains/chain.js'
import type { Transaction } from '../../../kernel/database.js'
import { isPositive } from '../../../kernel/money.js'
import {
  accountCoinEntryName,
  explainedEntry,
  GAS_PAYER_PLACE,
  gasPayerFeeEntry,
  HOUSE,
  ownerTransferEntry,
  transferEntryName,
} from '../model/house-entries.js'
import { feeEntry, type LedgerEntry } from '../model/ledger-entries.js'
import type { OwnerTransfer } from '../store/owner-transfers.js'
import type { BegunAccount } from '../store/begun-accounts.js'
import { auditedAccounts, type AuditedAccount } from './audited-accounts.js'
import type { AuditDeps } from './audited-treasury.js'
import { betweenOurs } from './between-accounts.js'
import type { GasPayerAudit } from './gas-payer-audit.js'
import { COIN_PLACE, type ChainFee, type TreasuryMovement, type TreasuryTransfer } from './payout-chain.js'
import { signingOn, type PayoutChains } from './treasury-accounts.js'

/** What booking the owner's transfers needs. */
export type BookOwnerTransfersDeps = AuditDeps & PayoutChains & { gasPayerAudit: GasPayerAudit }

/** Orders that are carried out in one run. */
const AT_ONCE = 100

/** An order that cannot be carried out; the message says why. */
class Refusal extends Error {
  override readonly name = 'Refusal'
}

/**
 * Books the transactions of which operators say that the owner funds a treasury by them or takes something out of it. The
 * chain says what they moved, and only what is final counts; each is booked once, and what stood in suspense for it leaves it.
 * @param chain undefined where the deployment has none of this name
 * @throws AppError confirm_rpc_unavailable: the order waits
 */
export async function bookOwnerTransfers(
  deps: BookOwnerTransfersDeps,
  chainName: string,
  chain: Chain | undefined,
): Promise<void> {
  for (const order of await deps.ownerTransfers.findOrdered(chainName, AT_ONCE)) {
    try {
      if (!chain) throw new Refusal(`this deployment has no chain ${chainName}`)
      await carryOut(deps, chain, order)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await deps.ownerTransfers.refuse(order.id, error.message)
    }
  }
}

/** One of our accounts, and what a transaction did to it. */
interface Moved {
  /** In the ledger. */
  account: string
  movement: TreasuryMovement
  /** Tokens and coins that it moved to or from another account of the treasury: that is no owner's. */
  internal: readonly TreasuryTransfer[]
  entryOf: (transfer: TreasuryTransfer) => string
  /** What its gas is booked as. */
  feeOf: (cost: ChainFee) => LedgerEntry
  /** The block with whose balance its comparison began; null where it has not begun. */
  openedAt: number | null
}

async function carryOut(deps: BookOwnerTransfersDeps, chain: Chain, order: OwnerTransfer): Promise<void> {
  const all = await readMoved(deps, chain, order)
  const touched = all.filter(
    ({ movement, internal }) => movement.transfers.length > 0 || movement.cost || internal.length > 0,
  )
  const internal = touched.flatMap((one) => one.internal).filter(({ direction }) => direction === 'out')
  if (internal.length + touched.flatMap(({ movement }) => movement.transfers).length === 0) {
    throw new Refusal("it moves nothing of the treasury's")
  }
  await assertOwners(deps, chain, order)
  const moved = withoutOpening(touched)
  const told = moved.flatMap(({ movement }) => movement.transfers)
  const blockNumber = Math.max(...moved.map(({ movement }) => movement.blockNumber))
  const result = [
    ...told.map(({ direction, amount, currency }) => `${direction} ${amount} ${currency}`),
    ...internal.map(({ amount, currency }) => `${amount} ${currency} between the treasury's accounts`),
  ].join(', ')
  await deps.ledger.transaction(async (em) => {
    const entries: string[] = []
    for (const one of moved) entries.push(...(await bookMoved(deps, em, { chain, order, one })))
    const isEnded = await deps.ownerTransfers.end(em, order.id, { result, blockNumber, entries })
    // The other worker's booking stands; this one is taken back.
    if (!isEnded) throw new Error('an order was ended by another worker')
  })
}

/** What a transaction did to the treasury and, on EVM chains, to the gas payer. Throws Refusal where no final block has it. */
async function readMoved(deps: BookOwnerTransfersDeps, chain: Chain, { hash }: OwnerTransfer): Promise<Moved[]> {
  const { name } = chain
  const moved: Moved[] = []
  const accounts = await auditedAccounts(deps, chain)
  const comparedTo = await deps.treasuryBooks.comparedTo(`chain:${name}`)
  const shared = accounts.map((one) => ({ ...one, begun: one.begun ?? toBegin(one, comparedTo) }))
  for (const one of accounts) {
    const movement = await readMovement(deps, chain, { one, accounts: shared, hash })
    // Tokens have a place each; one transaction may give coins to several accounts, and these have one place.
    const entryOf = ({ logIndex }: TreasuryTransfer) => {
      const isOwnCoin = logIndex === COIN_PLACE && one !== accounts[0]
      return isOwnCoin ? accountCoinEntryName(hash, one.account) : transferEntryName(hash, logIndex)
    }
    const feeOf = (cost: ChainFee) => feeEntry(hash, name, cost)
    // What an account that was added holds when it is first compared is still to come.
    const openedAt = comparedTo === null ? null : (one.begun?.firstBlock ?? Infinity)
    moved.push({ account: `treasury:${name}`, ...movement, entryOf, feeOf, openedAt })
  }
  if (chain.family === 'evm') {
    const final = await deps.gasPayerAudit.readFinal(chain)
    const movement = assertFinal(await deps.gasPayerAudit.movementOf(chain, hash), final?.block ?? -1)
    const entryOf = () => `transfer:${hash}:${GAS_PAYER_PLACE}`
    const feeOf = (cost: ChainFee) => gasPayerFeeEntry(hash, name, cost)
    const account = `gas-payer:${name}`
    // Where one account signs for both, its coins are the treasury's.
    if (!signingOn(deps, chain).some((port) => port.account === deps.gasPayerAudit.account)) {
      const openedAt = await deps.treasuryBooks.firstBlock(account)
      moved.push({ account, movement, internal: [], entryOf, feeOf, openedAt })
    }
  }
  if (moved.length === 0) throw new Refusal(`this deployment has no treasury on ${name}`)
  return moved
}

/**
 * As what an account counts that was not compared yet. What one that was added had from the others since they were compared is told apart
 * by its first comparison; where nothing was compared yet, all that went between two accounts is in what they hold.
 * @param comparedTo up to which block the chain was compared
 */
function toBegin({ account }: AuditedAccount, comparedTo: number | null): BegunAccount {
  if (comparedTo === null) return { account, firstBlock: -1, sharedFrom: -1 }
  return { account, firstBlock: Infinity, sharedFrom: comparedTo }
}

/** What it did to one account of the treasury, apart from what went between two of them. Throws Refusal where no final block has it. */
async function readMovement(
  deps: BookOwnerTransfersDeps,
  chain: Chain,
  {
    one: { account, audit },
    accounts,
    hash,
  }: { one: AuditedAccount; accounts: readonly AuditedAccount[]; hash: string },
): Promise<Pick<Moved, 'movement' | 'internal'>> {
  const { block } = await audit.readFinal(chain, [account])
  const { transfers, ...movement } = assertFinal(await audit.movementOf(chain, hash), block)
  const internal = await betweenOurs({ deps, chain, accounts }, account, transfers)
  return { movement: { ...movement, transfers: transfers.filter((one) => !internal.includes(one)) }, internal }
}

function assertFinal(movement: TreasuryMovement | undefined, finalBlock: number): TreasuryMovement {
  if (!movement || movement.blockNumber > finalBlock) throw new Refusal('no block that is final has it')
  return movement
}

/** Refuses what we have signed ourselves: it is booked with what it was for. */
async function assertOwners(deps: BookOwnerTransfersDeps, chain: Chain, { hash }: OwnerTransfer): Promise<void> {
  const state = await deps.treasuryBooks.stateOf(chain.name, hash)
  if (state === 'unexpected') throw new Refusal('it waits for a decision about payouts, see transactions')
  if (state === 'gas') throw new Refusal('the gas payer has sent it for a payment')
  if (state !== undefined) throw new Refusal('it is of the payouts, and booked with them')
}

/**
 * Without what is in the books since an account's first comparison. Of what went between two accounts the one that was compared by then
 * has it still to be booked. Throws Refusal where nothing is left.
 */
function withoutOpening(moved: readonly Moved[]): readonly Moved[] {
  const left = moved.filter(({ movement, openedAt }) => openedAt === null || movement.blockNumber > openedAt)
  const opened = moved.find((one) => !left.some(({ account }) => account === one.account))
  if (!opened) return left
  const at = opened.openedAt === Infinity ? 'which is still to come' : `at block ${opened.openedAt}`
  throw new Refusal(`it is part of what was held when the account was first compared, ${at}`)
}

interface Booked {
  chain: Chain
  order: OwnerTransfer
  one: Moved
}

/** @returns the names of the entries that moved the account */
async function bookMoved(
  deps: BookOwnerTransfersDeps,
  em: Transaction,
  { chain, order, one: { account, movement, entryOf, feeOf } }: Booked,
): Promise<string[]> {
  const about = { ...HOUSE, at: deps.clock.now() }
  const entries: string[] = []
  for (const transfer of movement.transfers) {
    const entry = entryOf(transfer)
    entries.push(entry)
    if (await deps.ledger.isBooked(em, { ...HOUSE, entry })) await explain(deps, em, { chain, order }, transfer)
    else await deps.ledger.book(em, about, ownerTransferEntry(account, entry, transfer))
  }
  const { cost } = movement
  if (cost && isPositive(cost.amount)) {
    const fee = feeOf(cost)
    entries.push(fee.entry)
    await deps.ledger.book(em, about, fee)
  }
  return entries
}

/** What a comparison has put into suspense is the owner's. */
async function explain(
  deps: BookOwnerTransfersDeps,
  em: Transaction,
  { chain, order }: { chain: Chain; order: OwnerTransfer },
  { hash, logIndex }: TreasuryTransfer,
): Promise<void> {
  const id = await deps.differences.findTransfer(em, `${chain.name}:${hash}:${logIndex}`)
  const resolved = id && (await deps.differences.resolve(em, id, { by: order.orderedBy, reason: order.reason }))
  if (!resolved) throw new Refusal('its difference was resolved already')
  const { actual, currency, foundMs } = resolved
  const money = { amount: actual ?? '0', currency: currency ?? '' }
  const entry = explainedEntry(`${id}:${foundMs}`, chain.name, 'owner', money)
  await deps.ledger.book(em, { ...HOUSE, at: deps.clock.now() }, entry)
}
