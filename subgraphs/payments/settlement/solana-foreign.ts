import { readEffects } from '../../../chains/solana/confirm.js'
import { ask } from '../../../chains/solana/rpc.js'
import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import type { ForeignTransactions, ForeignTransfer, KnownTransactions } from './payout-chain.js'
import type { ChainContext } from './solana-balances.js'
import { coinsGiven, transfersIn } from './solana-effects.js'

const PAGE = 1_000
const PAGES_MAX = 200

interface Named {
  signature: string
  slot: number
  blockTime: number | null
  err: unknown
  confirmationStatus?: string | null
}

/**
 * What an account has signed that the database does not know, since the newest signature that was looked at: there are no nonces
 * on Solana, so every transaction that names the account is looked at once.
 * @throws AppError confirm_rpc_unavailable
 */
export async function readForeignSolana(
  context: ChainContext,
  account: string,
  known: KnownTransactions,
): Promise<ForeignTransactions | 'none'> {
  const named = await namedSince(context, account, known)
  const signature = named.find(({ confirmationStatus }) => confirmationStatus === 'finalized')?.signature
  if (signature === undefined && named.length === 0) return 'none'
  const ours = await known.ours(named.map((one) => one.signature))
  const transfers: ForeignTransfer[] = []
  for (const { signature: hash, slot, blockTime, err } of named) {
    if (err !== null || ours.has(hash)) continue
    const sent = await sentIn(context, account, { hash, blockNumber: slot })
    // The node that answers is behind the one that told of it.
    if (!sent) throw new AppError('confirm_rpc_unavailable', { details: `no node shows ${hash}` })
    transfers.push(...sent.map((one) => ({ ...one, minedAt: new Date((blockTime ?? 0) * 1_000) })))
  }
  return { transfers, mayHaveSentCoins: false, nonce: 0, block: undefined, signature: signature ?? known.signature }
}

async function namedSince({ client }: ChainContext, account: string, known: KnownTransactions): Promise<Named[]> {
  const named: Named[] = []
  const since = known.signature === undefined ? (await known.since()).getTime() / 1_000 : 0
  const until = known.signature === undefined ? {} : { until: known.signature }
  let before: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const search = { commitment: 'confirmed', limit: PAGE, ...until, ...(before !== undefined && { before }) }
    const page = (await ask('confirm', () =>
      client.call('getSignaturesForAddress', [account, search]),
    )) as readonly Named[]
    named.push(...page.filter(({ blockTime }) => (blockTime ?? Infinity) >= since))
    const last = page.at(-1)
    if (page.length < PAGE || !last || (last.blockTime ?? Infinity) < since) return named
    before = last.signature
  }
  throw new AppError('confirm_rpc_unavailable', {
    details: `more than ${PAGES_MAX * PAGE} transactions of the treasury`,
  })
}

/** What went to others; undefined where no node shows the transaction. */
async function sentIn(
  context: ChainContext,
  account: string,
  of: { hash: string; blockNumber: number },
): Promise<Omit<ForeignTransfer, 'minedAt'>[] | undefined> {
  const effects = await readEffects(context.client, of.hash)
  if (!effects) return undefined
  const { tokens, nativeCoin } = context.chain
  // What others have signed gives nothing of the treasury's coins.
  const isOwn = effects.transaction.message.accountKeys[0] === account
  const coins = (isOwn ? coinsGiven(effects, account) : []).map(({ index, owner, units }) => ({
    ...of,
    ...{ logIndex: index, other: owner, currency: nativeCoin.symbol },
    amount: fromBaseUnits(units, nativeCoin.decimals),
  }))
  const ofTokens = transfersIn(effects, { ...of, account, tokens }).filter(({ direction }) => direction === 'out')
  return [...ofTokens, ...coins]
}
