import { Keypair, PublicKey } from '@solana/web3.js'
import type { SolanaChain } from '../chains/chain.js'
import { createLog } from '../kernel/log.js'
import { control } from '../sandbox/solana/control.js'
import { holding, holdingAddress, seedSolana, SOLANA_TOKENS, wallet } from '../sandbox/solana/seed.js'
import { startSolana } from '../sandbox/solana/solana.js'
import { loadPrograms } from '../sandbox/solana-programs/programs.js'
import { seedYield } from '../sandbox/solana-programs/seed-yield.js'
import { EARN } from './targets/handwritten-earn.js'

/** The chain that the yield cases are about: one for all targets, so that all read the same. */
export interface YieldChain {
  chain: SolanaChain
  /** The lending markets, as `YIELD_MARKETS_FILE` holds them. */
  markets: object
  /** Wallets that have lent USDC, base58. */
  wallets: readonly string[]
  stop: () => Promise<void>
}

/** How many wallets are asked about: more than any target remembers. */
const WALLETS = 500
/** What each of them has lent, in shares of six decimals, and how much SOL it has for fees. */
const SHARES = 500_000_000n
const LAMPORTS = 1_000_000_000n

/** Starts the sandbox's Solana with its lending markets and wallets that have a position. */
export async function startYieldChain(): Promise<YieldChain> {
  const solana = await startSolana({ log: createLog('warn'), programs: loadPrograms() })
  try {
    const payer = Keypair.generate().publicKey.toBase58()
    await seedSolana(solana.rpcUrl, { payer, treasury: Keypair.generate().publicKey.toBase58() })
    const markets = await seedYield(solana.rpcUrl, { tokens: SOLANA_TOKENS, payer })
    const wallets = Array.from({ length: WALLETS }, () => Keypair.generate().publicKey.toBase58())
    await control(solana.rpcUrl).setAccounts(wallets.flatMap(lender))
    return {
      chain: {
        family: 'solana',
        name: 'solana',
        rpcUrl: solana.rpcUrl,
        commitment: 'confirmed',
        nativeCoin: { symbol: 'SOL', decimals: 9 },
        tokens: SOLANA_TOKENS,
      },
      markets,
      wallets,
      stop: () => solana.stop(),
    }
  } catch (error) {
    await solana.stop()
    throw error
  }
}

/** The accounts of a wallet that has lent all its USDC to Jupiter. */
function lender(owner: string) {
  const { mint } = SOLANA_TOKENS.USDC
  const [shareMint] = PublicKey.findProgramAddressSync(
    [Buffer.from('f_token_mint'), new PublicKey(mint).toBuffer()],
    EARN,
  )
  const amounts = new Map([
    [mint, 0n],
    [shareMint.toBase58(), SHARES],
  ])
  return [
    wallet(owner, LAMPORTS),
    ...[...amounts].map(([token, amount]) => holding(holdingAddress(owner, token), { owner, mint: token, amount })),
  ]
}
