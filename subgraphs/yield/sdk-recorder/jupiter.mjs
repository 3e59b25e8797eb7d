import { Buffer } from 'node:buffer'
import { readAccounts, shown, shownKey } from './chain-state.mjs'

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
/** Mints of the real chain: nothing of them but their owner is asked for. */
const REAL_MINTS = {
  USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  USDT: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
}

/** What Jupiter's SDK builds for each market of the sandbox, and for mints of the real chain. */
export async function recordJupiter(load, { rpcUrl, wallet, amounts, strategies }) {
  const earn = load('@jup-ag/lend/earn')
  const { PublicKey } = load('@solana/web3.js')
  const BN = load('bn.js')
  const markets = strategies.filter(({ provider }) => provider === 'alpha_lend')
  const { accounts, states } = await readMarkets(rpcUrl, markets, (mint) => {
    const signer = new PublicKey(wallet)
    return earn.getDepositContext({ asset: new PublicKey(mint), signer, connection: plainMints(PublicKey) })
  })
  const connection = {
    getAccountInfo: async (key) => {
      const known = accounts.get(key.toBase58())
      return known ? { ...known, owner: new PublicKey(known.owner) } : plainMints(PublicKey).getAccountInfo(key)
    },
  }
  const asked = [
    ...states.map(({ symbol, mint }) => ({ symbol, mint, isOnChain: true })),
    ...Object.entries(REAL_MINTS).map(([symbol, mint]) => ({ symbol, mint, isOnChain: false })),
  ]
  const cases = []
  for (const { mint, ...market } of asked) {
    for (const amount of amounts) {
      const common = { asset: new PublicKey(mint), signer: new PublicKey(wallet), connection }
      const instructions = {
        deposit: await earn.getDepositIx({ ...common, amount: new BN(amount) }),
        withdraw: await earn.getWithdrawIx({ ...common, amount: new BN(amount) }),
        redeem: await earn.getRedeemIx({ ...common, shares: new BN(amount) }),
      }
      for (const [kind, instruction] of Object.entries(instructions)) {
        cases.push({ ...market, mint, kind, amount, instruction: shownInstruction(instruction) })
      }
    }
  }
  return { markets: states, accounts: shown(accounts), cases }
}

/** The accounts of each market, at the addresses that the SDK itself derives. */
async function readMarkets(rpcUrl, markets, contextOf) {
  const states = []
  for (const { token } of markets) {
    const { lending, supplyTokenReservesLiquidity, rewardsRateModel, fTokenMint } = await contextOf(token.mint)
    const addresses = [lending, supplyTokenReservesLiquidity, rewardsRateModel, fTokenMint].map(String)
    states.push({ symbol: token.symbol, mint: token.mint, decimals: token.decimals, addresses })
  }
  const wanted = states.flatMap(({ mint, addresses }) => [mint, ...addresses])
  return { accounts: await readAccounts(rpcUrl, wanted), states }
}

/** A connection on which every account is a mint of the token program. */
function plainMints(PublicKey) {
  const owner = new PublicKey(TOKEN_PROGRAM)
  return { getAccountInfo: async () => ({ owner, lamports: 1, executable: false, data: Buffer.alloc(82) }) }
}

function shownInstruction({ programId, keys, data }) {
  return {
    programId: programId.toBase58(),
    keys: keys.map(({ pubkey, isSigner, isWritable }) => shownKey(pubkey.toBase58(), isSigner, isWritable)),
    data: data.toString('hex'),
  }
}
