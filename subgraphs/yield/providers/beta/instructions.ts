import { type PublicKey, TransactionInstruction } from '@solana/web3.js'
import { discriminator } from '../account-reader.js'
import { TOKEN_PROGRAM_ID, associatedTokenAddress } from '../../../../chains/solana/token.js'
import { amountData, derivedAddress, INSTRUCTIONS_SYSVAR, readonly, writable } from '../anchor.js'
import { KAMINO_LEND, type Oracles, type Reserve } from './reserve.js'

export const REFRESH_RESERVE = discriminator('global:refresh_reserve')
export const DEPOSIT_RESERVE_LIQUIDITY = discriminator('global:deposit_reserve_liquidity')
export const REDEEM_RESERVE_COLLATERAL = discriminator('global:redeem_reserve_collateral')

/** The addresses that an instruction for a reserve names, but for the user's. */
export interface ReserveAddresses {
  reserve: PublicKey
  market: PublicKey
  mint: PublicKey
  authority: PublicKey
  supplyVault: PublicKey
  shareMint: PublicKey
}

/**
 * The addresses that a reserve's account names, and its market's authority, which alone is derived. Vault and share mint are
 * never derived: reserves of two generations live side by side on the chain, whose seeds differ.
 */
export function reserveAddresses(
  address: PublicKey,
  { market, mint, supplyVault, shareMint }: Pick<Reserve, 'market' | 'mint' | 'supplyVault' | 'shareMint'>,
): ReserveAddresses {
  return {
    reserve: address,
    market,
    mint,
    authority: derivedAddress(KAMINO_LEND, 'lma', market),
    supplyVault,
    shareMint,
  }
}

/** Brings a reserve's interest and price up to date. An oracle that it does not use is the program's own id. */
export function refreshReserve(reserve: PublicKey, market: PublicKey, oracles: Oracles): TransactionInstruction {
  const { pyth, switchboard, switchboardTwap, scope } = oracles
  const named = [pyth, switchboard, switchboardTwap, scope].map((oracle) => readonly(oracle ?? KAMINO_LEND))
  return new TransactionInstruction({
    programId: KAMINO_LEND,
    data: REFRESH_RESERVE,
    keys: [writable(reserve), readonly(market), ...named],
  })
}

/** The accounts of both instructions behind the owner, in the order of the program's interface. */
const DEPOSIT_ACCOUNTS = [
  ...(['reserve', 'market', 'authority', 'mint', 'supplyVault', 'shareMint'] as const),
  ...(['assetHolding', 'shareHolding'] as const),
]
const REDEEM_ACCOUNTS = [
  ...(['market', 'reserve', 'authority', 'mint', 'shareMint', 'supplyVault'] as const),
  ...(['shareHolding', 'assetHolding'] as const),
]
const READ_ONLY: ReadonlySet<string> = new Set(['market', 'authority', 'mint'])

/** Deposits base units of the asset for shares. */
export function depositReserveLiquidity(
  addresses: ReserveAddresses,
  owner: PublicKey,
  amount: bigint,
): TransactionInstruction {
  return move(addresses, owner, DEPOSIT_ACCOUNTS, amountData(DEPOSIT_RESERVE_LIQUIDITY, amount))
}

/** Gives shares back for what they are worth. */
export function redeemReserveCollateral(
  addresses: ReserveAddresses,
  owner: PublicKey,
  shares: bigint,
): TransactionInstruction {
  return move(addresses, owner, REDEEM_ACCOUNTS, amountData(REDEEM_RESERVE_COLLATERAL, shares))
}

/** The owner signs and is not written to. */
function move(
  addresses: ReserveAddresses,
  owner: PublicKey,
  accounts: typeof DEPOSIT_ACCOUNTS | typeof REDEEM_ACCOUNTS,
  data: Buffer,
): TransactionInstruction {
  const named = {
    ...addresses,
    assetHolding: associatedTokenAddress(owner, addresses.mint),
    shareHolding: associatedTokenAddress(owner, addresses.shareMint),
  }
  return new TransactionInstruction({
    programId: KAMINO_LEND,
    data,
    keys: [
      { pubkey: owner, isSigner: true, isWritable: false },
      ...accounts.map((name) => (READ_ONLY.has(name) ? readonly(named[name]) : writable(named[name]))),
      ...[TOKEN_PROGRAM_ID, TOKEN_PROGRAM_ID, INSTRUCTIONS_SYSVAR].map(readonly),
    ],
  })
}
