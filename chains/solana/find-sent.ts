import bs58 from 'bs58'
import { ask } from './rpc.js'
import type { SolanaClient } from './client.js'

/** A signature in base58, as it is; undefined where a text is none. */
export function solanaSignature(text: string): string | undefined {
  // 64 bytes are at most 88 characters; the bound comes first because base58 decoding is quadratic.
  return text.length <= 88 && bs58.decodeUnsafe(text)?.length === 64 ? text : undefined
}

/**
 * The signed wire of a transaction that somebody else has sent, base64.
 * @returns undefined where the node does not show it yet
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function findSentSolana(client: SolanaClient, signature: string): Promise<string | undefined> {
  const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 }
  const shown = (await ask('confirm', () => client.call('getTransaction', [signature, config]))) as {
    transaction?: unknown
  } | null
  const [wire] = Array.isArray(shown?.transaction) ? (shown.transaction as unknown[]) : []
  return typeof wire === 'string' ? wire : undefined
}

/** More than anyone sends for one payment. */
const SIGNATURES_MAX = 20

/**
 * The newest transactions that name a reference, did not fail, and will not be dropped any more, in base58.
 * @param reference see `paymentKey`
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function findByReference(client: SolanaClient, reference: string): Promise<string[]> {
  const search = { commitment: 'confirmed', limit: SIGNATURES_MAX }
  const found = await ask('confirm', () => client.call('getSignaturesForAddress', [reference, search]))
  return (found as readonly { err: unknown; signature: string }[])
    .filter(({ err }) => err === null)
    .map(({ signature }) => signature)
}
