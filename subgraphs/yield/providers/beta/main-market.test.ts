import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { TOKEN_PROGRAM_ID } from '../../../../chains/solana/token.js'
import { fields } from '../../../../sandbox/solana-programs/account-bytes.js'
import { discriminator } from '../../../../sandbox/solana-programs/program-header.js'
import { kaminoVaults } from '../../../../sandbox/solana-programs/seed-kamino.js'
import { MAINNET_MARKETS } from '../../mainnet-markets.js'
import { parseYieldConfig } from '../../parse-yield-config.js'
import { beta } from './provider.js'
import { KAMINO_LEND } from './reserve.js'

// What Kamino's main market has on mainnet, as public programs name it.
const MARKET = new PublicKey('7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF')
const AUTHORITY = '9DrvZvyWh1HuAoZxvYWMvkf2XCzryCpGgHqrMjyDWpmo'
const RESERVES = [
  {
    symbol: 'USDC',
    mint: new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
    decimals: 6,
    reserve: new PublicKey('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59'),
    supplyVault: 'Bgq7trRgVMeq33yt235zM2onQ4bRDBsY5EWiTetF4qw6',
    shareMint: 'B8V6WVjPxW1UGwVDfxH2d2r8SyT4cqn7dQRK6XneVa7D',
  },
  {
    symbol: 'USDT',
    mint: new PublicKey('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
    decimals: 6,
    reserve: new PublicKey('H3t6qZ1JkguCNTi9uzVKqQ7dvt2cum4XiXWom6Gn5e5S'),
    supplyVault: '2Eff8Udy2G2gzNcf2619AnTx3xM4renEv4QrHKjS1o9N',
    shareMint: 'B8zf4kojJbwgCRKA7rLaLhRCZBGhgAJp8wPBVZZHMhSv',
  },
  {
    symbol: 'SOL',
    mint: new PublicKey('So11111111111111111111111111111111111111112'),
    decimals: 9,
    reserve: new PublicKey('d4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q'),
    supplyVault: 'GafNuUXj9rxGLn4y79dPu6MHSuPWeJR6UtTWuexpGh3U',
    shareMint: '2UywZrUdyqs5vDchy7fKQJKau2RVyuzBev2XKGPDSiX1',
  },
]
const TOKEN_2022 = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const WALLET = new PublicKey(Buffer.alloc(32, 9))
const TIME = { slot: 10n, unixSeconds: 5n }

/** The reserve's account with the addresses that it names. */
const accountOf = (
  { mint, decimals, supplyVault, shareMint }: (typeof RESERVES)[number],
  tokenProgram = TOKEN_PROGRAM_ID,
) => ({
  owner: KAMINO_LEND,
  lamports: 1,
  data: fields(8624, discriminator('account:Reserve'))
    .number(8, 1)
    .key(32, MARKET)
    .key(128, mint)
    .key(160, new PublicKey(supplyVault))
    .number(272, decimals)
    .key(408, tokenProgram)
    .key(2560, new PublicKey(shareMint)).bytes,
})
const listed = ({ symbol, mint, decimals, reserve }: (typeof RESERVES)[number]) => {
  const asset = { symbol, mint, decimals, isNative: symbol === 'SOL' }
  return beta.listMarket(asset, { market: MARKET.toBase58(), reserve: reserve.toBase58() }, true)
}

describe("a reserve of Kamino's main market", () => {
  it.each(RESERVES)('of $symbol is deposited into and redeemed from the vault that its account names', (reserve) => {
    const account = accountOf(reserve)
    const market = listed(reserve).open([account])
    const state = market.read([account], TIME)
    expect(market.addresses.shareMint.toBase58()).toBe(reserve.shareMint)
    for (const leg of [state.depositLeg(WALLET, 5n), state.withdrawLeg(WALLET, { kind: 'all', shares: 5n })]) {
      const keys = leg.flatMap((instruction) => instruction.keys.map(({ pubkey }) => pubkey.toBase58()))
      expect(keys).toEqual(expect.arrayContaining([AUTHORITY, reserve.supplyVault, reserve.shareMint]))
    }
  })

  it.each(RESERVES)('of $symbol has the vaults of the first generation, as one of the sandbox has', (reserve) => {
    const vaults = kaminoVaults('market_and_mint', { ...reserve, market: MARKET })
    expect(vaults.supplyVault.toBase58()).toBe(reserve.supplyVault)
    expect(vaults.shareMint.toBase58()).toBe(reserve.shareMint)
  })

  it('is refused where it is of another token, of other decimals, or of a token program that we do not build for', () => {
    const [usdc, sol] = RESERVES
    if (!usdc || !sol) throw new Error('no reserves')
    for (const account of [null, accountOf(sol), accountOf({ ...usdc, decimals: 9 }), accountOf(usdc, TOKEN_2022)]) {
      expect(() => listed(usdc).open([account])).toThrow()
    }
  })
})

describe('the built-in list of live markets', () => {
  it('names the reserves of the main market by their addresses', () => {
    const markets = parseYieldConfig(MAINNET_MARKETS).markets.filter(({ provider }) => provider === beta)
    const reserves = new Map(markets.map(({ asset, contract }) => [asset.symbol, contract.toBase58()]))
    for (const { symbol, reserve } of RESERVES) expect(reserves.get(symbol)).toBe(reserve.toBase58())
  })
})
