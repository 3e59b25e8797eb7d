import { ComputeBudgetProgram, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js'

export const EARN = new PublicKey('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9')
const LIQUIDITY = new PublicKey('jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC')
const REWARDS = new PublicKey('jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar')
const TOKEN = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const ASSOCIATED_TOKEN = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const CLOCK = 'SysvarC1ock11111111111111111111111111111111'
/** sha256("global:withdraw"), the first eight bytes. */
const WITHDRAW = Buffer.from([183, 18, 70, 156, 148, 109, 161, 34])
const PRICE_ONE = 1_000_000_000_000n
const DECIMALS = 6
/** What is added to the compute units that the simulation used, and the lowest price of one. */
const SPARE_UNITS = 40_000
const LOWEST_PRICE = 1_000

/** What hand-written routes need of one market of Jupiter Lend Earn. */
export interface EarnMarket {
  /** The wallet's position in whole tokens, at the price that is stored; no interest since then is counted. */
  position: (wallet: string) => Promise<number>
  /** The unsigned transaction that withdraws an amount; `undefined` where the position is smaller. */
  withdraw: (wallet: string, amount: number) => Promise<BuiltWithdrawal | undefined>
}

interface BuiltWithdrawal {
  transaction: string
  recent_blockhash: string
  last_valid_block_height: number
}

type Rpc = <Result>(method: string, params: readonly unknown[]) => Promise<Result>
type Accounts = { value: ({ data: [string, string] } | null)[] }

/**
 * The market of a mint, as a developer would write it for this one alone: the addresses are derived once, an account is read
 * where its bytes are known to be, and a request asks the chain as often as the product does.
 */
export function earnMarket(rpcUrl: string, mintAddress: string): EarnMarket {
  const rpc = jsonRpc(rpcUrl)
  const mint = new PublicKey(mintAddress)
  const market = addressesOf(mint)
  const read = [CLOCK, market.lending, market.reserve, market.rewards, market.shareMint].map(String)

  async function readShares(extra: readonly PublicKey[]): Promise<bigint> {
    const addresses = [...read, ...extra.map(String)]
    const { value } = await rpc<Accounts>('getMultipleAccounts', [
      addresses,
      { encoding: 'base64', commitment: 'confirmed' },
    ])
    const bytes = value.map((account) => (account ? Buffer.from(account.data[0], 'base64') : undefined))
    const shares = bytes.at(-1)?.readBigUInt64LE(64) ?? 0n
    return (shares * (bytes[1]?.readBigUInt64LE(115) ?? 0n)) / PRICE_ONE
  }

  return {
    position: async (wallet) => {
      const units = await readShares([tokenAccount(new PublicKey(wallet), market.shareMint)])
      return Number(units) / 10 ** DECIMALS
    },
    withdraw: async (wallet, amount) => {
      const owner = new PublicKey(wallet)
      const [tokens, shares] = [tokenAccount(owner, mint), tokenAccount(owner, market.shareMint)]
      const [worth, { value: latest }] = await Promise.all([
        readShares([tokens, shares]),
        rpc<{ value: { blockhash: string; lastValidBlockHeight: number } }>('getLatestBlockhash', [
          { commitment: 'confirmed' },
        ]),
      ])
      const units = BigInt(Math.round(amount * 10 ** DECIMALS))
      if (worth < units) return undefined
      const leg = withdrawInstruction(market, { owner, tokens, shares }, units)
      const compile = (limit: number, price: number): string => compiled(leg, owner, latest.blockhash, limit, price)
      const written = leg.keys.filter(({ isWritable }) => isWritable).map(({ pubkey }) => pubkey.toBase58())
      const [simulated, fees] = await Promise.all([
        rpc<{ value: { err: unknown; unitsConsumed: number } }>('simulateTransaction', [
          compile(1_400_000, 0),
          { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true, commitment: 'confirmed' },
        ]),
        rpc<{ prioritizationFee: number }[]>('getRecentPrioritizationFees', [written]),
      ])
      if (simulated.value.err !== null) throw new Error(JSON.stringify(simulated.value.err))
      const paid = fees.map(({ prioritizationFee }) => prioritizationFee).sort((left, right) => left - right)
      const price = Math.max(LOWEST_PRICE, paid[Math.floor(paid.length * 0.75)] ?? 0)
      return {
        transaction: compile(Math.ceil(simulated.value.unitsConsumed * 1.2) + SPARE_UNITS, price),
        recent_blockhash: latest.blockhash,
        last_valid_block_height: latest.lastValidBlockHeight,
      }
    },
  }
}

function addressesOf(mint: PublicKey) {
  const shareMint = derived(EARN, 'f_token_mint', mint)
  const lending = derived(EARN, 'lending', mint, shareMint)
  const admin = derived(EARN, 'lending_admin')
  const liquidity = derived(LIQUIDITY, 'liquidity')
  return {
    mint,
    shareMint,
    lending,
    admin,
    liquidity,
    rewards: derived(REWARDS, 'lending_rewards_rate_model', mint),
    reserve: derived(LIQUIDITY, 'reserve', mint),
    position: derived(LIQUIDITY, 'user_supply_position', mint, lending),
    rateModel: derived(LIQUIDITY, 'rate_model', mint),
    claim: derived(LIQUIDITY, 'user_claim', admin, mint),
    vault: tokenAccount(liquidity, mint),
  }
}

function withdrawInstruction(
  market: ReturnType<typeof addressesOf>,
  { owner, tokens, shares }: { owner: PublicKey; tokens: PublicKey; shares: PublicKey },
  units: bigint,
): TransactionInstruction {
  const { mint, shareMint, lending, admin, rewards, liquidity, reserve, position, rateModel, vault, claim } = market
  const order = [
    owner, shares, tokens, admin, lending, mint, shareMint, reserve, position, rateModel, vault, claim, liquidity,
    LIQUIDITY, rewards, TOKEN, ASSOCIATED_TOKEN, SystemProgram.programId,
  ] // prettier-ignore
  const readOnly = new Set([admin, mint, rateModel, rewards, TOKEN, ASSOCIATED_TOKEN, SystemProgram.programId])
  const data = Buffer.alloc(16)
  WITHDRAW.copy(data)
  data.writeBigUInt64LE(units, 8)
  return new TransactionInstruction({
    programId: EARN,
    keys: order.map((pubkey) => ({ pubkey, isSigner: pubkey === owner, isWritable: !readOnly.has(pubkey) })),
    data,
  })
}

function compiled(
  leg: TransactionInstruction,
  feePayer: PublicKey,
  blockhash: string,
  units: number,
  microLamports: number,
): string {
  const transaction = new Transaction({ feePayer, blockhash, lastValidBlockHeight: 0 }).add(
    ComputeBudgetProgram.setComputeUnitLimit({ units }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
    leg,
  )
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64')
}

function tokenAccount(owner: PublicKey, mint: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync([owner.toBuffer(), TOKEN.toBuffer(), mint.toBuffer()], ASSOCIATED_TOKEN)[0]
}

function derived(program: PublicKey, name: string, ...keys: readonly PublicKey[]): PublicKey {
  return PublicKey.findProgramAddressSync([Buffer.from(name), ...keys.map((key) => key.toBuffer())], program)[0]
}

function jsonRpc(url: string): Rpc {
  return async <Result>(method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result?: Result; error?: { message: string } }
    if (result === undefined) throw new Error(error?.message ?? `${method} has no result`)
    return result
  }
}
