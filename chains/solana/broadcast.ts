import { AppError } from '../../kernel/errors.js'
import type { Absence } from './absence.js'
import type { SolanaClient } from './client.js'
import { simulationDetails } from './compute-budget.js'
import { isKnown } from './confirm.js'
import { BAD_SIGNATURE, PREFLIGHT_FAILURE, provesUnsent } from './node-rules.js'
import { rpcFailure, type RpcFailure } from './rpc.js'

/**
 * What a node made of a transaction that it was sent. `unknown`: nobody can say whether it arrived; ask by its signature
 * (`isRefused`: it was answered by an error, which may be a refusal whose reason was lost on its way).
 * `processed`: it is on the chain already, in which state has to be read. All others sent nothing.
 */
export type SendOutcome =
  | { kind: 'processed' | 'sent' }
  | { kind: 'unavailable'; reason: string }
  | { kind: 'unknown'; reason: string; isRefused?: boolean }
  | { kind: 'bad_signature' | 'expired' | 'failed_simulation' | 'refused'; details: string }

/**
 * Sends a signed transaction once, past web3.js, whose own errors lack the node's code. The node simulates it first, and
 * sends it on to leaders by itself until its blockhash expires. The same bytes again are harmless.
 * @param raw base64 wire
 * @param minContextSlot the slot that the node must have seen, e.g. of a transaction that this one builds upon
 */
export async function sendWire(client: SolanaClient, raw: string, minContextSlot?: number): Promise<SendOutcome> {
  const config = {
    encoding: 'base64',
    preflightCommitment: 'confirmed',
    ...(minContextSlot !== undefined && { minContextSlot }),
  }
  try {
    await client.call('sendTransaction', [raw, config])
    return { kind: 'sent' }
  } catch (error) {
    const failure = rpcFailure(error)
    if (!failure) throw error
    return outcomeOf(failure)
  }
}

function outcomeOf(failure: RpcFailure): SendOutcome {
  if (failure.kind !== 'refused') {
    return { kind: failure.isRefusal ? 'unavailable' : 'unknown', reason: failure.reason }
  }
  const { code, reason, data } = failure
  const { err, logs } = (data ?? {}) as { err?: unknown; logs?: readonly string[] | null }
  if (err === 'AlreadyProcessed' || /already been processed/i.test(reason)) return { kind: 'processed' }
  if (err === 'BlockhashNotFound' || /blockhash not found/i.test(reason)) return { kind: 'expired', details: reason }
  if (code === BAD_SIGNATURE) return { kind: 'bad_signature', details: reason }
  if (!provesUnsent(failure)) return { kind: 'unknown', reason, isRefused: true }
  if (code !== PREFLIGHT_FAILURE) return { kind: 'refused', details: reason }
  return { kind: 'failed_simulation', details: `${reason} | ${simulationDetails(err ?? null, logs)}` }
}

/** What became of a transaction that was sent; `unknown`: nobody can say yet, ask the chain by its signature. */
export type BroadcastResult = { kind: 'sent' } | { kind: 'unknown'; reason: string }

/** Tells what a transaction's absence is worth, which no node shows; asked only where a node calls it expired. */
export type AbsenceRead = () => Promise<Absence>

/**
 * Sends a transaction that somebody else has signed, once.
 * @param signed `raw`: canonical base64, see `verifySigned`
 * @returns `sent` also where the chain has it already
 * @throws AppError `solana_blockhash_expired`, `broadcast_simulation_failed` (`details`: the cause and the log's end),
 *   `broadcast_rejected`, `broadcast_rpc_unavailable` (it was surely not taken), `confirm_rpc_unavailable`
 */
export async function broadcast(
  client: SolanaClient,
  { raw, signature }: { raw: string; signature: string },
  readAbsence: AbsenceRead,
): Promise<BroadcastResult> {
  return resultOf(client, await sendWire(client, raw), signature, readAbsence)
}

/** What the outcome of a send means for the transaction. Throws as `broadcast`. */
export async function resultOf(
  client: SolanaClient,
  outcome: SendOutcome,
  signature: string,
  readAbsence: AbsenceRead,
): Promise<BroadcastResult> {
  switch (outcome.kind) {
    case 'sent':
    case 'processed':
      return { kind: 'sent' }
    case 'unknown':
      return { kind: 'unknown', reason: outcome.reason }
    case 'unavailable':
      throw new AppError('broadcast_rpc_unavailable', { details: outcome.reason })
    case 'expired':
      return settleExpired(client, signature, readAbsence, outcome.details)
    case 'failed_simulation':
      throw new AppError('broadcast_simulation_failed', { details: outcome.details })
    case 'bad_signature':
    case 'refused':
      throw new AppError('broadcast_rejected', { details: outcome.details })
  }
}

/**
 * The payer signs another transaction once this one is called expired, so it must not have landed by an earlier send whose
 * answer was lost. The node that refuses it may be behind, and not know a fresh blockhash yet: it is no evidence.
 */
async function settleExpired(
  client: SolanaClient,
  signature: string,
  readAbsence: AbsenceRead,
  details: string,
): Promise<BroadcastResult> {
  if (await isKnown(client, signature)) return { kind: 'sent' }
  if ((await readAbsence()) === 'open') return { kind: 'unknown', reason: details }
  throw new AppError('solana_blockhash_expired', { details })
}
