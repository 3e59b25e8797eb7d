import { AccountLayout, getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Connection, PublicKey, type VersionedTransactionResponse } from '@solana/web3.js'
import type { HarnessView } from '../view.js'

/** What the Solana chain itself shows. */
export interface SolanaTruth {
  /** What owners hold of a mint in their associated accounts, in their order. */
  balancesOf: (mint: string, owners: readonly string[]) => Promise<bigint[]>
  outcomeOf: (signature: string) => Promise<'success' | 'reverted' | undefined>
  /** What an account has sent in all, by mint; and the signatures of its transactions. */
  sentBy: (owner: string) => Promise<{ sent: Map<string, bigint>; landed: Set<string> }>
}

const ACCOUNTS_AT_ONCE = 100
const PAGE = 1000

/** What transactions moved never changes: each is read once for all seeds of a world, not once for each. */
const moves = new Map<string, VersionedTransactionResponse>()

/** Reads the chain at its node, past the product. */
export function solanaTruth({ chains: { solana } }: HarnessView): SolanaTruth {
  const connection = new Connection(solana.rpcUrl, 'confirmed')
  return {
    balancesOf: async (mint, owners) => {
      const places = owners.map((owner) =>
        getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner), true),
      )
      const balances: bigint[] = []
      for (let from = 0; from < places.length; from += ACCOUNTS_AT_ONCE) {
        const found = await connection.getMultipleAccountsInfo(places.slice(from, from + ACCOUNTS_AT_ONCE))
        balances.push(...found.map((account) => (account ? AccountLayout.decode(account.data).amount : 0n)))
      }
      return balances
    },
    outcomeOf: async (signature) => {
      const { value } = await connection.getSignatureStatuses([signature], { searchTransactionHistory: true })
      if (!value[0]) return undefined
      return value[0].err === null ? 'success' : 'reverted'
    },
    sentBy: async (owner) => {
      const landed = await signaturesOf(connection, owner)
      const sent = new Map<string, bigint>()
      for (const signature of landed) {
        const shown = await shownBy(connection, signature)
        for (const [sign, balances] of [
          [1n, shown?.meta?.preTokenBalances],
          [-1n, shown?.meta?.postTokenBalances],
        ] as const) {
          for (const { owner: holder, mint, uiTokenAmount } of balances ?? []) {
            if (holder === owner) sent.set(mint, (sent.get(mint) ?? 0n) + sign * BigInt(uiTokenAmount.amount))
          }
        }
      }
      return { sent, landed }
    },
  }
}

async function shownBy(connection: Connection, signature: string): Promise<VersionedTransactionResponse | null> {
  const known = moves.get(signature)
  if (known) return known
  const shown = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  // A transaction that is not shown yet may be the next time.
  if (shown) moves.set(signature, shown)
  return shown
}

async function signaturesOf(connection: Connection, owner: string): Promise<Set<string>> {
  const found = new Set<string>()
  let before: string | undefined
  for (;;) {
    const options = { limit: PAGE, ...(before !== undefined && { before }) }
    const page = await connection.getSignaturesForAddress(new PublicKey(owner), options)
    for (const { signature } of page) found.add(signature)
    before = page.at(-1)?.signature
    if (page.length < PAGE) return found
  }
}
