import { AddressLookupTableAccount, PublicKey } from '@solana/web3.js'
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
import type { ChainAccount, ChainTime } from '../providers/provider.js'
import { newestSlot } from './newest-slot.js'
import type { SendableTransaction, SendAfter, SignatureStatus, Simulation, YieldChain } from './yield-chain.js'

const CLOCK_SYSVAR = new PublicKey('SysvarC1ock11111111111111111111111111111111')
/** getMultipleAccounts takes at most this many. */
const ACCOUNTS_AT_ONCE = 100
const READ_CONFIG = { encoding: 'base64', commitment: 'confirmed' }
/** What a node says a failed simulation used where it does not tell. */
const MAX_UNITS = 1_400_000

/**
 * The chain of a deployment's strategies over its RPC; nothing is sent until it is asked.
 * @param options.timeoutMs how long one answer may take
 */
export function solanaYieldChain(
  chain: SolanaChain,
  options: { lookupTable: PublicKey | null; timeoutMs: number },
): YieldChain {
  const client = createSolanaClient(chain, { timeoutMs: options.timeoutMs })
  const newest = newestSlot()
  let landed = 0
  // One node's word alone does not make all others too old to be asked.
  const sinceLanded = (): Since => (landed === 0 ? {} : { minContextSlot: Math.min(landed, newest.read()) })
  // However many broadcasts wait, the node is asked twice at a time.
  const statusOf = batcher(async (signatures: readonly string[]) => {
    const { slot, statuses } = await readStatuses(client, signatures)
    newest.note(slot)
    return statuses
  })
  return {
    name: chain.name,
    readAccounts: (addresses) => readAccounts(client, addresses, sinceLanded()),
    latestBlockhash: () => readLatestBlockhash(client),
    simulate: (wire) => simulate(client, wire, sinceLanded()),
    priorityFee: (written) => recentPrice(client, [...new Set(written.map(addressText))]),
    lookupTable: async () => (options.lookupTable ? readLookupTable(client, options.lookupTable) : undefined),
    findSignature: async (signature) => shownBy(await statusOf(signature), chain),
    newestSlot: newest.read,
    noteLanded: (slot) => {
      landed = Math.max(landed, slot)
    },
    send: (signed, after) => send(client, signed, after),
  }
}

/** What a node has to have seen to answer; one that has not says so, and another is asked. */
interface Since {
  minContextSlot?: number
}

async function send(
  client: SolanaClient,
  signed: SendableTransaction,
  { afterSlot, seenSlot }: SendAfter,
): Promise<'sent' | 'unknown'> {
  const outcome = await sendWire(client, signed.wire, afterSlot)
  if (outcome.kind === 'bad_signature') throw new AppError('signed_transaction_missing', { details: outcome.details })
  try {
    return (await resultOf(client, outcome, signed.signature, () => readAbsence(client, signed, seenSlot))).kind
  } catch (error) {
    // A chain that cannot tell what became of it has not refused it.
    if (error instanceof AppError && error.code === 'confirm_rpc_unavailable') return 'unknown'
    throw error
  }
}

/**
 * What it is worth that no node shows a transaction: it can never land any more where its blockhash is too old. Nodes behind one
 * address are not equally far, and one that lags does not know a fresh blockhash either: only an answer from after `seenSlot` counts.
 * @throws AppError confirm_rpc_unavailable
 */
async function readAbsence(
  client: SolanaClient,
  { signature, blockhash, feePayer }: SendableTransaction,
  seenSlot: number,
): Promise<Absence> {
  const { context, value } = (await ask('confirm', () =>
    client.call('isBlockhashValid', [blockhash, { commitment: 'finalized' }]),
  )) as { context: { slot: number }; value: boolean }
  if (value || context.slot < seenSlot) return 'open'
  // How long ago its last height was nobody has written down: the wallet signs again, not we, so histories are enough.
  const since = { slot: context.slot, blocksPast: Infinity }
  return readAbsenceSince(client, { signature, reference: feePayer }, since)
}

/** The clock is read with the accounts, so that interest is counted to the moment that they are of. */
async function readAccounts(
  { call }: SolanaClient,
  addresses: readonly PublicKey[],
  since: Since,
): Promise<{ accounts: (ChainAccount | null)[]; time: ChainTime }> {
  const wanted = [CLOCK_SYSVAR, ...addresses]
  const batches = Array.from({ length: Math.ceil(wanted.length / ACCOUNTS_AT_ONCE) }, (_, index) =>
    wanted.slice(index * ACCOUNTS_AT_ONCE, (index + 1) * ACCOUNTS_AT_ONCE),
  )
  const config = { ...READ_CONFIG, ...since }
  const answers = await Promise.all(
    batches.map((batch) => ask('build', () => call('getMultipleAccounts', [batch.map(addressText), config]))),
  )
  const [clock, ...accounts] = answers.flatMap((answer) => (answer as AccountsAnswer).value.map(decodeAccount))
  return { accounts, time: readClock(clock?.data) }
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
function readClock(data: Buffer | undefined): ChainTime {
  if (!data || data.length < 40) throw new Error('the chain has no clock')
  return { slot: data.readBigUInt64LE(0), unixSeconds: data.readBigInt64LE(32) }
}

async function simulate(client: SolanaClient, wire: Uint8Array, since: Since): Promise<Simulation> {
  const config = { ...READ_CONFIG, sigVerify: false, replaceRecentBlockhash: true, ...since }
  const transaction = Buffer.from(wire).toString('base64')
  const answer = await ask('build', () => client.call('simulateTransaction', [transaction, config]))
  const { err, logs, unitsConsumed } = (
    answer as { value: { err: unknown; logs: string[] | null; unitsConsumed?: number } }
  ).value
  return { error: err, unitsConsumed: unitsConsumed ?? MAX_UNITS, details: simulationDetails(err, logs) }
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
