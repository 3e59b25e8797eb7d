import bs58 from 'bs58'
import { parseWire } from '../../../chains/solana/wire.js'
import type { Bank } from '../bank.js'
import type { HistoryEntry } from '../history.js'
import { inContext, type Methods } from './methods.js'
import { addressAt, checkContextSlot, configAt, listAt, textAt, type Config } from './params.js'
import { invalidParams, RpcError } from './rpc-error.js'

/** A node's status cache holds the newest blocks only; older ones are found where the caller asks for the history. */
const STATUS_CACHE_SLOTS = 300

/** Methods that tell what happened. */
export function historyMethods(bank: Bank): Methods {
  const { history, slots } = bank
  return {
    getSignatureStatuses: (params) => {
      const signatures = listAt(params, 0, 256).map(signature)
      const searches = configAt(params, 1)['searchTransactionHistory'] === true
      const { slot } = slots.current()
      const known = signatures.map((wanted) => {
        const entry = history.find(wanted)
        return entry && (searches || entry.slot >= slot - STATUS_CACHE_SLOTS) ? statusView(entry) : null
      })
      return inContext(slots, known)
    },
    getSignaturesForAddress: (params) => signaturesForAddress(bank, addressAt(params, 0), configAt(params, 1)),
    getTransaction: (params) => {
      const second = params[1]
      const config = typeof second === 'string' ? { encoding: second } : configAt(params, 1)
      const entry = history.find(signature(textAt(params, 0)))
      return entry?.wire == null ? null : transactionView(entry, entry.wire, config)
    },
  }
}

function signature(value: unknown): string {
  const bytes = typeof value === 'string' && value.length <= 88 ? bs58.decodeUnsafe(value) : undefined
  if (typeof value !== 'string' || !bytes) throw invalidParams('Invalid param: Invalid')
  if (bytes.length !== 64) throw invalidParams('Invalid param: WrongSize')
  return value
}

function statusView({ slot, error }: HistoryEntry): object {
  return {
    slot,
    confirmations: null,
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    confirmationStatus: 'finalized',
  }
}

function signaturesForAddress(bank: Bank, key: string, config: Config): object[] {
  checkContextSlot(config, bank.slots)
  const { before, until, limit = 1000 } = config as { before?: unknown; until?: unknown; limit?: unknown }
  if (typeof limit !== 'number' || limit < 1 || limit > 1000) throw invalidParams('Invalid limit; max 1000')
  const entries = bank.history.ofAddress(key)
  const start = before === undefined ? 0 : entries.findIndex((entry) => entry.signature === before) + 1
  const end = until === undefined ? -1 : entries.findIndex((entry) => entry.signature === until)
  return entries
    .slice(start, end === -1 ? undefined : end)
    .slice(0, limit)
    .map((entry) => ({
      signature: entry.signature,
      slot: entry.slot,
      blockTime: entry.unixSeconds,
      err: entry.error,
      memo: memoOf(entry),
      confirmationStatus: 'finalized',
    }))
}

const MEMO_PROGRAMS = ['Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr']

/** The memos as a node keeps them: the length in brackets, then the text. */
function memoOf({ wire }: HistoryEntry): string | null {
  if (wire === null) return null
  const { keys, instructions } = parseWire(Buffer.from(wire, 'base64')).message
  const memos = instructions
    .filter(({ programIdIndex }) => MEMO_PROGRAMS.includes(bs58.encode(keys[programIdIndex] ?? new Uint8Array())))
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`)
  return memos.length === 0 ? null : memos.join('; ')
}

function transactionView(entry: HistoryEntry, base64: string, config: Config): object {
  const { encoding = 'json', maxSupportedTransactionVersion } = config as {
    encoding?: unknown
    maxSupportedTransactionVersion?: unknown
  }
  const bytes = Buffer.from(base64, 'base64')
  const { version } = parseWire(bytes).message
  if (version === 0 && maxSupportedTransactionVersion === undefined) {
    const advice = 'Please set the "maxSupportedTransactionVersion" parameter to "0" to read this transaction'
    throw new RpcError(-32015, `Transaction version (0) is not supported by the requesting client. ${advice}`)
  }
  return {
    slot: entry.slot,
    blockTime: entry.unixSeconds,
    transaction: encodeTransaction(bytes, encoding),
    meta: metaView(entry),
    ...(maxSupportedTransactionVersion !== undefined && { version }),
  }
}

function encodeTransaction(bytes: Uint8Array, encoding: unknown): unknown {
  if (encoding === 'base64') return [Buffer.from(bytes).toString('base64'), 'base64']
  if (encoding === 'base58') return [bs58.encode(bytes), 'base58']
  // `jsonParsed` would need every program's parser.
  if (encoding !== 'json') throw invalidParams(`the sandbox has no encoding ${String(encoding)} for transactions`)
  const { signatures, message } = parseWire(bytes)
  const { requiredSignatures, readonlySigned, readonlyUnsigned, keys, blockhash, instructions, lookups } = message
  return {
    signatures: signatures.map((bytesOfOne) => bs58.encode(bytesOfOne)),
    message: {
      header: {
        numRequiredSignatures: requiredSignatures,
        numReadonlySignedAccounts: readonlySigned,
        numReadonlyUnsignedAccounts: readonlyUnsigned,
      },
      accountKeys: keys.map((key) => bs58.encode(key)),
      recentBlockhash: bs58.encode(blockhash),
      instructions: instructions.map(({ programIdIndex, accountIndexes, data }) => ({
        programIdIndex,
        accounts: accountIndexes,
        data: bs58.encode(data),
        stackHeight: 1,
      })),
      ...(message.version === 0 && {
        addressTableLookups: lookups.map(({ table, writable, readonly }) => ({
          accountKey: bs58.encode(table),
          writableIndexes: writable,
          readonlyIndexes: readonly,
        })),
      }),
    },
  }
}

function metaView(entry: HistoryEntry): object {
  const { error } = entry
  return {
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    fee: entry.fee,
    preBalances: entry.preBalances,
    postBalances: entry.postBalances,
    preTokenBalances: entry.preTokenBalances,
    postTokenBalances: entry.postTokenBalances,
    innerInstructions: entry.innerInstructions,
    logMessages: entry.logs,
    loadedAddresses: entry.loaded,
    rewards: [],
    computeUnitsConsumed: entry.unitsConsumed,
  }
}
