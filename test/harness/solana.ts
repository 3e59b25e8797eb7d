import { Keypair } from '@solana/web3.js'
import type { SolanaChain } from '../../chains/chain.js'
import { buildTransfer, type SolanaTransactionRequest } from '../../chains/solana/build-transfer.js'
import type { Share } from '../../chains/solana/transfer.js'
import { createLog } from '../../kernel/log.js'
import { seedSolana, SOLANA_TOKENS, solanaChain } from '../../sandbox/solana/seed.js'
import { startSolana, type Solana } from '../../sandbox/solana/solana.js'
import { ending } from './at-end.js'
import { solanaSide, type SolanaSide } from './solana-side.js'

export const USDC = { kind: 'token', address: SOLANA_TOKENS.USDC.mint, decimals: 6 } as const
export const SOL = { kind: 'native', decimals: 9 } as const

/** A real, seeded Solana chain for one test file, with the accounts to use it. */
export interface SolanaHarness extends SolanaSide {
  chain: SolanaChain
  solana: Solana
  payer: Keypair
  treasury: Keypair
}

/** Starts the chain and seeds it. @param programs that it has beside its own */
export async function startSolanaHarness(
  programs: Parameters<typeof startSolana>[0]['programs'] = [],
): Promise<SolanaHarness> {
  const solana = ending(await startSolana({ log: createLog('silent'), programs }))
  const payer = Keypair.generate()
  const treasury = Keypair.generate()
  await seedSolana(solana.rpcUrl, { payer: payer.publicKey.toBase58(), treasury: treasury.publicKey.toBase58() })
  return { ...solanaSide(solana.rpcUrl), chain: solanaChain(solana.rpcUrl), solana, payer, treasury }
}

let payments = 0

/** A payment id that nobody used before, of the usual form. */
export function freshPaymentId(): string {
  payments += 1
  return `c${String(payments).padStart(24, '0')}`
}

/** The unsigned transaction of a payment in USDC by the harness's payer. */
export function buildUsdc(
  { client, payer }: SolanaHarness,
  shares: readonly Share[],
  paymentId = freshPaymentId(),
): Promise<SolanaTransactionRequest> {
  return buildTransfer({ client, from: payer.publicKey.toBase58(), asset: USDC, symbol: 'USDC', shares, paymentId })
}
