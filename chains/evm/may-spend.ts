import type { EvmTransactionRequest } from './build-call.js'
import type { EvmClient } from './client.js'
import { findMined } from './find-mined.js'
import { isSameCall } from './find-replacement.js'
import { readNextNonces } from './free-nonce.js'
import { ask } from './rpc.js'

/** Transactions of an account that are looked up by their nonces; of more, nothing is ruled out. */
const NONCES_MAX = 16

/**
 * Whether an account may have sent a transaction that was built for it: where its count has gone past the nonce that was built, that is
 * not ruled out. Where it has not, transactions were waiting when it was built, and the wallet may have put this one in the place of one
 * of them: what has taken their nonces is looked at.
 * @param minedNonce the account's count of mined transactions when it was built; undefined where none was waiting
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function maySpend(
  client: EvmClient,
  built: EvmTransactionRequest,
  minedNonce: number | undefined,
): Promise<boolean> {
  const { from } = built
  if ((await readNextNonces(client, from)) > built.nonce) return true
  if (minedNonce === undefined) return false
  const used = await ask('confirm', () => client.getTransactionCount({ address: from, blockTag: 'latest' }))
  if (used - minedNonce > NONCES_MAX) return true
  const call = { to: built.to, value: BigInt(built.value), data: built.data }
  for (let nonce = minedNonce; nonce < used; nonce += 1) {
    const { transaction } = await findMined(client, { from, nonce })
    if (!transaction || isSameCall(call, transaction)) return true
  }
  return false
}
