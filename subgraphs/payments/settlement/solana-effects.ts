import type { SolanaChain } from '../../../chains/chain.js'
import { nonceAddresses } from '../../../chains/solana/durable-nonces.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import type { TreasuryTransfer } from './payout-chain.js'

/** The part of `getTransaction`'s answer that shows what a transaction moved. */
export interface SolanaEffects {
  /** The height of its block. */
  slot: number
  transaction: { message: { accountKeys: readonly string[] } }
  meta: {
    preBalances: readonly number[]
    postBalances: readonly number[]
    preTokenBalances?: readonly TokenBalance[] | null
    postTokenBalances?: readonly TokenBalance[] | null
    loadedAddresses?: { writable: readonly string[]; readonly: readonly string[] } | null
  }
}

interface TokenBalance {
  accountIndex: number
  mint: string
  owner?: string
  uiTokenAmount: { amount: string }
}

/** Whose transfers, of which transaction. */
interface TransfersOf {
  hash: string
  /** Its slot. */
  blockNumber: number
  account: string
  tokens: SolanaChain['tokens']
}

/**
 * What a transaction moved of the chain's tokens from an account's holdings or to them, by the balances before and after it. A
 * transfer is known by the other side's place among the transaction's accounts; what the others' gains do not explain is one.
 */
export function transfersIn(effects: SolanaEffects, of: TransfersOf): TreasuryTransfer[] {
  return Object.entries(of.tokens).flatMap(([currency, { mint, decimals }]) => {
    const changes = changesOf(effects, mint)
    const own = changes.filter(({ owner }) => owner === of.account)
    const others = changes.filter(({ owner, units }) => owner !== of.account && units !== 0n)
    const moved = own.reduce((sum, { units }) => sum + units, 0n)
    const [first] = own
    if (!first || moved === 0n) return []
    const shown = ({ units, ...one }: { units: bigint; logIndex: number; other: string }): TreasuryTransfer => ({
      ...one,
      ...{ hash: of.hash, blockNumber: of.blockNumber, currency },
      direction: moved < 0n ? 'out' : 'in',
      amount: fromBaseUnits(units, decimals),
    })
    const gains = others.filter(({ units }) => units > 0n)
    const isExplained = moved < 0n && gains.reduce((sum, { units }) => sum + units, 0n) === -moved
    if (isExplained) return gains.map(({ index, owner, units }) => shown({ units, logIndex: index, other: owner }))
    const other = others.find(({ units }) => units > 0n === moved < 0n)?.owner ?? 'nobody'
    return [shown({ units: moved < 0n ? -moved : moved, logIndex: first.index, other })]
  })
}

interface Change {
  index: number
  owner: string
  units: bigint
}

function changesOf({ meta }: SolanaEffects, mint: string): Change[] {
  const changes = new Map<number, Change>()
  const add = (balances: readonly TokenBalance[] | null | undefined, sign: bigint): void => {
    for (const { accountIndex: index, mint: held, owner = '', uiTokenAmount } of balances ?? []) {
      if (held !== mint) continue
      const units = (changes.get(index)?.units ?? 0n) + sign * BigInt(uiTokenAmount.amount)
      changes.set(index, { index, owner, units })
    }
  }
  add(meta.preTokenBalances, -1n)
  add(meta.postTokenBalances, 1n)
  return [...changes.values()]
}

/**
 * What a transaction has cost an account, in lamports: what it has lost beside what wallets got. The rent of token accounts that
 * it opened for others is a cost.
 */
export function costIn(effects: SolanaEffects, account: string): bigint {
  const { keys, changeOf } = lamportsOf(effects)
  const given = coinsGiven(effects, account).reduce((sum, { units }) => sum + units, 0n)
  return -changeOf(keys.indexOf(account)) - given
}

/** What a transaction has changed of an account's lamports, and whether that account has paid for it. */
export function lamportsChange(effects: SolanaEffects, account: string): { change: bigint; isPayer: boolean } {
  const { keys, changeOf } = lamportsOf(effects)
  return { change: changeOf(keys.indexOf(account)), isPayer: keys[0] === account }
}

/** What a transaction has given other wallets in lamports; accounts of tokens are none, nor are those of the account's nonces. */
export function coinsGiven(effects: SolanaEffects, account: string): Change[] {
  return coinsOfOthers(effects, account).filter(({ units }) => units > 0n)
}

/** What it has taken from other wallets, below 0, the most first: who pays for the transaction alone loses less than who gives. */
export function coinsTaken(effects: SolanaEffects, account: string): Change[] {
  const taken = coinsOfOthers(effects, account).filter(({ units }) => units < 0n)
  return taken.sort((one, other) => Number(one.units - other.units))
}

function coinsOfOthers(effects: SolanaEffects, account: string): Change[] {
  const { keys, tokenAccounts, changeOf } = lamportsOf(effects)
  const nonces = nonceAddresses(account)
  return keys.flatMap((owner, index) => {
    const units = changeOf(index)
    const isOther = owner !== account && !tokenAccounts.has(index) && !nonces.includes(owner)
    return isOther ? [{ index, owner, units }] : []
  })
}

function lamportsOf({ transaction, meta }: SolanaEffects) {
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {}
  const keys = [...transaction.message.accountKeys, ...writable, ...readonly]
  const tokenAccounts = new Set(
    [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])].map(({ accountIndex }) => accountIndex),
  )
  const changeOf = (index: number): bigint =>
    BigInt(meta.postBalances[index] ?? 0) - BigInt(meta.preBalances[index] ?? 0)
  return { keys, tokenAccounts, changeOf }
}
