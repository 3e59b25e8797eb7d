import { createHash } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import bs58 from 'bs58'
import type { SolanaChain } from '../../chains/chain.js'
import { createSolanaClient } from '../../chains/solana/client.js'
import {
  associatedTokenAddress,
  decodeMint,
  decodeTokenAccount,
  TOKEN_ACCOUNT_BYTES,
} from '../../chains/solana/token.js'
import { control } from './control.js'
import { addressOfSeed } from './keys.js'
import type { ChainAccount } from './svm.js'
import { TOKEN_PROGRAM } from './token-accounts.js'

/** The tokens of every sandbox's Solana; the mints' addresses are derived, so that they are the same everywhere. */
export const SOLANA_TOKENS = {
  USDC: { mint: derivedAddress('USDC mint'), decimals: 6 },
  USDT: { mint: derivedAddress('USDT mint'), decimals: 6 },
} as const

/** Who may mint; nobody has to know its key, as the sandbox writes accounts as it likes. */
const MINT_AUTHORITY = derivedAddress('mint authority')

const SYSTEM_PROGRAM = '11111111111111111111111111111111'
const MINT_RENT_LAMPORTS = 1_461_600n
const ACCOUNT_RENT_LAMPORTS = 2_039_280n

const LAMPORTS = 1_000_000_000n
/** Who sells for the router; see `sandbox/router/solana-seller.ts`. */
export const SELLER_SEED = createHash('sha256').update('sandbox router on solana').digest()

const AMOUNTS = {
  payer: { lamports: 1_000n * LAMPORTS, tokens: 1_000_000_000_000n },
  treasury: { lamports: 10_000n * LAMPORTS, tokens: 10_000_000_000_000n },
} as const

/** Whom to fund, base58: the throw-away payer, and the treasury, which pays out after a fiat charge. */
export interface SolanaSeedAccounts {
  payer: string
  treasury: string
}

/**
 * Brings a chain of the sandbox to its first state, doing only what is missing: an account that has less than a tenth of
 * its first amount is filled up to it. Balances of a chain that was seeded before stay as they are.
 * @throws AppError, Error where the chain does not answer
 */
export async function seedSolana(rpcUrl: string, accounts: SolanaSeedAccounts): Promise<void> {
  const { connection } = createSolanaClient({ rpcUrl, commitment: 'confirmed' })
  const wallets = [
    { address: accounts.payer, ...AMOUNTS.payer },
    { address: accounts.treasury, ...AMOUNTS.treasury },
    { address: addressOfSeed(SELLER_SEED), ...AMOUNTS.treasury },
  ]
  const holdings = Object.values(SOLANA_TOKENS).flatMap(({ mint }) =>
    wallets.map(({ address, tokens }) => ({ owner: address, mint, tokens, address: holdingAddress(address, mint) })),
  )
  const mints = Object.values(SOLANA_TOKENS).map(({ mint }) => mint)
  const addresses = [...mints, ...wallets.map(({ address }) => address), ...holdings.map(({ address }) => address)]
  const present = await connection.getMultipleAccountsInfo(addresses.map((address) => new PublicKey(address)))
  const found = new Map(addresses.map((address, index) => [address, present[index] ?? undefined]))

  const changed: ChainAccount[] = []
  const minted = new Map<string, bigint>()
  for (const { address, lamports } of wallets) {
    if (isLow(BigInt(found.get(address)?.lamports ?? 0), lamports)) changed.push(wallet(address, lamports))
  }
  for (const { address, owner, mint, tokens } of holdings) {
    const data = found.get(address)?.data
    const balance = (data && decodeTokenAccount(data)?.amount) ?? 0n
    if (!isLow(balance, tokens)) continue
    changed.push(holding(address, { owner, mint, amount: tokens }))
    minted.set(mint, (minted.get(mint) ?? 0n) + tokens - balance)
  }
  for (const [mint, amount] of minted) {
    const data = found.get(mint)?.data
    changed.push(mintAccount(mint, ((data && decodeMint(data)?.supply) ?? 0n) + amount))
  }
  if (changed.length > 0) await control(rpcUrl).setAccounts(changed)
}

/** A wallet with some SOL, for `setAccounts`. */
export function wallet(address: string, lamports: bigint): ChainAccount {
  return { address, lamports, owner: SYSTEM_PROGRAM, executable: false, data: new Uint8Array() }
}

/** A wallet's account of a token, for `setAccounts` (spl-token: state::Account). */
export function holding(address: string, state: { owner: string; mint: string; amount: bigint }): ChainAccount {
  const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES)
  data.set(bs58.decode(state.mint), 0)
  data.set(bs58.decode(state.owner), 32)
  data.writeBigUInt64LE(state.amount, 64)
  data[108] = 1
  return { address, lamports: ACCOUNT_RENT_LAMPORTS, owner: TOKEN_PROGRAM, executable: false, data }
}

/** Where a wallet holds a token, base58. */
export function holdingAddress(owner: string, mint: string): string {
  return associatedTokenAddress(new PublicKey(owner), new PublicKey(mint)).toBase58()
}

function mintAccount(address: string, supply: bigint): ChainAccount {
  const data = Buffer.alloc(82)
  data.writeUInt32LE(1, 0)
  data.set(bs58.decode(MINT_AUTHORITY), 4)
  data.writeBigUInt64LE(supply, 36)
  data[44] = 6
  data[45] = 1
  return { address, lamports: MINT_RENT_LAMPORTS, owner: TOKEN_PROGRAM, executable: false, data }
}

function isLow(balance: bigint, full: bigint): boolean {
  return balance * 10n < full
}

function derivedAddress(name: string): string {
  return addressOfSeed(createHash('sha256').update(`sandbox solana ${name}`).digest())
}

/** The seeded chain as the product is told of it. */
export function solanaChain(rpcUrl: string): SolanaChain {
  return {
    family: 'solana',
    name: 'solana',
    rpcUrl,
    commitment: 'confirmed',
    nativeCoin: { symbol: 'SOL', decimals: 9 },
    tokens: SOLANA_TOKENS,
  }
}
