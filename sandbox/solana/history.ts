import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs'
import type { InnerInstructions } from './svm.js'
import type { TransactionErrorJson } from './transaction-error.js'

/** A token account's balance before or after a transaction, as JSON-RPC shows it. */
export interface TokenBalance {
  accountIndex: number
  mint: string
  owner: string
  programId: string
  uiTokenAmount: { amount: string; decimals: number; uiAmount: number | null; uiAmountString: string }
}

/** One transaction that landed, whether it succeeded or failed. All of it is JSON. */
export interface HistoryEntry {
  /** Counts the chain's transactions from 1. */
  sequence: number
  /** Base58. */
  signature: string
  /** Base64; null for an airdrop, which no wire asked for. */
  wire: string | null
  slot: number
  unixSeconds: number
  error: TransactionErrorJson | null
  fee: number
  logs: readonly string[]
  unitsConsumed: number
  innerInstructions: readonly InnerInstructions[]
  /** Every account that the transaction names, those from tables last; base58. */
  accounts: readonly string[]
  loaded: { writable: readonly string[]; readonly: readonly string[] }
  preBalances: readonly number[]
  postBalances: readonly number[]
  preTokenBalances: readonly TokenBalance[]
  postTokenBalances: readonly TokenBalance[]
  /** SHA-256 of the message, hex: the chain takes a message once, however often it is signed. */
  messageHash: string
}

/** All transactions of the chain. */
export interface History {
  add: (entry: HistoryEntry) => void
  find: (signature: string) => HistoryEntry | undefined
  hasMessage: (messageHash: string) => boolean
  /** Those that name an address, newest first. */
  ofAddress: (address: string) => readonly HistoryEntry[]
  /** Those after a sequence, oldest first. */
  after: (sequence: number) => HistoryEntry[]
  lastSequence: () => number
  close: () => void
}

/**
 * Opens the history. Each entry is appended to the file before anybody is told of it, so that a chain that is killed
 * knows everything that it has answered; half a line at the end is an entry that nobody was told of.
 * @param file JSON lines; without it the history is kept in memory only
 */
export function openHistory(file?: string): History {
  const entries: HistoryEntry[] = []
  const bySignature = new Map<string, HistoryEntry>()
  const byAddress = new Map<string, HistoryEntry[]>()
  const messages = new Set<string>()
  const index = (entry: HistoryEntry): void => {
    entries.push(entry)
    bySignature.set(entry.signature, entry)
    messages.add(entry.messageHash)
    for (const address of new Set(entry.accounts)) {
      const named = byAddress.get(address)
      if (named) named.push(entry)
      else byAddress.set(address, [entry])
    }
  }
  const text = file === undefined ? '' : read(file)
  const lines = text.split('\n')
  // What is behind the last newline was not written to its end.
  const torn = lines.pop() !== ''
  for (const line of lines) {
    const entry = parseLine(line)
    if (entry) index(entry)
  }
  const descriptor = file === undefined ? undefined : openSync(file, 'a', 0o600)
  if (torn && descriptor !== undefined) appendFileSync(descriptor, '\n')
  return {
    add: (entry) => {
      if (descriptor !== undefined) appendFileSync(descriptor, `${JSON.stringify(entry)}\n`)
      index(entry)
    },
    find: (signature) => bySignature.get(signature),
    hasMessage: (messageHash) => messages.has(messageHash),
    ofAddress: (address) => (byAddress.get(address) ?? []).toReversed(),
    after: (sequence) => entries.filter((entry) => entry.sequence > sequence),
    lastSequence: () => entries.at(-1)?.sequence ?? 0,
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function parseLine(line: string): HistoryEntry | undefined {
  try {
    return JSON.parse(line) as HistoryEntry
  } catch {
    return undefined
  }
}
