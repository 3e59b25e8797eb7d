import bs58 from 'bs58'
import type { AccountState } from './account-states.js'
import { SYSTEM_PROGRAM, TOKEN_PROGRAMS } from './token.js'

/** What a wallet would lose. */
export interface Losses {
  /** What happens to it that no payment needs; undefined for nothing of the kind. */
  violation: string | undefined
  lamports: bigint
  /** By mint, in base units; below zero for what it gains. */
  tokens: ReadonlyMap<string, bigint>
}

/** Where the fields of a token account are (spl-token: state::Account; Token-2022 begins with the same). */
const AMOUNT = { start: 64, end: 72 } as const
const BASE_BYTES = 165

/**
 * What a wallet would lose between two states of the accounts that a transaction writes. Besides its amounts nothing of an
 * account of the wallet may change: a delegate or another owner could take the rest later.
 */
export function losses({
  payer,
  before,
  after,
}: {
  payer: string
  before: readonly (AccountState | undefined)[]
  after: readonly (AccountState | undefined)[]
}): Losses {
  const tokens = new Map<string, bigint>()
  let violation: string | undefined
  let lamports = 0n
  for (const [index, old] of before.entries()) {
    const now = after[index]
    // The first account of a transaction is its fee payer.
    if (index === 0) {
      lamports = (old?.lamports ?? 0n) - (now?.lamports ?? 0n)
      if (now && (now.owner !== SYSTEM_PROGRAM || now.data.length > 0)) violation = 'wallet'
      continue
    }
    const holding = holdingOf(old, payer)
    if (!holding) continue
    const left = holdingOf(now, payer)
    if (now && (!left || !left.rest.equals(holding.rest))) violation = 'holding'
    tokens.set(holding.mint, (tokens.get(holding.mint) ?? 0n) + holding.amount - (left?.amount ?? 0n))
  }
  return { violation, lamports, tokens }
}

/** A token account of a wallet: what it holds, and all of it besides the amount. */
function holdingOf(
  account: AccountState | undefined,
  owner: string,
): { mint: string; amount: bigint; rest: Buffer } | undefined {
  if (!account || !TOKEN_PROGRAMS.has(account.owner) || account.data.length < BASE_BYTES) return undefined
  if (bs58.encode(account.data.subarray(32, 64)) !== owner) return undefined
  const rest = Buffer.concat([account.data.subarray(0, AMOUNT.start), account.data.subarray(AMOUNT.end, BASE_BYTES)])
  return {
    mint: bs58.encode(account.data.subarray(0, 32)),
    amount: account.data.readBigUInt64LE(AMOUNT.start),
    rest,
  }
}
