import type { PublicKey, TransactionInstruction } from '@solana/web3.js'
import type { InstructionMeaning } from '../provider.js'
import {
  DEPOSIT_RESERVE_LIQUIDITY,
  depositReserveLiquidity,
  REDEEM_RESERVE_COLLATERAL,
  redeemReserveCollateral,
  REFRESH_RESERVE,
  refreshReserve,
  type ReserveAddresses,
} from './instructions.js'

/** What one of the three klend instructions that our legs have would do; undefined for any other. */
export function describeKamino({ data, keys }: TransactionInstruction): InstructionMeaning | undefined {
  const key = (index: number): PublicKey | undefined => keys[index]?.pubkey
  const starts = (start: Buffer): boolean => data.subarray(0, 8).equals(start)
  if (starts(REFRESH_RESERVE)) return { action: 'refresh', mint: null, amount: null, owner: null, receiver: null }
  if (data.length !== 16) return undefined
  const value = data.readBigUInt64LE(8)
  const [owner, mint, receiver] = [key(0), key(4), key(8)]
  if (!owner || !mint || !receiver) return undefined
  if (starts(DEPOSIT_RESERVE_LIQUIDITY)) {
    return { action: 'deposit', mint, amount: { value, unit: 'asset' }, owner, receiver }
  }
  if (starts(REDEEM_RESERVE_COLLATERAL)) {
    return { action: 'withdraw', mint, amount: { value, unit: 'share' }, owner, receiver }
  }
  return undefined
}

/**
 * What we would build for the owner and amount of an instruction that means a move in a reserve, or a refresh of it or of one
 * of its companions with the oracles that it names.
 */
export function rebuildKamino(
  addresses: ReserveAddresses,
  companions: readonly PublicKey[],
  instruction: TransactionInstruction,
): TransactionInstruction | undefined {
  const meaning = describeKamino(instruction)
  if (meaning?.action === 'refresh') return rebuildRefresh(addresses, companions, instruction)
  if (!meaning?.owner || !meaning.amount) return undefined
  const { action, owner, amount } = meaning
  return action === 'deposit'
    ? depositReserveLiquidity(addresses, owner, amount.value)
    : redeemReserveCollateral(addresses, owner, amount.value)
}

function rebuildRefresh(
  { reserve: own, market }: ReserveAddresses,
  companions: readonly PublicKey[],
  { keys }: TransactionInstruction,
): TransactionInstruction | undefined {
  const [reserve, , pyth, switchboard, switchboardTwap, scope] = keys.map(({ pubkey }) => pubkey)
  if (!reserve || !pyth || !switchboard || !switchboardTwap || !scope) return undefined
  if (![own, ...companions].some((known) => known.equals(reserve))) return undefined
  return refreshReserve(reserve, market, { pyth, switchboard, switchboardTwap, scope })
}
