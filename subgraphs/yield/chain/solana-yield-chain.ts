import { setTimeout as delay } from 'node:timers/promises'
import { AddressLookupTableAccount, PublicKey } from '@solana/web3.js'
import { recentlyUsed } from '../../../kernel/recently-used.js'
import type { SolanaChain } from '../../../chains/chain.js'
import { readAbsenceSince, type Absence } from '../../../chains/solana/absence.js'
import { addressText } from '../../../chains/solana/address-text.js'
import { readLatestBlockhash } from '../../../chains/solana/blockhash.js'
import { createSolanaClient, type SolanaClient } from '../../../chains/solana/client.js'
import { confirmationOf, readStatuses, type SignatureStatus as NodeStatus } from '../../../chains/solana/confirm.js'
import { recentPrice, simulationDetails } from '../../../chains/solana/compute-budget.js'
import { resultOf, sendWire } from '../../../chains/solana/broadcast.js'
import { ask } from '../../../chains/solana/rpc.js'
import { batcher } from '../../../kernel/batcher.js'
import { AppError } from '../../../kernel/errors.js'
import { memoize } from '../../../kernel/memoize.js'
import type { ChainAccount } from '../providers/provider.js'
import { newestSlot } from './newest-slot.js'
import { patientClient } from './patient-client.js'
import { slotLength, type EpochClock } from './slot-length.js'
import type { SendableTransaction, SendAfter, SignatureStatus, Simulation, YieldChain } from './yield-chain.js'

const CLOCK_SYSVAR = new PublicKey('SysvarC1ock11111111111111111111111111111111')
/** getMultipleAccounts takes at most this many. */
const ACCOUNTS_AT_ONCE = 100
const READ_CONFIG = { encoding: 'base64', commitment: 'confirmed' }
/** Of so many transactions that a node has refused it is known how far the chain was then. */
const REFUSED_KEPT = 1_000
/** Of so many blockhashes that were handed out last it is known how long they live: some minutes' worth, each lives for one. */
const BLOCKHASHES_KEPT = 1_000
/** What a node says a failed simulation used where it does not tell. */
const MAX_UNITS = 1_400_000
/** A node that is further behind calls itself unhealthy (agave: `--health-check-slot-distance`), and is taken out from behind an address. */
const BEHIND_MAX_SLOTS = 128
/** How far the chain's clock may be from ours. */
const CLOCKS_MS = 60_000

/**
 * The chain of a deployment's strategies over its RPC; nothing is sent until it is asked.
 * @param options.timeoutMs how long one answer may take
 * @param options.nowMs our clock, in milliseconds since 1970
 */
export function solanaYieldChain(
  chain: SolanaChain,
  options: { lookupTable: PublicKey | null; timeoutMs: number; nowMs: () => number },
): YieldChain {
  const newest = newestSlot()
  const client = patientClient(createSolanaClient(chain, { timeoutMs: options.timeoutMs }), newest, delay)
  const atRefusal = memoize(REFUSED_KEPT, () => ({ slot: newest.read(), unixMs: options.nowMs() }))
  const lengthAt = slotLength()
  const lastHeights = recentlyUsed<string, number>(BLOCKHASHES_KEPT)
  // It was signed before a node first refused it. A slot that no chain has does not count once it was contradicted.
  const wasSignedBy: WasSignedBy = async ({ signature, blockhash }, seenSlot, slot) => {
    const refused = atRefusal(signature)
    if (lastHeights.has(blockhash)) return slot >= Math.min(Math.max(seenSlot, refused.slot), newest.read())
    // Handed out elsewhere: all nodes that this process sees may be behind the one that told of the blockhash, and one that catches up
    // passes many slots at once. A block that was made after the refusal is after the blockhash.
    if (slot < Math.min(refused.slot, newest.read()) + BEHIND_MAX_SLOTS) return false
    return (await readBlockTime(client, slot)) > refused.unixMs + CLOCKS_MS
  }
  let landed = 0
  // One node's word alone does not make all others too old to be asked.
  const sinceLanded = (): Since => (landed === 0 ? {} : { minContextSlot: Math.min(landed, newest.read()) })
  // However many broadcasts wait, the node is asked twice at a time.
  const statusOf = batcher(async (signatures: readonly string[]) => (await readStatuses(client, signatures)).statuses)
  return {
    name: chain.name,
    readAccounts: async (addresses) => {
      const { accounts, clock } = await readAccounts(client, addresses, sinceLanded())
      const { slot, unixSeconds } = clock
      return { accounts, time: { slot, unixSeconds, slotMicroseconds: lengthAt(clock) } }
    },
    latestBlockhash: async () => {
      const latest = await readLatestBlockhash(client)
      lastHeights.set(latest.blockhash, latest.lastValidBlockHeight)
      return latest
    },
    blocksLeft: (blockhash) => readBlocksLeft(client, lastHeights.get(blockhash)),
    simulate: (wire) => simulate(client, wire, sinceLanded()),
    priorityFee: (written) => recentPrice(client, [...new Set(written.map(addressText))]),
    lookupTable: async () => (options.lookupTable ? readLookupTable(client, options.lookupTable) : undefined),
    findSignature: async (signature) => shownBy(await statusOf(signature), chain),
    newestSlot: newest.read,
    noteLanded: (slot) => {
      landed = Math.max(landed, slot)
    },
    send: (signed, after) => send(client, signed, after, wasSignedBy),
  }
}

