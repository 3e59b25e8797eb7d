import { PublicKey } from '@solana/web3.js'
import type { Chain, SolanaChain } from '../../../chains/chain.js'
import { readEffects, readLandedAt, readStatuses, STATUSES_MAX } from '../../../chains/solana/confirm.js'
import { ask } from '../../../chains/solana/rpc.js'
import { associatedTokenAddress } from '../../../chains/solana/token.js'
import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import { withConcurrency } from '../../../kernel/with-concurrency.js'
import type { FinalView, OpenTransaction, TreasuryAudit, TreasuryTransfer } from './payout-chain.js'
import { tokenAmount, type ChainContext } from './solana-balances.js'
import { costIn, transfersIn } from './solana-effects.js'
import { movementIn } from './solana-movement.js'

/** As many signatures as a node gives at once, and pages of them for an address. */
const PAGE = 1_000
const PAGES_MAX = 200
const READ_AT_ONCE = 8

/** What Solana shows of the treasury, by its token accounts and its own; blocks are slots. */
export function solanaAudit(account: string, on: (chain: Chain) => ChainContext): TreasuryAudit {
  return {
    readFinal: (chain, accounts) => readFinal(on(chain), accounts),
    hasLanded: (chain, open, slot) => hasLanded(on(chain), open, slot),
    transfers: async (given, from, to) => {
      const context = on(given)
      const found: TreasuryTransfer[] = []
      const signatures = await signaturesIn(context, account, { from, to })
      await withConcurrency([...signatures], READ_AT_ONCE, async ([hash, blockNumber]) => {
        const effects = await readEffects(context.client, hash, 'finalized')
        if (!effects) throw unavailable(`no node shows ${hash}`)
        found.push(...transfersIn(effects, { hash, blockNumber, account, tokens: context.chain.tokens }))
      })
      return found.sort((left, right) => left.blockNumber - right.blockNumber || left.logIndex - right.logIndex)
    },
    movementOf: async (chain, hash) => {
      const context = on(chain)
      const effects = await readEffects(context.client, hash, 'finalized')
      return effects && movementIn(effects, { hash, account, chain: context.chain })
    },
    minedAt: (chain, hash) => readLandedAt(on(chain).client, hash),
    costOf: async (given, hash) => {
      const { symbol: currency, decimals } = given.nativeCoin
      const effects = await readEffects(on(given).client, hash, 'finalized')
      return effects && { amount: fromBaseUnits(costIn(effects, account), decimals), currency, decimals }
    },
  }
}

/** The treasury's accounts: its own and those of the chain's tokens, by currency. */
function accountsOf({ nativeCoin, tokens }: SolanaChain, account: string): Map<string, string> {
  const owner = new PublicKey(account)
  const ofTokens = Object.entries(tokens).map(
    ([currency, { mint }]) => [currency, associatedTokenAddress(owner, new PublicKey(mint)).toBase58()] as const,
  )
  return new Map([[nativeCoin.symbol, account], ...ofTokens])
}

/** All of it in one answer, and so of one slot. What was held at others a node does not tell. */
async function readFinal({ client, chain }: ChainContext, wallets: readonly string[]): Promise<FinalView> {
  const accounts = wallets.flatMap((wallet) =>
    [...accountsOf(chain, wallet)].map(([currency, address]) => ({ wallet, currency, address })),
  )
  const config = { commitment: 'finalized', encoding: 'jsonParsed' }
  const answer = (await ask('confirm', () =>
    client.call('getMultipleAccounts', [accounts.map(({ address }) => address), config]),
  )) as { context: { slot: number }; value: readonly ({ lamports: number; data: unknown } | null)[] }
  const { slot: block } = answer.context
  const held = new Map(wallets.map((wallet) => [wallet, new Map<string, string>()]))
  for (const [index, { wallet, currency }] of accounts.entries()) {
    const { lamports = 0, data } = answer.value[index] ?? {}
    const isCoin = currency === chain.nativeCoin.symbol
    const decimals = isCoin ? chain.nativeCoin.decimals : (chain.tokens[currency]?.decimals ?? 0)
    held.get(wallet)?.set(currency, fromBaseUnits(isCoin ? BigInt(lamports) : tokenAmount(data), decimals))
  }
  return { block, balancesAt: (wanted) => Promise.resolve(wanted === block ? held : undefined) }
}

async function hasLanded({ client }: ChainContext, open: readonly OpenTransaction[], slot: number): Promise<boolean> {
  for (let start = 0; start < open.length; start += STATUSES_MAX) {
    const hashes = open.slice(start, start + STATUSES_MAX).map(({ hash }) => hash)
    const answer = await readStatuses(client, hashes)
    if (answer.slot < slot) throw unavailable('the node is behind')
    if (answer.statuses.some((status) => status !== null && status.slot <= slot)) return true
  }
  return false
}

/** The signatures, with their slots, of what succeeded and names one of the treasury's accounts. */
async function signaturesIn(
  { client, chain }: ChainContext,
  account: string,
  { from, to }: { from: number; to: number },
): Promise<Map<string, number>> {
  const signatures = new Map<string, number>()
  for (const address of accountsOf(chain, account).values()) {
    let before: string | undefined
    for (let pages = 0; ; pages += 1) {
      if (pages === PAGES_MAX) throw unavailable(`more than ${PAGES_MAX * PAGE} transactions of ${address}`)
      const search = {
        commitment: 'finalized',
        minContextSlot: to,
        limit: PAGE,
        ...(before !== undefined && { before }),
      }
      const page = (await ask('confirm', () => client.call('getSignaturesForAddress', [address, search]))) as readonly {
        signature: string
        slot: number
        err: unknown
      }[]
      for (const { signature, slot, err } of page) {
        if (err === null && slot >= from && slot <= to) signatures.set(signature, slot)
      }
      const last = page.at(-1)
      if (page.length < PAGE || !last || last.slot < from) break
      before = last.signature
    }
  }
  return signatures
}

function unavailable(details: string): AppError {
  return new AppError('confirm_rpc_unavailable', { details })
}
