import type { PublicKey, TransactionInstruction } from '@solana/web3.js'
import type { InstructionMeaning } from '../provider.js'
import {
  DEPOSIT_RESERVE_LIQUIDITY,
  depositReserveLiquidity,
  REDEEM_RESERVE_COLLATERAL,
  redeemReserveCollateral,
  REFRESH_RESERVE,
  refreshReserve,
  reserveAddresses,
} from './instructions.js'

/** What one of the three klend instructions that our legs have would do; undefined for any other. */
export function describeKamino({ data, keys }: TransactionInstruction): InstructionMeaning | undefined {
  const key = (index: number): PublicKey | undefined => keys[index]?.pubkey
  const starts = (start: Buffer): boolean => data.subarray(0, 8).equals(start)
  if (starts(REFRESH_RESERVE)) {
    const [reserve, market, pyth, switchboard, switchboardTwap, scope] = keys.map(({ pubkey }) => pubkey)
    if (!reserve || !market || !pyth || !switchboard || !switchboardTwap || !scope) return undefined
    const asBuilt = refreshReserve(reserve, market, { pyth, switchboard, switchboardTwap, scope })
    return { action: 'refresh', mint: null, amount: null, owner: null, receiver: null, asBuilt }
  }
  if (data.length !== 16) return undefined
  const value = data.readBigUInt64LE(8)
  const [owner, mint] = [key(0), key(4)]
  if (starts(DEPOSIT_RESERVE_LIQUIDITY)) {
    const [reserve, market, receiver] = [key(1), key(2), key(8)]
    if (!owner || !mint || !reserve || !market || !receiver) return undefined
    const asBuilt = depositReserveLiquidity(reserveAddresses(reserve, market, mint), owner, value)
    return { action: 'deposit', mint, amount: { value, unit: 'asset' }, owner, receiver, asBuilt }
  }
  if (starts(REDEEM_RESERVE_COLLATERAL)) {
    const [market, reserve, receiver] = [key(1), key(2), key(8)]
    if (!owner || !mint || !reserve || !market || !receiver) return undefined
    const asBuilt = redeemReserveCollateral(reserveAddresses(reserve, market, mint), owner, value)
    return { action: 'withdraw', mint, amount: { value, unit: 'share' }, owner, receiver, asBuilt }
  }
  return undefined
}
