import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import bs58 from 'bs58'
import { parseWire, type Wire, type WireMessage } from '../../chains/solana/wire.js'
import { livesByNonce, runWithNonces, simulateWithNonces } from './durable-nonces.js'
import { feeOf } from './fee.js'
import { openHistory, type History, type HistoryEntry, type TokenBalance } from './history.js'
import { readSnapshot, writeSnapshot } from './snapshot.js'
import { createSlots, type Slots } from './slots.js'
import { createSvm, type ChainAccount, type RunResult, type Svm } from './svm.js'
import { readHolding, readMint, uiAmount } from './token-accounts.js'

/** How long a change may wait for its snapshot; the history has it at once. */
const SAVE_WITHIN_MS = 100

/** The chain: runtime, time and history together, kept on disk. */
export interface Bank {
  slots: Slots
  history: History
  /** The runtime, its clock set to the present block. */
  svm: () => Svm
  simulate: (bytes: Uint8Array, wire: Wire, options: { verifySignatures: boolean; checkAge: boolean }) => RunResult
  /** Runs a transaction. It has landed where the result is recorded: an error may be one that no block can hold. */
  execute: (bytes: Uint8Array, wire: Wire) => RunResult
  airdrop: (address: string, lamports: bigint) => string
  setAccounts: (accounts: readonly ChainAccount[]) => void
  addProgram: (programId: string, elf: Uint8Array) => void
  save: () => void
  close: () => void
}

/**
 * Opens the chain kept in a folder, or a new one. What landed after the last snapshot is run again from the history.
 * @param options.nowMs the product's clock, in milliseconds since 1970
 */
export function openBank(options: { dataDir?: string; nowMs: () => number }): Bank {
  const { dataDir, nowMs } = options
  const file = dataDir === undefined ? undefined : join(dataDir, 'state.bin')
  const snapshot = file === undefined ? undefined : readSnapshot(file)
  const historyFile = dataDir === undefined ? undefined : join(dataDir, 'transactions.jsonl')
  // Without its snapshot a chain starts anew: the history of the lost one tells of transfers that are not there.
  if (historyFile !== undefined && !snapshot) rmSync(historyFile, { force: true })
  const history = openHistory(historyFile)
  const svm = createSvm(snapshot?.state)
  const reached = Math.max(snapshot?.unixSeconds ?? 0, history.after(0).at(-1)?.unixSeconds ?? 0)
  const slots = createSlots(nowMs, reached)
  replay(svm, slots, history.after(snapshot?.sequence ?? 0))

  let timer: NodeJS.Timeout | undefined
  const save = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (file === undefined) return
    writeSnapshot(file, {
      sequence: history.lastSequence(),
      unixSeconds: slots.current().unixSeconds,
      state: svm.save(),
    })
  }
  let setSlot = -1
  const atPresent = (): Svm => {
    const block = slots.current()
    if (block.slot !== setSlot) svm.setTime(block, slots)
    setSlot = block.slot
    return svm
  }
  const record = (entry: HistoryEntry): void => {
    history.add(entry)
    timer ??= setTimeout(save, SAVE_WITHIN_MS)
  }
  return {
    slots,
    history,
    svm: atPresent,
    simulate: (bytes, wire, options) => simulate({ svm: atPresent(), slots, history }, bytes, wire, options),
    execute: (bytes, wire) => execute({ svm: atPresent(), slots, history, record }, bytes, wire),
    airdrop: (address, lamports) => {
      const entry = airdropEntry({ slots, history }, address)
      giveLamports(atPresent(), address, lamports)
      record(entry)
      save()
      return entry.signature
    },
    setAccounts: (accounts) => {
      for (const account of accounts) atPresent().setAccount(account)
      save()
    },
    addProgram: (programId, elf) => {
      atPresent().addProgram(programId, elf)
      save()
    },
    save,
    close: () => {
      save()
      history.close()
    },
  }
}

/** What no block after the first can hold: an old blockhash that is no nonce either, or a message that landed before. */
function ageRefusal({ svm, slots, history }: Omit<Parts, 'record'>, wire: Wire): string | undefined {
  const isRecent = slots.isBlockhashValid(bs58.encode(wire.message.blockhash))
  if (!isRecent && !livesByNonce(svm, slots, wire)) return 'BlockhashNotFound'
  return history.hasMessage(messageHash(wire)) ? 'AlreadyProcessed' : undefined
}

function refused(error: string): RunResult {
  return { error, logs: [], unitsConsumed: 0, returnData: null, innerInstructions: [], postAccounts: [] }
}

interface Parts {
  svm: Svm
  slots: Slots
  history: History
  record: (entry: HistoryEntry) => void
}

