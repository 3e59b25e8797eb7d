import { bringOn, endAll, retrieveStatuses } from './follow-open.js'
import { startWaiting } from './start-waiting.js'
import type { Round, Treasury } from './treasury.js'

/**
 * A round of a treasury, under its lock: what is on its way is followed, what waits is signed and sent, and what is over is written
 * down.
 * @returns what came of it, and whether more could be sent before the next block
 * @throws AppError where the chain is away; where nothing can be sent or signed what has landed is written down all the same
 */
export async function settleRound(treasury: Treasury): Promise<{ outcome: Round; hasRoom: boolean }> {
  const { deps, chain, port } = treasury
  const open = await deps.payouts.findOpen(chain.name, port.account)
  const followed = open.map(({ transaction }) => transaction)
  const statuses = await retrieveStatuses(treasury, followed)
  const { ended, unmined } = statuses
  // What waits is sent first: the next block does not wait for what is written down of the last ones.
  const started = await bringOn(treasury, followed, statuses)
    .then(() => startWaiting(treasury, open, unmined.length))
    .catch((error: unknown) => ({ error }))
  const hasMoved = await endAll(treasury, ended)
  const blocks = ended.flatMap((one) => (one.state === 'confirmed' && one.block ? [one.block.number] : []))
  if (blocks.length > 0) port.noteWritten?.(chain, Math.max(...blocks))
  if (typeof started === 'object') throw started.error
  const hasRoom = unmined.length < port.unminedMax
  if (hasMoved || started === 'progress') return { outcome: 'progress', hasRoom }
  return { outcome: open.length > 0 ? 'waiting' : started, hasRoom }
}
