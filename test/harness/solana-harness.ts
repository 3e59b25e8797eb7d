import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Keypair } from '@solana/web3.js'
import { createLog } from '../../kernel/log.js'
import { seedSolana, SOLANA_TOKENS } from '../../sandbox/solana/seed.js'
import { startSolana, type Solana } from '../../sandbox/solana/solana.js'
import type { SolanaChain } from '../../chains/chain.js'
import { buildTransfer, type SolanaTransactionRequest } from '../../chains/solana/build-transfer.js'
import type { Share } from '../../chains/solana/transfer.js'
import { solanaSide, type SolanaSide } from './solana-side.js'

export const USDC = { kind: 'token', address: SOLANA_TOKENS.USDC.mint, decimals: 6 } as const
export const SOL = { kind: 'native', decimals: 9 } as const

/** A real, seeded Solana chain for one test file, with the accounts to use it. */
export interface SolanaHarness extends SolanaSide {
  chain: SolanaChain
  solana: Solana
  payer: Keypair
  treasury: Keypair
  stop: () => Promise<void>
}

/** Starts the chain and seeds it. */
export async function startSolanaHarness(): Promise<SolanaHarness> {
  const solana = await startSolana({ log: createLog('silent') })
  const payer = Keypair.generate()
  const treasury = Keypair.generate()
  await seedSolana(solana.rpcUrl, { payer: payer.publicKey.toBase58(), treasury: treasury.publicKey.toBase58() })
  const chain: SolanaChain = {
    family: 'solana',
    name: 'solana',
    rpcUrl: solana.rpcUrl,
    commitment: 'confirmed',
    nativeCoin: { symbol: 'SOL', decimals: 9 },
    tokens: SOLANA_TOKENS,
  }
  return { ...solanaSide(solana.rpcUrl), chain, solana, payer, treasury, stop: () => solana.stop() }
}

let payments = 0

/** A payment id that nobody used before, of the usual form. */
export function freshPaymentId(): string {
  payments += 1
  return `c${String(payments).padStart(24, '0')}`
}

/** The unsigned transaction of a payment in USDC by the world's payer. */
export function buildUsdc(
  world: SolanaHarness,
  shares: readonly Share[],
  paymentId = freshPaymentId(),
): Promise<SolanaTransactionRequest> {
  const from = world.payer.publicKey.toBase58()
  return buildTransfer({ client: world.client, from, asset: USDC, symbol: 'USDC', shares, paymentId })
}

/** The address of a server that has gone: nobody listens there. */
export async function deadUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}