/** The bytes may have another blockhash than the wire: one that was put there instead. */
function simulate(
  { svm, slots, history }: Omit<Parts, 'record'>,
  bytes: Uint8Array,
  wire: Wire,
  { verifySignatures, checkAge }: { verifySignatures: boolean; checkAge: boolean },
): RunResult {
  const refusal = checkAge ? ageRefusal({ svm, slots, history }, wire) : undefined
  const result = simulateWithNonces(svm, slots, parseWire(bytes), () => svm.simulate(bytes, wire, { verifySignatures }))
  return refusal === undefined || result.error === 'SignatureFailure' ? result : refused(refusal)
}

function execute({ svm, slots, history, record }: Parts, bytes: Uint8Array, wire: Wire): RunResult {
  const refusal = ageRefusal({ svm, slots, history }, wire)
  if (refusal !== undefined) return refused(refusal)
  const loaded = resolveLookups(svm, wire.message)
  const accounts = [...wire.message.keys.map((key) => bs58.encode(key)), ...loaded.writable, ...loaded.readonly]
  const before = balances(svm, accounts)
  const result = runWithNonces(svm, slots, wire, () => svm.execute(bytes, wire))
  if (!hasLanded(result)) return result
  const after = balances(svm, accounts)
  const { slot, unixSeconds } = slots.current()
  record({
    sequence: history.lastSequence() + 1,
    signature: bs58.encode(wire.signatures[0] ?? new Uint8Array()),
    wire: Buffer.from(bytes).toString('base64'),
    slot,
    unixSeconds,
    error: result.error,
    fee: feeOf(wire.message),
    logs: result.logs,
    unitsConsumed: result.unitsConsumed,
    innerInstructions: result.innerInstructions,
    accounts,
    loaded,
    preBalances: before.lamports,
    postBalances: after.lamports,
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
    messageHash: messageHash(wire),
  })
  return result
}

/** A transaction whose instructions failed is in a block, and has cost its fee; one that could not be loaded is not. */
function hasLanded({ error }: RunResult): boolean {
  return error === null || typeof error === 'object'
}

function messageHash({ messageBytes }: Wire): string {
  return createHash('sha256').update(messageBytes).digest('hex')
}

function balances(svm: Svm, addresses: readonly string[]): { lamports: number[]; tokens: TokenBalance[] } {
  const accounts = addresses.map((address) => svm.account(address))
  const tokens = accounts.flatMap((account, accountIndex): TokenBalance[] => {
    const holding = readHolding(account)
    if (!account || !holding) return []
    const decimals = readMint(svm.account(holding.mint))?.decimals ?? 0
    const { mint, owner } = holding
    return [{ accountIndex, mint, owner, programId: account.owner, uiTokenAmount: uiAmount(holding.amount, decimals) }]
  })
  return { lamports: accounts.map((account) => Number(account?.lamports ?? 0n)), tokens }
}

/** Header of a look-up table's account (solana-address-lookup-table: LOOKUP_TABLE_META_SIZE); its keys follow. */
const TABLE_HEADER_BYTES = 56

function resolveLookups(svm: Svm, { lookups }: WireMessage): { writable: string[]; readonly: string[] } {
  const keysOf = (table: Uint8Array, indexes: readonly number[]): string[] => {
    const data = svm.account(bs58.encode(table))?.data ?? new Uint8Array()
    return indexes.map((index) => {
      const start = TABLE_HEADER_BYTES + 32 * index
      return bs58.encode(data.subarray(start, start + 32))
    })
  }
  return {
    writable: lookups.flatMap(({ table, writable }) => keysOf(table, writable)),
    readonly: lookups.flatMap(({ table, readonly }) => keysOf(table, readonly)),
  }
}

function giveLamports(svm: Svm, address: string, lamports: bigint): void {
  const account = svm.account(address)
  const systemProgram = '11111111111111111111111111111111'
  const empty = { address, lamports: 0n, owner: systemProgram, executable: false, data: new Uint8Array() }
  svm.setAccount({ ...(account ?? empty), lamports: (account?.lamports ?? 0n) + lamports })
}

function airdropEntry({ slots, history }: Pick<Parts, 'slots' | 'history'>, address: string): HistoryEntry {
  const { slot, unixSeconds } = slots.current()
  const signature = bs58.encode(randomBytes(64))
  return {
    sequence: history.lastSequence() + 1,
    signature,
    wire: null,
    slot,
    unixSeconds,
    error: null,
    fee: 0,
    logs: [],
    unitsConsumed: 0,
    innerInstructions: [],
    accounts: [address],
    loaded: { writable: [], readonly: [] },
    preBalances: [],
    postBalances: [],
    preTokenBalances: [],
    postTokenBalances: [],
    messageHash: signature,
  }
}

/** Runs what landed after the snapshot once more, each at its own time. */
function replay(svm: Svm, slots: Slots, entries: readonly HistoryEntry[]): void {
  for (const { wire, slot, unixSeconds } of entries) {
    if (wire === null) continue
    const bytes = Buffer.from(wire, 'base64')
    svm.setTime({ slot, height: 0, unixSeconds }, slots)
    const parsed = parseWire(bytes)
    runWithNonces(svm, slots, parsed, () => svm.execute(bytes, parsed))
  }
}
