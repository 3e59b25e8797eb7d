import { type PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { discriminator } from '../account-reader.js'
import {
  ASSOCIATED_TOKEN_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  associatedTokenAddress,
} from '../../../../chains/solana/token.js'
import { amountData, readonly, writable } from '../anchor.js'
import { EARN, LIQUIDITY, type EarnAddresses } from './addresses.js'

export const DEPOSIT = discriminator('global:deposit')
export const WITHDRAW = discriminator('global:withdraw')
export const REDEEM = discriminator('global:redeem')

/** The accounts of the instructions between the signer and the programs, in the order of the program's interface. */
const DEPOSIT_ACCOUNTS = [
  ...(['assetHolding', 'shareHolding', 'mint', 'admin', 'lending', 'shareMint', 'reserve'] as const),
  ...(['position', 'rateModel', 'vault', 'liquidity', 'liquidityProgram', 'rewards'] as const),
]
const TAKE_OUT_ACCOUNTS = [
  ...(['shareHolding', 'assetHolding', 'admin', 'lending', 'mint', 'shareMint', 'reserve'] as const),
  ...(['position', 'rateModel', 'vault', 'claim', 'liquidity', 'liquidityProgram', 'rewards'] as const),
]
/** The liquidity program is written to by no one, but the protocol's interface asks for it as if it were. */
const READ_ONLY: ReadonlySet<string> = new Set(['mint', 'admin', 'rateModel', 'rewards'])

/** Deposits base units of the asset for shares. */
export function earnDeposit(addresses: EarnAddresses, signer: PublicKey, amount: bigint): TransactionInstruction {
  return move(addresses, signer, DEPOSIT_ACCOUNTS, amountData(DEPOSIT, amount))
}

/** Withdraws base units of the asset; as many shares go as that takes, rounded up. */
export function earnWithdraw(addresses: EarnAddresses, signer: PublicKey, amount: bigint): TransactionInstruction {
  return move(addresses, signer, TAKE_OUT_ACCOUNTS, amountData(WITHDRAW, amount))
}

/** Gives shares back for what they are worth. */
export function earnRedeem(addresses: EarnAddresses, signer: PublicKey, shares: bigint): TransactionInstruction {
  return move(addresses, signer, TAKE_OUT_ACCOUNTS, amountData(REDEEM, shares))
}

function move(
  addresses: EarnAddresses,
  signer: PublicKey,
  accounts: typeof DEPOSIT_ACCOUNTS | typeof TAKE_OUT_ACCOUNTS,
  data: Buffer,
): TransactionInstruction {
  const named = {
    ...addresses,
    assetHolding: associatedTokenAddress(signer, addresses.mint),
    shareHolding: associatedTokenAddress(signer, addresses.shareMint),
    liquidityProgram: LIQUIDITY,
  }
  return new TransactionInstruction({
    programId: EARN,
    data,
    keys: [
      { pubkey: signer, isSigner: true, isWritable: true },
      ...accounts.map((name) => (READ_ONLY.has(name) ? readonly(named[name]) : writable(named[name]))),
      ...[TOKEN_PROGRAM_ID, ASSOCIATED_TOKEN_PROGRAM_ID, SystemProgram.programId].map(readonly),
    ],
  })
}
