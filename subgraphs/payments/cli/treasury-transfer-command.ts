import { userInfo } from 'node:os'
import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import { idSource } from '../../../kernel/ids.js'
import { reconcileJob } from '../domain/reconciliation/reconcile-jobs.js'
import { ownerTransfersStore } from '../store/owner-transfers.js'
import type { Answer, Books } from './answer.js'
import { untilCarriedOut } from './until-carried-out.js'

/** Of an EVM chain, or a signature of Solana. */
const HASH = /^(0x[\da-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/

/**
 * `treasury-transfer`: a transaction funds the treasury, or takes something out of it for its owner. The order is written down
 * here; a worker, which knows the chain, books what the transaction has moved or refuses it.
 * @returns the order with what came of it; code 1 where it was refused, was there before, or nobody has carried it out within 20 seconds
 * @throws UsageError
 */
export async function orderTreasuryTransfer({ db, clock }: Books, [hash, ...args]: readonly string[]): Answer {
  const spelled = readHash(hash)
  const values = readOptions(args, { chain: { type: 'string' }, reason: { type: 'string' }, by: { type: 'string' } })
  const [chainName, reason] = [neededOption(values, 'chain'), neededOption(values, 'reason')]
  const orderedBy = values['by'] === undefined ? userInfo().username : neededOption(values, 'by')
  const store = ownerTransfersStore(db, clock)
  const given = { id: idSource(() => clock.now())(), chainName, hash: spelled, reason, orderedBy }
  const ordered = await store.order(given, reconcileJob({ chainName }))
  if (ordered) return untilCarriedOut(ordered, () => store.find(ordered.id))
  return { answer: (await store.findStanding(chainName, spelled)) ?? given, code: 1 }
}

/** Reads a transaction's hash, spelled as the books have it. @throws UsageError */
export function readHash(hash: string | undefined): string {
  if (hash === undefined || !HASH.test(hash)) throw new UsageError('Which transaction? It goes by its hash.')
  return hash.startsWith('0x') ? hash.toLowerCase() : hash
}
