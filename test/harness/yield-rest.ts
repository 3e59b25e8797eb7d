import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keypair, VersionedTransaction } from '@solana/web3.js'
import { createLog } from '../../kernel/log.js'
import { loadPrograms } from '../../sandbox/solana-programs/programs.js'
import { seedYield } from '../../sandbox/solana-programs/seed-yield.js'
import { control } from '../../sandbox/solana/control.js'
import { holding, holdingAddress, seedSolana, SOLANA_TOKENS, wallet } from '../../sandbox/solana/seed.js'
import { startSolana } from '../../sandbox/solana/solana.js'
import { sandboxChain } from './evm-side.js'
import type { Answer } from './http.js'
import { startRpcProxy, type RpcProxy } from './rpc-proxy.js'
import { startHarness } from './harness.js'

/** The whole product with lending markets, over REST, and a way to break what is between it and the chain. */
export interface YieldRestHarness extends AsyncDisposable {
  /** The product's way to its Solana chain; `solanaUrl` is past it. */
  rpc: RpcProxy
  solanaUrl: string
  kaminoOf: (symbol: string) => { mint: string; reserve: string }
  call: (method: string, path: string, body?: unknown) => Promise<Answer>
  /** As `call`, with no key. */
  callWithoutKey: (method: string, path: string) => Promise<Answer>
  broadcast: (signed: unknown) => Promise<Answer>
  /** A wallet with 10 SOL, 1000 USDC and 1000 of what else is named. */
  newWallet: (mint?: string) => Promise<Keypair>
  /** A deposit of the wallet's, built over REST and signed. @param blockhash another one than it was built with */
  signedDeposit: (signer: Keypair, change?: object, blockhash?: string) => Promise<string>
}

interface MarketEntry {
  provider: string
  symbol: string
  mint: string
  reserve: string
}

/** Starts it all; the markets of USDT are switched off, and strategies are cached for a second. */
export async function startYieldRestHarness(): Promise<YieldRestHarness> {
  const stack = new AsyncDisposableStack()
  const log = createLog('silent')
  const solana = await startSolana({ log, programs: loadPrograms() })
  stack.defer(() => solana.stop())
  const payer = Keypair.generate().publicKey.toBase58()
  await seedSolana(solana.rpcUrl, { payer, treasury: Keypair.generate().publicKey.toBase58() })
  const seeded = (await seedYield(solana.rpcUrl, { tokens: SOLANA_TOKENS, payer })) as { markets: MarketEntry[] }
  const markets = seeded.markets.map((market) => ({ ...market, enabled: market.symbol !== 'USDT' }))
  const rpc = await startRpcProxy()
  stack.defer(() => rpc.close())
  rpc.target = solana.rpcUrl
  const world = await startHarness({
    ...(await settingsFiles(stack, rpc.url, markets)),
    YIELD_STRATEGIES_TTL_SECONDS: '1',
  })
  stack.use(world)
  const call: YieldRestHarness['call'] = (method, path, body) =>
    world.rest(method, path, { as: world.tenant, ...(body !== undefined && { body }) })
  return {
    rpc,
    solanaUrl: solana.rpcUrl,
    call,
    callWithoutKey: (method, path) => world.rest(method, path),
    kaminoOf: (symbol) => {
      const found = markets.find((market) => market.provider === 'beta' && market.symbol === symbol)
      if (!found) throw new Error(`no market of ${symbol}`)
      return found
    },
    broadcast: (signed) => call('POST', '/yield/broadcast', { chain_name: 'solana', op_signed: signed }),
    newWallet: (mint) => newWallet(solana.rpcUrl, mint),
    signedDeposit: async (signer, change = {}, blockhash) => {
      const { body } = await call('POST', '/yield/deposit', moveBody(signer, change))
      const transaction = VersionedTransaction.deserialize(Buffer.from(String(body.data?.['transaction']), 'base64'))
      if (blockhash !== undefined) transaction.message.recentBlockhash = blockhash
      transaction.sign([signer])
      return Buffer.from(transaction.serialize()).toString('base64')
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The body of a deposit or withdrawal of 10 USDC at Jupiter, as far as `change` does not say otherwise. */
export function moveBody(signer: Keypair, change: object = {}): object {
  const wallet = signer.publicKey.toBase58()
  return { provider: 'alpha_lend', asset: 'USDC', wallet, amount: '10', chain_name: 'solana', ...change }
}

async function settingsFiles(
  stack: AsyncDisposableStack,
  rpcUrl: string,
  markets: readonly MarketEntry[],
): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-api-yield-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const solana = {
    family: 'solana',
    name: 'solana',
    rpcUrl,
    commitment: 'confirmed',
    nativeCoin: { symbol: 'SOL', decimals: 9 },
    tokens: SOLANA_TOKENS,
  }
  const files = { CHAINS_FILE: join(folder, 'chains.json'), YIELD_MARKETS_FILE: join(folder, 'markets.json') }
  await writeFile(files.CHAINS_FILE, JSON.stringify([sandboxChain(rpcUrl), solana]))
  await writeFile(files.YIELD_MARKETS_FILE, JSON.stringify({ markets }))
  return files
}

async function newWallet(solanaUrl: string, mint?: string): Promise<Keypair> {
  const keypair = Keypair.generate()
  const owner = keypair.publicKey.toBase58()
  const mints = [SOLANA_TOKENS.USDC.mint, ...(mint === undefined ? [] : [mint])]
  await control(solanaUrl).setAccounts([
    wallet(owner, 10_000_000_000n),
    ...mints.map((held) => holding(holdingAddress(owner, held), { owner, mint: held, amount: 1_000_000_000n })),
  ])
  return keypair
}
