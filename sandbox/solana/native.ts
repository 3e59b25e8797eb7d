import { createRequire } from 'node:module'

/**
 * The part of LiteSVM's native module that is used here. Its npm package `litesvm` declares it, but brings 150 MB of other
 * packages along; the module alone is `litesvm-<platform>`. Keys are 32 bytes.
 */
interface Native {
  LiteSvm: { new (): LiteSvm; fromBytes: (state: Uint8Array) => LiteSvm }
  Account: new (
    lamports: bigint,
    data: Uint8Array,
    owner: Uint8Array,
    executable: boolean,
    rentEpoch: bigint,
  ) => NativeAccount
  FailedTransactionMetadata: new () => FailedTransaction
  SimulatedTransactionInfo: new () => SimulatedTransaction
}

export interface LiteSvm {
  setSigverify: (isOn: boolean) => void
  setBlockhashCheck: (isOn: boolean) => void
  setTransactionHistory: (capacity: bigint) => void
  getClock: () => NativeClock
  setClock: (clock: NativeClock) => void
  setSlotHashes: (hashes: { slot: bigint; hash: string }[]) => void
  getAccount: (key: Uint8Array) => NativeAccount | null
  setAccount: (key: Uint8Array, account: NativeAccount) => void
  getProgramAccounts: (programId: Uint8Array) => AddressAndAccount[]
  addProgram: (programId: Uint8Array, elf: Uint8Array) => void
  minimumBalanceForRentExemption: (dataBytes: bigint) => bigint
  simulateLegacyTransaction: (wire: Uint8Array) => FailedTransaction | SimulatedTransaction
  simulateVersionedTransaction: (wire: Uint8Array) => FailedTransaction | SimulatedTransaction
  sendLegacyTransaction: (wire: Uint8Array) => FailedTransaction | TransactionMetadata
  sendVersionedTransaction: (wire: Uint8Array) => FailedTransaction | TransactionMetadata
  toBytes: () => Uint8Array
}

export interface NativeAccount {
  lamports: () => bigint
  data: () => Uint8Array
  owner: () => Uint8Array
  executable: () => boolean
}

interface AddressAndAccount {
  address: Uint8Array
  account: () => NativeAccount
}

interface NativeClock {
  slot: bigint
  epochStartTimestamp: bigint
  epoch: bigint
  leaderScheduleEpoch: bigint
  unixTimestamp: bigint
}

export interface TransactionMetadata {
  logs: () => string[]
  innerInstructions: () => { instruction: () => CompiledInstruction; stackHeight: () => number }[][]
  computeUnitsConsumed: () => bigint
  returnData: () => { programId: () => Uint8Array; data: () => Uint8Array }
}

interface CompiledInstruction {
  programIdIndex: () => number
  accounts: () => Uint8Array
  data: () => Uint8Array
}

export interface SimulatedTransaction {
  meta: () => TransactionMetadata
  postAccounts: () => AddressAndAccount[]
}

export interface FailedTransaction {
  meta: () => TransactionMetadata
  err: () => NativeTransactionError
}

/** A number stands for an error without further data, in the order of `TransactionError`'s variants of that kind. */
export type NativeTransactionError =
  number | { index: number; err: () => NativeInstructionError } | { index: number } | { accountIndex: number }

/** As above; `code` is a program's own error, `msg` one of Borsh's. */
export type NativeInstructionError = number | { code: number } | { msg: string }

/** The native module. Loading it throws where the platform has none: there are builds for Linux with glibc. */
export const native = load()

function load(): Native {
  const name = `litesvm-${process.platform}-${process.arch}-gnu`
  try {
    return createRequire(import.meta.url)(name) as Native
  } catch (error) {
    throw new Error(`the package ${name} cannot be loaded on this machine`, { cause: error })
  }
}