/** What a node has to have seen to answer; one that has not says so, and another is asked, or it again. */
interface Since {
  minContextSlot?: number
}

/** Whether a transaction was signed already when the block of a final slot was made, by what nodes have shown until now. */
type WasSignedBy = (signed: SendableTransaction, seenSlot: number, slot: number) => Promise<boolean>

async function send(
  client: SolanaClient,
  signed: SendableTransaction,
  { afterSlot, seenSlot }: SendAfter,
  wasSignedBy: WasSignedBy,
): Promise<'sent' | 'unknown'> {
  const readAbsenceNow = () => readAbsence(client, signed, (slot) => wasSignedBy(signed, seenSlot, slot))
  const outcome = await sendWire(client, signed.wire, afterSlot)
  if (outcome.kind === 'bad_signature') throw new AppError('signed_transaction_missing', { details: outcome.details })
  try {
    return (await resultOf(client, outcome, signed.signature, readAbsenceNow)).kind
  } catch (error) {
    // A chain that cannot tell what became of it has not refused it.
    if (error instanceof AppError && error.code === 'confirm_rpc_unavailable') return 'unknown'
    throw error
  }
}

/** Whose word is asked for on a blockhash: what two have final, and whether one knows it already that another does not. */
const BLOCKHASH_LOOKS = ['finalized', 'finalized', 'confirmed', 'confirmed'] as const

/**
 * What it is worth that no node shows a transaction: it can never land any more where its blockhash is too old. Nodes behind one
 * address are not equally far, and one that lags does not know a fresh blockhash either: what is not valid in a final block counts from a
 * slot on at which it was signed already, as its blockhash is older than that, and only where nobody calls it valid.
 * @param wasSignedBy asked after that, of the slot
 * @throws AppError confirm_rpc_unavailable
 */
async function readAbsence(
  client: SolanaClient,
  { signature, blockhash, feePayer }: SendableTransaction,
  wasSignedBy: (slot: number) => Promise<boolean>,
): Promise<Absence> {
  // At the same time, so that they take several connections.
  const looks = await Promise.all(
    BLOCKHASH_LOOKS.map(async (commitment) => {
      const { context, value } = (await ask('confirm', () =>
        client.call('isBlockhashValid', [blockhash, { commitment }]),
      )) as { context: { slot: number }; value: boolean }
      return { isFinal: commitment === 'finalized', slot: context.slot, isValid: value }
    }),
  )
  const slot = Math.min(...looks.filter(({ isFinal }) => isFinal).map((look) => look.slot))
  if (looks.some(({ isValid }) => isValid) || !(await wasSignedBy(slot))) return 'open'
  // How long ago its last height was nobody has written down: the wallet signs again, not we, so histories are enough.
  return readAbsenceSince(client, { signature, reference: feePayer }, { slot, blocksPast: Infinity })
}

/**
 * When a block was made, in milliseconds since 1970; 0 where the node does not tell.
 * @throws AppError confirm_rpc_unavailable
 */
async function readBlockTime(client: SolanaClient, slot: number): Promise<number> {
  const unixSeconds = await ask('confirm', () => client.call('getBlockTime', [slot]))
  return typeof unixSeconds === 'number' ? unixSeconds * 1000 : 0
}

