import { type Keypair, VersionedTransaction } from '@solana/web3.js'
import { type Harness, type LendingMarket, startHarness } from './harness.js'
import type { Answer } from './http.js'
import { fund } from './solana-side.js'

/** The whole product with lending markets, over REST. */
export interface YieldRestHarness extends Harness {
  kaminoOf: (symbol: string) => LendingMarket
  call: (method: string, path: string, body?: unknown) => Promise<Answer>
  broadcast: (signed: unknown) => Promise<Answer>
  /** A wallet with 10 SOL, 1000 USDC and 1000 of what else is named. */
  newWallet: (mint?: string) => Promise<Keypair>
  /** A deposit of the wallet's, built over REST and signed. */
  signedDeposit: (signer: Keypair, change?: object) => Promise<string>
}

/** Starts it all; the markets of USDT are switched off, and strategies are cached for a second. */
export async function startYieldRestHarness(): Promise<YieldRestHarness> {
  const harness = await startHarness(
    { YIELD_STRATEGIES_TTL_SECONDS: '1' },
    { hasMarket: (symbol) => symbol !== 'USDT' },
  )
  const call: YieldRestHarness['call'] = (method, path, body) =>
    harness.rest(method, path, { as: harness.tenant, body })
  return {
    ...harness,
    call,
    kaminoOf: (symbol) => {
      const found = harness.markets.find((market) => market.provider === 'beta' && market.symbol === symbol)
      if (!found) throw new Error(`no market of ${symbol}`)
      return found
    },
    broadcast: (signed) => call('POST', '/yield/broadcast', { chain_name: 'solana', op_signed: signed }),
    newWallet: (mint) => fund(harness.solana, mint === undefined ? {} : { more: { [mint]: 1_000_000_000n } }),
    signedDeposit: async (signer, change = {}) => {
      const { body } = await call('POST', '/yield/deposit', moveBody(signer, change))
      const transaction = VersionedTransaction.deserialize(Buffer.from(String(body.data?.['transaction']), 'base64'))
      transaction.sign([signer])
      return Buffer.from(transaction.serialize()).toString('base64')
    },
  }
}

/** The body of a deposit or withdrawal of 10 USDC at Jupiter, as far as `change` does not say otherwise. */
export function moveBody(signer: Keypair, change: object = {}): object {
  const wallet = signer.publicKey.toBase58()
  return { provider: 'alpha_lend', asset: 'USDC', wallet, amount: '10', chain_name: 'solana', ...change }
}
