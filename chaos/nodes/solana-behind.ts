import bs58 from 'bs58'
import { parseWire, type WireMessage } from '../../chains/solana/wire.js'
import type { Ask, RpcCall, RpcOutcome } from './json-rpc.js'
import { accountAt, lamportsAt, tokenAmountAt } from './solana-accounts.js'
import { signaturesAt, statusesAt, transactionAt } from './solana-history.js'
import { configOf, contextRefusal, knowsBlockhash, olderBlockhash, type SlotView } from './solana-view.js'

const NO_ACCOUNT: RpcOutcome = { error: { code: -32602, message: 'Invalid param: could not find account' } }

type Account = Parameters<typeof accountAt>[2]
type InContext<T> = { context: { slot: number }; value: T }

/**
 * Answers a call as a node at the view's slot does. Every method is cut there, but for `getProgramAccounts`,
 * `getTokenSupply`, simulations, and the data of accounts that are not token accounts: those are of the real head.
 */
export async function answerAtSlot(ask: Ask, view: SlotView, call: RpcCall): Promise<RpcOutcome> {
  const { method, params } = call
  const refusal = await contextRefusal(view, params)
  if (refusal) return refusal
  if (method === 'getSignatureStatuses') return { result: await statusesAt(view, params) }
  if (method === 'getSignaturesForAddress') return { result: await signaturesAt(view, params) }
  if (method === 'getTransaction') return { result: await transactionAt(view, params) }
  if (view.lag === 0) return ask(method, params)
  if (method === 'sendTransaction' || method === 'simulateTransaction') {
    const unknown = unknownBlockhash(view, call)
    if (unknown) return unknown
  }
  const outcome = await ask(method, params)
  return 'error' in outcome ? outcome : older(view, call, outcome.result)
}

/** A result of the real node as the lagging one gives it. */
async function older(view: SlotView, { method, params }: RpcCall, result: unknown): Promise<RpcOutcome> {
  const { lag, processed } = view
  const address = String(params[0])
  switch (method) {
    case 'getSlot':
    case 'getBlockHeight':
      return { result: Number(result) - lag }
    case 'getBlockTime':
      return { result: Number(params[0]) > processed ? null : result }
    case 'getEpochInfo': {
      const { absoluteSlot, blockHeight, slotIndex, ...rest } = result as Record<string, number>
      const behind = (value: number | undefined): number => (value ?? 0) - lag
      const slots = {
        absoluteSlot: behind(absoluteSlot),
        blockHeight: behind(blockHeight),
        slotIndex: behind(slotIndex),
      }
      return { result: { ...rest, ...slots } }
    }
    case 'getRecentPrioritizationFees':
      return { result: (result as { slot: number }[]).map((fee) => ({ ...fee, slot: fee.slot - lag })) }
    case 'getLatestBlockhash': {
      const { blockhash, lastValidBlockHeight } = valueOf<{ blockhash: string; lastValidBlockHeight: number }>(result)
      const value = { blockhash: olderBlockhash(view, blockhash), lastValidBlockHeight: lastValidBlockHeight - lag }
      return inContext(view, result, value)
    }
    case 'isBlockhashValid':
      return inContext(view, result, knowsBlockhash(view, address))
    case 'getBalance':
      return inContext(view, result, await lamportsAt(view, address, valueOf(result)))
    case 'getAccountInfo':
      return inContext(view, result, await accountAt(view, address, valueOf<Account>(result)))
    case 'getMultipleAccounts': {
      const keys = params[0] as string[]
      const accounts = valueOf<Account[]>(result)
      const earlier = await Promise.all(accounts.map((account, index) => accountAt(view, keys[index] ?? '', account)))
      return inContext(view, result, earlier)
    }
    case 'getTokenAccountBalance': {
      const amount = await tokenAmountAt(view, address, valueOf(result))
      return amount === null ? NO_ACCOUNT : inContext(view, result, amount)
    }
    case 'getTokenAccountsByOwner': {
      const found = await Promise.all(
        valueOf<{ pubkey: string; account: Account }[]>(result).map(async ({ pubkey, account }) => ({
          pubkey,
          account: await accountAt(view, pubkey, account),
        })),
      )
      return inContext(
        view,
        result,
        found.filter(({ account }) => account !== null),
      )
    }
    default:
      return hasContext(result) ? inContext(view, result, result.value) : { result }
  }
}

/** A node that has not seen the blockhash yet takes it for an old one: the best known trouble of a lagging node. */
function unknownBlockhash(view: SlotView, { method, params }: RpcCall): RpcOutcome | undefined {
  const config = configOf(params)
  if (config['skipPreflight'] === true || config['replaceRecentBlockhash'] === true) return undefined
  const blockhash = readBlockhash(String(params[0]), config['encoding'])
  if (blockhash === undefined || knowsBlockhash(view, blockhash)) return undefined
  const value = { err: 'BlockhashNotFound', logs: [], accounts: null, unitsConsumed: 0, returnData: null }
  if (method === 'simulateTransaction') return { result: { context: { slot: view.processed }, value } }
  return { error: { code: -32002, message: 'Transaction simulation failed: Blockhash not found', data: value } }
}

/** Undefined for what cannot be read, and for what lives by a nonce. */
function readBlockhash(text: string, encoding: unknown): string | undefined {
  try {
    const { message } = parseWire(encoding === 'base64' ? Buffer.from(text, 'base64') : bs58.decode(text))
    return advancesNonce(message) ? undefined : bs58.encode(message.blockhash)
  } catch {
    return undefined
  }
}

/** The system program, whose key is all zeroes, and its instruction AdvanceNonceAccount. */
const ADVANCE = '04000000'

function advancesNonce({ keys, instructions: [first] }: WireMessage): boolean {
  if (!first || Buffer.from(first.data).toString('hex') !== ADVANCE) return false
  return keys[first.programIdIndex]?.every((byte) => byte === 0) ?? false
}

function hasContext(result: unknown): result is InContext<unknown> {
  return typeof result === 'object' && result !== null && 'context' in result && 'value' in result
}

function valueOf<T>(result: unknown): T {
  return (result as InContext<T>).value
}

function inContext({ lag }: SlotView, result: unknown, value: unknown): RpcOutcome {
  const { context } = result as InContext<unknown>
  return { result: { context: { ...context, slot: context.slot - lag }, value } }
}
