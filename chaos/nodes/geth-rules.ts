import { keccak256, parseTransaction, recoverTransactionAddress, type Hex, type TransactionSerialized } from 'viem'
import type { Ask, RpcOutcome } from './json-rpc.js'

/** What geth's pool holds of one account (go-ethereum: legacypool.go, DefaultConfig). */
const EXECUTABLE_SLOTS = 16
const QUEUED_SLOTS = 64
/** By how much both fees of a replacement have to be higher, in percent (`PriceBump`). */
const PRICE_BUMP_PERCENT = 10n

const UNDERPRICED: RpcOutcome = { error: { code: -32000, message: 'replacement transaction underpriced' } }
const POOL_FULL: RpcOutcome = { error: { code: -32000, message: 'txpool is full' } }

interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** A transaction that waits, as anvil shows it. */
interface Waiting {
  hash: Hex
  gasPrice: Hex
  maxFeePerGas?: Hex
  maxPriorityFeePerGas?: Hex
}

type PoolContent = Readonly<
  Record<'pending' | 'queued', Readonly<Record<string, Readonly<Record<string, Waiting>>>> | undefined>
>

/**
 * Refuses what geth's pool refuses and anvil's takes: a replacement that pays less than 10 % more on both fees, and more
 * waiting transactions of one account than it has slots.
 * @returns undefined where geth would take it, or where anvil itself is the one to say what is wrong
 */
export async function gethRefusal(ask: Ask, raw: Hex): Promise<RpcOutcome | undefined> {
  const status = await ask('txpool_status', [])
  if ('error' in status) return undefined
  const { pending, queued } = status.result as { pending: Hex; queued: Hex }
  // Most of the time nothing waits; to recover a sender costs a millisecond.
  if (Number(pending) + Number(queued) === 0) return undefined
  const sent = await read(raw)
  if (!sent) return undefined
  const content = await ask('txpool_content', [])
  if ('error' in content) return undefined
  const pool = content.result as PoolContent
  const executable = ofAccount(pool.pending, sent.from)
  const waiting = ofAccount(pool.queued, sent.from)
  const present = executable[sent.nonce] ?? waiting[sent.nonce]
  if (present) return present.hash === sent.hash || pays(sent.fees, feesOf(present)) ? undefined : UNDERPRICED
  const nonces = Object.keys(executable).map(Number)
  const isExecutable = nonces.length === 0 ? Object.keys(waiting).length === 0 : sent.nonce <= Math.max(...nonces) + 1
  if (isExecutable) return nonces.length >= EXECUTABLE_SLOTS ? POOL_FULL : undefined
  return Object.keys(waiting).length >= QUEUED_SLOTS ? POOL_FULL : undefined
}

async function read(raw: Hex) {
  try {
    const { nonce = 0, ...transaction } = parseTransaction(raw)
    const { gasPrice = 0n, maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice } = transaction
    const from = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })
    return { nonce, from: from.toLowerCase(), hash: keccak256(raw), fees: { maxFeePerGas, maxPriorityFeePerGas } }
  } catch {
    return undefined
  }
}

function ofAccount(part: PoolContent['pending'], from: string): Readonly<Record<string, Waiting>> {
  const found = Object.entries(part ?? {}).find(([address]) => address.toLowerCase() === from)
  return found?.[1] ?? {}
}

function feesOf({ gasPrice, maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice }: Waiting): Fees {
  return { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) }
}

function pays(sent: Fees, present: Fees): boolean {
  const enough = (offered: bigint, before: bigint): boolean =>
    offered * 100n >= before * (100n + PRICE_BUMP_PERCENT) && offered > before
  return (
    enough(sent.maxFeePerGas, present.maxFeePerGas) && enough(sent.maxPriorityFeePerGas, present.maxPriorityFeePerGas)
  )
}