async function readBlocksLeft(client: SolanaClient, lastHeight: number | undefined): Promise<number | undefined> {
  if (lastHeight === undefined) return undefined
  return client.call('getBlockHeight', [{ commitment: 'confirmed' }]).then(
    (height) => (typeof height === 'number' ? lastHeight - height : undefined),
    () => undefined,
  )
}

/** The clock is read with the accounts, so that interest is counted to the moment that they are of. */
async function readAccounts(
  { call }: SolanaClient,
  addresses: readonly PublicKey[],
  since: Since,
): Promise<{ accounts: (ChainAccount | null)[]; clock: EpochClock }> {
  const wanted = [CLOCK_SYSVAR, ...addresses]
  const batches = Array.from({ length: Math.ceil(wanted.length / ACCOUNTS_AT_ONCE) }, (_, index) =>
    wanted.slice(index * ACCOUNTS_AT_ONCE, (index + 1) * ACCOUNTS_AT_ONCE),
  )
  const config = { ...READ_CONFIG, ...since }
  const answers = await Promise.all(
    batches.map((batch) => ask('build', () => call('getMultipleAccounts', [batch.map(addressText), config]))),
  )
  const [clock, ...accounts] = answers.flatMap((answer) => (answer as AccountsAnswer).value.map(decodeAccount))
  return { accounts, clock: readClock(clock?.data) }
}

/** A node's answer to `getMultipleAccounts`; web3.js would take as long to check its form as all else here together. */
interface AccountsAnswer {
  value: ({ data: [base64: string, 'base64']; owner: string; lamports: number } | null)[]
}

function decodeAccount(account: AccountsAnswer['value'][number]): ChainAccount | null {
  if (!account) return null
  const { data, owner, lamports } = account
  return { data: Buffer.from(data[0], 'base64'), owner: programKey(owner), lamports }
}

/** The programs that own what we read are a handful. */
const programKey = memoize(64, (address) => new PublicKey(address))

/** Sysvar Clock: slot, epoch's start, epoch, leader schedule's epoch, Unix time (8 bytes each). */
function readClock(data: Buffer | undefined): EpochClock {
  if (!data || data.length < 40) throw new Error('the chain has no clock')
  return {
    slot: data.readBigUInt64LE(0),
    epochStartSeconds: data.readBigInt64LE(8),
    epoch: data.readBigUInt64LE(16),
    unixSeconds: data.readBigInt64LE(32),
  }
}

async function simulate(client: SolanaClient, wire: Uint8Array, since: Since): Promise<Simulation> {
  const config = { ...READ_CONFIG, sigVerify: false, replaceRecentBlockhash: true, ...since }
  const transaction = Buffer.from(wire).toString('base64')
  const answer = await ask('build', () => client.call('simulateTransaction', [transaction, config]))
  const { err, logs, unitsConsumed } = (
    answer as { value: { err: unknown; logs: string[] | null; unitsConsumed?: number } }
  ).value
  return {
    error: err,
    unitsConsumed: unitsConsumed ?? MAX_UNITS,
    details: simulationDetails(err, logs),
    lacksLamports: isLackOfLamports(err, logs ?? []),
  }
}

/** Of a payer without an account, of the fee, and of what every account has to keep (solana-transaction-error). */
const LACKS = ['AccountNotFound', 'InsufficientFundsForFee', 'InsufficientFundsForRent']
/** What the system program logs of a transfer, or of another account's rent, that its payer has too little for; its error is only a number. */
const TOO_FEW_LAMPORTS = /insufficient lamports/

function isLackOfLamports(error: unknown, logs: readonly string[]): boolean {
  const kind = typeof error === 'string' ? error : Object.keys(error ?? {})[0]
  return LACKS.includes(kind ?? '') || (error !== null && logs.some((line) => TOO_FEW_LAMPORTS.test(line)))
}

async function readLookupTable({ call }: SolanaClient, key: PublicKey): Promise<AddressLookupTableAccount | undefined> {
  const { value } = (await ask('build', () => call('getAccountInfo', [addressText(key), READ_CONFIG]))) as {
    value: AccountsAnswer['value'][number]
  }
  const account = decodeAccount(value)
  if (!account) return undefined
  return new AddressLookupTableAccount({ key, state: AddressLookupTableAccount.deserialize(account.data) })
}

function shownBy(status: NodeStatus | null, chain: SolanaChain): SignatureStatus | undefined {
  if (!status) return undefined
  return { slot: status.slot, error: status.err, isFinal: confirmationOf(status, chain).state !== 'confirming' }
}
