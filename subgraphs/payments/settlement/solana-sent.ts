import { readEffects } from '../../../chains/solana/confirm.js'
import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import { withConcurrency } from '../../../kernel/with-concurrency.js'
import type { ForeignTransfer } from './payout-chain.js'
import type { ChainContext } from './solana-balances.js'
import { coinsGiven, transfersIn } from './solana-effects.js'

/** What went to somebody, without the time of its block. */
type Sent = Omit<ForeignTransfer, 'minedAt'>

const READ_AT_ONCE = 8

/**
 * Reads what transactions have sent from an account to others.
 * @param found told of each that was read, also where another one cannot be
 * @throws AppError confirm_rpc_unavailable
 */
export async function readSent(
  context: ChainContext,
  account: string,
  named: readonly { signature: string; slot: number }[],
  found: (signature: string, sent: Sent[]) => void,
): Promise<void> {
  await withConcurrency(named, READ_AT_ONCE, async ({ signature, slot }) => {
    const sent = await sentIn(context, account, { hash: signature, blockNumber: slot })
    // The node that answers is behind the one that told of it, or one of the two names a slot that is not the transaction's.
    if (!sent) throw new AppError('confirm_rpc_unavailable', { details: `no node shows ${signature}` })
    found(signature, sent)
  })
}

/** What went to others; undefined where no node shows the transaction in that slot. */
async function sentIn(
  context: ChainContext,
  account: string,
  of: { hash: string; blockNumber: number },
): Promise<Sent[] | undefined> {
  const effects = await readEffects(context.client, of.hash)
  if (effects?.slot !== of.blockNumber) return undefined
  const { tokens, nativeCoin } = context.chain
  // What others have signed gives nothing of the treasury's coins.
  const isOwn = effects.transaction.message.accountKeys[0] === account
  const coins = (isOwn ? coinsGiven(effects, account) : []).map(({ index, owner, units }) => ({
    ...of,
    ...{ logIndex: index, other: owner, currency: nativeCoin.symbol },
    amount: fromBaseUnits(units, nativeCoin.decimals),
  }))
  const ofTokens = transfersIn(effects, { ...of, account, tokens }).filter(({ direction }) => direction === 'out')
  // A payment's reference is one of them; see `transferInstructions`.
  const references = isOwn ? effects.transaction.message.accountKeys : []
  return [...ofTokens, ...coins].map((one) => ({ ...one, references }))
}
