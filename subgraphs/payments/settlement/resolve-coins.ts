import { isPositive, subtract } from '../../../kernel/money.js'
import type { InterventionResult } from '../store/interventions.js'
import type { HeldCoins } from '../store/held-coins.js'
import { COIN_PLACE, type TreasuryMovement } from './payout-chain.js'
import { resolveTransaction } from './resolve-transaction.js'
import type { ChainTreasuries, Treasury } from './treasury.js'

/** Begins the subject of such a decision. */
const COINS = 'coins:'

/** What a decision about a payout in coins is about: the payout, and the transaction that has made it. */
export function coinsSubject({ paymentId, splitIndex }: HeldCoins, hash: string): string {
  return `${COINS}${paymentId}:${splitIndex}:${hash}`
}

export function isAboutCoins(subject: string): boolean {
  return subject.startsWith(COINS)
}

/**
 * Counts a payout in coins, which is held since the treasury may have made it before a restore, as paid by a transaction. An operator
 * says by which one; the chain has to show that an account of the treasury has sent it, and, as far as it tells, to whom and how much.
 * @throws AppError confirm_rpc_unavailable
 */
export async function resolveCoins(
  { deps, chain, treasuries }: ChainTreasuries,
  subject: string,
): Promise<InterventionResult> {
  const [paymentId = '', place, hash = ''] = subject.slice(COINS.length).split(':')
  const payout = (await deps.heldCoins.find(paymentId)).find(({ splitIndex }) => splitIndex === Number(place))
  if (!payout) return refused('it is not held any more')
  for (const treasury of treasuries) {
    const movement = await treasury.port.audit?.movementOf(chain, hash)
    // Of what others have sent the account bears no cost.
    if (!movement?.cost) continue
    const { sent, problem } = coinsIn(treasury, movement, payout)
    return problem === undefined ? resolveBy(treasury, payout, { hash, movement, sent }) : refused(problem)
  }
  return refused('no confirmed transaction of the treasury has this hash')
}

async function resolveBy(
  treasury: Treasury,
  payout: HeldCoins,
  { hash, movement, sent }: { hash: string; movement: TreasuryMovement; sent: string | undefined },
): Promise<InterventionResult> {
  const { deps, chain, port } = treasury
  const raw = (await port.readRaw(chain, hash)) ?? '0x'
  const { blockNumber } = movement
  const id = await deps.heldCoins.name(payout, { account: port.account, hash, blockNumber, raw, most: sent })
  if (id === undefined) return refused('it has paid others, or the payout is another one by now')
  return resolveTransaction(treasury, await deps.landed.findVersions({ batchId: id }))
}

/** How many coins a transaction has sent, undefined where the chain does not tell, and why it cannot have made a payout. */
function coinsIn(
  { chain }: Treasury,
  { transfers }: TreasuryMovement,
  { receiver, amount, symbol }: HeldCoins,
): { sent: string | undefined; problem?: string } {
  const coins = transfers.find(({ logIndex, direction }) => logIndex === COIN_PLACE && direction === 'out')
  // An EVM account that pays several calls itself: what it sends on leaves no trace.
  if (!coins) return chain.family === 'evm' ? { sent: undefined } : { sent: '0', problem: 'it has sent no coins' }
  const { other, amount: sent } = coins
  if (chain.family === 'evm' && other.toLowerCase() !== receiver.toLowerCase())
    return { sent, problem: `it has sent ${sent} ${symbol} to ${other}` }
  return isPositive(subtract(amount, sent)) ? { sent, problem: `it has sent ${sent} ${symbol} only` } : { sent }
}

function refused(result: string): InterventionResult {
  return { state: 'refused', result }
}
