import { AppError } from '../../kernel/errors.js'
import type { SolanaClient } from './client.js'
import { ask } from './rpc.js'

/** A signed transaction whose blockhash expires, and by what the chain knows it. */
export interface SignedAttempt {
  /** Base58. */
  signature: string
  /** The last block height at which it can land. */
  lastValidBlockHeight: number
  /** The key that it names, by which an address index finds it; see `paymentKey`. */
  reference: string
}

/**
 * What can be said of a transaction that no node shows. `open`: it may land still, or the nodes that answered are not far
 * enough to tell; `proven`: it never landed and cannot any more; `likely`: the same, but only from nodes' histories, which
 * may have gaps: who pays from an account of ours must not sign again on that.
 */
export type Absence = 'open' | 'proven' | 'likely'

/**
 * Slots for which a node surely knows each signature without its history: the status cache holds 300 rooted slots
 * (MAX_RECENT_BLOCKHASHES), and a transaction may have landed up to 150 blocks before its last height.
 */
const PROOF_SLOTS = 100
/** As many signatures of an address as a node gives at once; what is behind them is not seen. */
const SEARCH_MAX = 1000

/**
 * Whether a transaction that no node shows is dead. Nodes behind one address are not all as far, so one node's height says
 * nothing about another node's status: only an answer whose own slot is past the slot at which the last height was final
 * counts. Two look, at the same time so that they take two connections, and each has to find nothing by the signature and
 * nothing by the reference.
 * @throws AppError `confirm_rpc_unavailable` where the height cannot be read
 */
export async function readAbsence(client: SolanaClient, attempt: SignedAttempt): Promise<Absence> {
  const epoch = (await ask('confirm', () => client.call('getEpochInfo', [{ commitment: 'finalized' }]))) as {
    absoluteSlot: number
    blockHeight: number
  }
  const blocksPast = epoch.blockHeight - attempt.lastValidBlockHeight
  if (blocksPast <= 0) return 'open'
  return readAbsenceSince(client, attempt, { slot: epoch.absoluteSlot, blocksPast })
}

/**
 * The same, where it is known by other means that the transaction can land in no block from a slot on.
 * @param since.slot a final slot after the last one in which it could land
 * @param since.blocksPast how many blocks that slot is after it; many where nobody knows
 */
export async function readAbsenceSince(
  client: SolanaClient,
  attempt: Pick<SignedAttempt, 'signature' | 'reference'>,
  since: { slot: number; blocksPast: number },
): Promise<Absence> {
  const answers = await Promise.all([lookFrom(client, attempt, since), lookFrom(client, attempt, since)])
  if (answers.includes('open')) return 'open'
  return answers.includes('likely') ? 'likely' : 'proven'
}

/** One look. */
async function lookFrom(
  client: SolanaClient,
  { signature, reference }: Pick<SignedAttempt, 'signature' | 'reference'>,
  since: { slot: number; blocksPast: number },
): Promise<Absence> {
  try {
    const statuses = (await ask('confirm', () =>
      client.call('getSignatureStatuses', [[signature], { searchTransactionHistory: true }]),
    )) as { context: { slot: number }; value: readonly unknown[] }
    if (statuses.value[0] !== null || statuses.context.slot < since.slot) return 'open'
    const search = { minContextSlot: since.slot, commitment: 'confirmed', limit: SEARCH_MAX }
    const found = (await ask('confirm', () => client.call('getSignaturesForAddress', [reference, search]))) as {
      signature: string
    }[]
    if (found.some((one) => one.signature === signature)) return 'open'
    const slotsPast = statuses.context.slot - since.slot + since.blocksPast
    return slotsPast <= PROOF_SLOTS && found.length < SEARCH_MAX ? 'proven' : 'likely'
  } catch (error) {
    // A node that is behind the slot says so by an error: the answer of another is needed.
    if (error instanceof AppError) return 'open'
    throw error
  }
}
