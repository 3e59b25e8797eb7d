import type { TransactionInstruction } from '@solana/web3.js'
import type { InstructionMeaning } from '../provider.js'
import { DEPOSIT, REDEEM, WITHDRAW } from './instructions.js'

/** What an Earn instruction would do; undefined for those that our legs do not have. */
export function describeEarn({ data, keys }: TransactionInstruction): InstructionMeaning | undefined {
  if (data.length !== 16) return undefined
  const start = data.subarray(0, 8)
  const value = data.readBigUInt64LE(8)
  const isDeposit = start.equals(DEPOSIT)
  const owner = keys[0]?.pubkey
  const mint = keys[isDeposit ? 3 : 5]?.pubkey
  const receiver = keys[2]?.pubkey
  if (!owner || !mint || !receiver) return undefined
  if (isDeposit) return { action: 'deposit', amount: { value, unit: 'asset' }, mint, owner, receiver }
  if (start.equals(WITHDRAW)) return { action: 'withdraw', amount: { value, unit: 'asset' }, mint, owner, receiver }
  if (start.equals(REDEEM)) return { action: 'withdraw', amount: { value, unit: 'share' }, mint, owner, receiver }
  return undefined
}
