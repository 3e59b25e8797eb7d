import { createHash } from 'node:crypto'
import bs58 from 'bs58'
import { isWritable, type Wire, type WireInstruction, type WireMessage } from '../../chains/solana/wire.js'
import type { Slots } from './slots.js'
import type { ChainAccount, RunResult, Svm } from './svm.js'

const SYSTEM_PROGRAM = '11111111111111111111111111111111'
/** solana-system-interface: SystemInstruction, as four bytes. */
const ADVANCE = 4
const INITIALIZE = 6
/** An account with a nonce (solana-nonce: Versions::Current and State::Initialized, then authority, nonce, and a fee). */
const ACCOUNT_BYTES = 80
const IS_CURRENT = 1
const IS_INITIALIZED = 1
const AUTHORITY = { start: 8, end: 40 } as const
const VALUE = { start: 40, end: 72 } as const

/** What a nonce account holds; both base58. */
interface Nonce {
  authority: string
  value: string
}

/** Reads a nonce account. @returns undefined where the account is none, or has no nonce yet */
function readNonce(account: ChainAccount | undefined): Nonce | undefined {
  if (account?.owner !== SYSTEM_PROGRAM || account.data.length !== ACCOUNT_BYTES) return undefined
  const data = Buffer.from(account.data)
  if (data.readUInt32LE(0) !== IS_CURRENT || data.readUInt32LE(4) !== IS_INITIALIZED) return undefined
  const text = ({ start, end }: { start: number; end: number }): string => bs58.encode(data.subarray(start, end))
  return { authority: text(AUTHORITY), value: text(VALUE) }
}

/** The nonce that a block gives (solana-nonce: DurableNonce::from_blockhash); both base58. */
function nonceOfBlock(blockhash: string): string {
  return bs58.encode(createHash('sha256').update('DURABLE_NONCE').update(bs58.decode(blockhash)).digest())
}

/**
 * Whether a transaction whose blockhash is none of the recent ones lives by a nonce (solana-svm-transaction: it is used by the
 * first instruction, which advances it; agave: check_load_and_advance_message_nonce_account).
 */
export function livesByNonce(svm: Svm, slots: Slots, { message }: Wire): boolean {
  const account = nonceAccountOf(message)
  if (account === undefined) return false
  const nonce = readNonce(svm.account(account))
  const signers = (message.instructions[0]?.accountIndexes ?? []).filter((one) => one < message.requiredSignatures)
  return (
    nonce?.value === bs58.encode(message.blockhash) &&
    signers.some((one) => keyAt(message, one) === nonce.authority) &&
    nonce.value !== presentNonce(slots)
  )
}

/**
 * Runs a transaction, and gives the nonces that it advances or initialises the value of the present block. The runtime
 * knows no block but its own, and takes back all that a failed transaction has done; on the chain a nonce that a transaction lived
 * by is used up though the rest of it failed.
 */
export function runWithNonces(svm: Svm, slots: Slots, { message }: Wire, run: () => RunResult): RunResult {
  const before = touchedNonces(svm, message)
  setOfThisBlock(svm, slots, before, message)
  const result = run()
  const hasLanded = result.error === null || typeof result.error === 'object'
  const livedBy = nonceAccountOf(message)
  for (const { address, nonce } of before) {
    const isUsedUp = hasLanded && address === livedBy && nonce?.value === bs58.encode(message.blockhash)
    if (result.error === null || isUsedUp) write(svm, address, presentNonce(slots))
    else if (nonce) write(svm, address, nonce.value)
  }
  return result
}

/** Runs a simulation, which changes nothing. */
export function simulateWithNonces(svm: Svm, slots: Slots, { message }: Wire, run: () => RunResult): RunResult {
  const before = touchedNonces(svm, message)
  setOfThisBlock(svm, slots, before, message)
  const result = run()
  for (const { address, nonce } of before) if (nonce) write(svm, address, nonce.value)
  return result
}

/**
 * Has the runtime refuse to advance a nonce in the block that gave it its value, and in no other. It takes a message's blockhash for the
 * present block's, so that a nonce is one of this block to it where the message was signed by the block that gave the nonce.
 */
function setOfThisBlock(svm: Svm, slots: Slots, touched: readonly Touched[], { blockhash }: WireMessage): void {
  const ofMessage = nonceOfBlock(bs58.encode(blockhash))
  for (const { address, nonce } of touched) {
    if (nonce?.value === presentNonce(slots)) write(svm, address, ofMessage)
    else if (nonce?.value === ofMessage) write(svm, address, nonceOfBlock(ofMessage))
  }
}

/** The account that the first instruction advances the nonce of. */
function nonceAccountOf(message: WireMessage): string | undefined {
  const [advance] = message.instructions
  if (!advance || tagOf(message, advance) !== ADVANCE) return undefined
  const [index] = advance.accountIndexes
  return index === undefined || !isWritable(message, index) ? undefined : keyAt(message, index)
}

function presentNonce(slots: Slots): string {
  return nonceOfBlock(slots.latestBlockhash().blockhash)
}

/** An account whose nonce a transaction changes, and what it holds before. */
interface Touched {
  address: string
  nonce: Nonce | undefined
}

function touchedNonces(svm: Svm, message: WireMessage): Touched[] {
  const addresses = message.instructions.flatMap((instruction) => {
    const tag = tagOf(message, instruction)
    const [index] = instruction.accountIndexes
    return index === undefined || (tag !== ADVANCE && tag !== INITIALIZE) ? [] : [keyAt(message, index)]
  })
  return [...new Set(addresses)].map((address) => ({ address, nonce: readNonce(svm.account(address)) }))
}

/** Which of the system program's instructions it is; undefined for those of others. */
function tagOf(message: WireMessage, { programIdIndex, data }: WireInstruction): number | undefined {
  if (keyAt(message, programIdIndex) !== SYSTEM_PROGRAM || data.length < 4) return undefined
  return Buffer.from(data).readUInt32LE(0)
}

/** Empty for a key of a look-up table, where neither a program nor a nonce may be. */
function keyAt({ keys }: WireMessage, index: number): string {
  return bs58.encode(keys[index] ?? new Uint8Array())
}

function write(svm: Svm, address: string, value: string): void {
  const account = svm.account(address)
  if (!account || !readNonce(account)) return
  const data = Buffer.from(account.data)
  data.set(bs58.decode(value), VALUE.start)
  svm.setAccount({ ...account, data })
}
