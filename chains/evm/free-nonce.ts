import { parseTransaction, recoverTransactionAddress, type Address, type Hex, type TransactionSerialized } from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { EvmTransactionRequest } from './build-call.js'
import type { EvmClient } from './client.js'
import { askTogether, numberOf } from './batch.js'
import { isKnown } from './confirm.js'
import { lacksNumber } from './node-rules.js'
import { ask } from './rpc.js'

/**
 * Refuses a transaction that would wait for ever, because the nonces before its own were never sent, and one that would undo what
 * its account has paid with: where the chain has dropped that, it shows its nonce as free until it is sent again. One with the
 * nonce that was built is taken without asking the chain. A node that is behind counts too few, so two are asked and the higher
 * count holds; where both are behind the payer is refused without need, and may send the same again.
 * @param built what was handed out
 * @param paidWith what the account has paid with, as far as that is not final
 * @throws AppError `stale_transaction_nonce`, `confirm_rpc_unavailable`
 */
export async function assertNonce(
  client: EvmClient,
  built: EvmTransactionRequest,
  { hash, raw }: { hash: Hex; raw: Hex },
  paidWith: readonly Hex[],
): Promise<void> {
  const nonce = nonceOf(raw)
  const paid = paidWith.map(nonceOf)
  const undoes = paid.includes(nonce)
  if (!undoes && nonce <= built.nonce) return
  const next = Math.max(await readNextNonces(client, built.from), ...paid.map((taken) => taken + 1))
  // What a node has taken already was not ours to refuse.
  if ((!undoes && nonce <= next) || (await isKnown(client, hash))) return
  throw stale(nonce, next)
}

function nonceOf(raw: Hex): number {
  return parseTransaction(raw).nonce ?? 0
}

function stale(nonce: number, next: number): AppError {
  return new AppError('stale_transaction_nonce', {
    message: `The transaction's nonce is ${nonce}, and the account's next one is ${next}; create the transaction again.`,
  })
}

/**
 * Whether a signed transaction waits behind nonces that no pool has.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function hasNonceGap(client: EvmClient, raw: Hex): Promise<boolean> {
  const nonce = nonceOf(raw)
  const from = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })
  return nonce > (await readNextNonces(client, from))
}

/** Whether a transaction that is to be built takes the nonce of one of these. */
export function takesNonceOf({ nonce }: EvmTransactionRequest, raws: readonly Hex[]): boolean {
  return raws.some((raw) => nonceOf(raw) === nonce)
}

/**
 * Those of an account's transactions, which landed, whose nonces a node shows as free, the lowest first: a reorganisation has
 * dropped them, or that node is behind. Of two nodes' counts the lower holds: one on the branch that was left would hide it.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function findDropped(client: EvmClient, address: Address, landed: readonly Hex[]): Promise<Hex[]> {
  if (landed.length === 0) return []
  const count = { method: 'eth_getTransactionCount', params: [address, 'latest'] }
  const looks = await Promise.all([askTogether(client, [count], 0), askTogether(client, [count], 1)])
  const told = looks.flat().filter((answer) => 'result' in answer && !lacksNumber(count.method, answer))
  if (told.length === 0) throw new AppError('confirm_rpc_unavailable')
  const next = Math.min(...told.map((answer) => Number(numberOf(answer))))
  return landed.filter((raw) => nonceOf(raw) >= next).toSorted((one, other) => nonceOf(one) - nonceOf(other))
}

/** The higher of two nodes' counts, what waits in their pools included. Throws `confirm_rpc_unavailable`. */
export async function readNextNonces(client: EvmClient, address: Address): Promise<number> {
  const count = (): Promise<number> =>
    ask('confirm', () => client.getTransactionCount({ address, blockTag: 'pending' }))
  return Math.max(...(await Promise.all([count(), count()])))
}
