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

/** Deposits base units of the asset for shares. */
export function earnDeposit(addresses: EarnAddresses, signer: PublicKey, amount: bigint): TransactionInstruction {
  const { mint, shareMint, lending, admin, rewards, liquidity, reserve, position, rateModel, vault } = addresses
  return new TransactionInstruction({
    programId: EARN,
    data: amountData(DEPOSIT, amount),
    keys: [
      { pubkey: signer, isSigner: true, isWritable: true },
      writable(associatedTokenAddress(signer, mint)),
      writable(associatedTokenAddress(signer, shareMint)),
      readonly(mint),
      readonly(admin),
      writable(lending),
      writable(shareMint),
      writable(reserve),
      writable(position),
      readonly(rateModel),
      writable(vault),
      writable(liquidity),
      // Written to by no one, but the protocol's interface asks for it so.
      writable(LIQUIDITY),
      readonly(rewards),
      readonly(TOKEN_PROGRAM_ID),
      readonly(ASSOCIATED_TOKEN_PROGRAM_ID),
      readonly(SystemProgram.programId),
    ],
  })
}

/** Withdraws base units of the asset; as many shares go as that takes, rounded up. */
export function earnWithdraw(addresses: EarnAddresses, signer: PublicKey, amount: bigint): TransactionInstruction {
  return takeOut(addresses, signer, amountData(WITHDRAW, amount))
}

/** Gives shares back for what they are worth. */
export function earnRedeem(addresses: EarnAddresses, signer: PublicKey, shares: bigint): TransactionInstruction {
  return takeOut(addresses, signer, amountData(REDEEM, shares))
}

function takeOut(addresses: EarnAddresses, signer: PublicKey, data: Buffer): TransactionInstruction {
  const { mint, shareMint, lending, admin, rewards, liquidity, reserve, position, rateModel, claim, vault } = addresses
  return new TransactionInstruction({
    programId: EARN,
    data,
    keys: [
      { pubkey: signer, isSigner: true, isWritable: true },
      writable(associatedTokenAddress(signer, shareMint)),
      writable(associatedTokenAddress(signer, mint)),
      readonly(admin),
      writable(lending),
      readonly(mint),
      writable(shareMint),
      writable(reserve),
      writable(position),
      readonly(rateModel),
      writable(vault),
      writable(claim),
      writable(liquidity),
      writable(LIQUIDITY),
      readonly(rewards),
      readonly(TOKEN_PROGRAM_ID),
      readonly(ASSOCIATED_TOKEN_PROGRAM_ID),
      readonly(SystemProgram.programId),
    ],
  })
}
