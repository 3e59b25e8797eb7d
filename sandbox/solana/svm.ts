import bs58 from 'bs58'
import type { Wire } from '../../chains/solana/wire.js'
import {
  native,
  type FailedTransaction,
  type LiteSvm,
  type NativeAccount,
  type SimulatedTransaction,
  type TransactionMetadata,
} from './native.js'
import { SLOTS_PER_SECOND, type Block, type Slots } from './slots.js'
import { transactionErrorJson, type TransactionErrorJson } from './transaction-error.js'

/** An account as the chain has it; keys are base58. */
export interface ChainAccount {
  address: string
  lamports: bigint
  owner: string
  executable: boolean
  data: Uint8Array
}

/** What a run of a transaction led to. */
export interface RunResult {
  error: TransactionErrorJson | null
  logs: readonly string[]
  unitsConsumed: number
  returnData: { programId: string; data: [string, 'base64'] } | null
  innerInstructions: readonly InnerInstructions[]
  /** After a simulation that succeeded: the accounts as they would be. */
  postAccounts: readonly ChainAccount[]
}

/** The instructions that one instruction called, as JSON-RPC shows them. */
export interface InnerInstructions {
  index: number
  instructions: { programIdIndex: number; accounts: number[]; data: string; stackHeight: number }[]
}

/** The Solana runtime itself. It is only ever given wires that `parseWire` has accepted: on others it ends the process. */
export interface Svm {
  setTime: (block: Block, slots: Slots) => void
  account: (address: string) => ChainAccount | undefined
  programAccounts: (programId: string) => ChainAccount[]
  setAccount: (account: ChainAccount) => void
  addProgram: (programId: string, elf: Uint8Array) => void
  rentExemptMinimum: (dataBytes: number) => bigint
  simulate: (bytes: Uint8Array, wire: Wire, options: { verifySignatures: boolean }) => RunResult
  execute: (bytes: Uint8Array, wire: Wire) => RunResult
  /** The whole state, for `createSvm`. */
  save: () => Uint8Array
}

/** How many slot hashes a program can look up (solana-slot-hashes: MAX_ENTRIES is 512); creating look-up tables needs them. */
const SLOT_HASHES = 150
const SLOTS_PER_EPOCH = 432_000

/** Starts the runtime, from a saved state where there is one. */
export function createSvm(saved?: Uint8Array): Svm {
  const svm = saved ? native.LiteSvm.fromBytes(saved) : new native.LiteSvm()
  // It knows one blockhash and 32 past transactions only: the facade keeps the window of 150 blocks and the history.
  svm.setBlockhashCheck(false)
  svm.setTransactionHistory(0n)
  svm.setSigverify(true)
  return {
    setTime: (block, slots) => {
      setTime(svm, block, slots)
    },
    account: (address) => readAccount(svm, address),
    programAccounts: (programId) =>
      svm.getProgramAccounts(bs58.decode(programId)).map((entry) => {
        const account = entry.account()
        return toChainAccount(bs58.encode(entry.address), account)
      }),
    setAccount: ({ address, lamports, data, owner, executable }) => {
      const account = new native.Account(lamports, data, bs58.decode(owner), executable, 0n)
      svm.setAccount(bs58.decode(address), account)
    },
    addProgram: (programId, elf) => {
      svm.addProgram(bs58.decode(programId), elf)
    },
    rentExemptMinimum: (dataBytes) => svm.minimumBalanceForRentExemption(BigInt(dataBytes)),
    simulate: (bytes, { message }, { verifySignatures }) => {
      svm.setSigverify(verifySignatures)
      try {
        return toResult(
          message.version === 'legacy' ? svm.simulateLegacyTransaction(bytes) : svm.simulateVersionedTransaction(bytes),
        )
      } finally {
        svm.setSigverify(true)
      }
    },
    execute: (bytes, { message }) =>
      toResult(message.version === 'legacy' ? svm.sendLegacyTransaction(bytes) : svm.sendVersionedTransaction(bytes)),
    save: () => svm.toBytes(),
  }
}

function setTime(svm: LiteSvm, { slot, unixSeconds }: Block, slots: Slots): void {
  const clock = svm.getClock()
  clock.slot = BigInt(slot)
  clock.unixTimestamp = BigInt(unixSeconds)
  clock.epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH))
  clock.leaderScheduleEpoch = clock.epoch + 1n
  clock.epochStartTimestamp = BigInt(unixSeconds - Math.floor((slot % SLOTS_PER_EPOCH) / SLOTS_PER_SECOND))
  svm.setClock(clock)
  const recent = Array.from({ length: SLOT_HASHES }, (_, index) => slot - 2 * index)
  svm.setSlotHashes(recent.map((past) => ({ slot: BigInt(past), hash: slots.blockhashOf(past) })))
}

function readAccount(svm: LiteSvm, address: string): ChainAccount | undefined {
  const account = svm.getAccount(bs58.decode(address))
  return account && account.lamports() > 0n ? toChainAccount(address, account) : undefined
}

function toChainAccount(address: string, account: NativeAccount): ChainAccount {
  return {
    address,
    lamports: account.lamports(),
    owner: bs58.encode(account.owner()),
    executable: account.executable(),
    data: account.data(),
  }
}

function toResult(result: FailedTransaction | SimulatedTransaction | TransactionMetadata): RunResult {
  const failed = result instanceof native.FailedTransactionMetadata
  const meta = 'meta' in result ? result.meta() : result
  const returned = meta.returnData()
  const data = Buffer.from(returned.data())
  return {
    error: failed ? transactionErrorJson(result.err()) : null,
    logs: meta.logs(),
    unitsConsumed: Number(meta.computeUnitsConsumed()),
    returnData:
      data.length === 0
        ? null
        : { programId: bs58.encode(returned.programId()), data: [data.toString('base64'), 'base64'] },
    innerInstructions: readInner(meta),
    postAccounts:
      result instanceof native.SimulatedTransactionInfo
        ? result.postAccounts().map((entry) => toChainAccount(bs58.encode(entry.address), entry.account()))
        : [],
  }
}

function readInner(meta: TransactionMetadata): InnerInstructions[] {
  return meta
    .innerInstructions()
    .map((calls, index) => ({
      index,
      instructions: calls.map((call) => {
        const instruction = call.instruction()
        return {
          programIdIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: bs58.encode(instruction.data()),
          stackHeight: call.stackHeight(),
        }
      }),
    }))
    .filter(({ instructions }) => instructions.length > 0)
}
