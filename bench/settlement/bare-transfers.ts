import { setTimeout as delay } from 'node:timers/promises'
import {
  concatHex,
  createPublicClient,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { SolanaChain } from '../../chains/chain.js'
import { readLatestBlockhash } from '../../chains/solana/blockhash.js'
import { createSolanaClient } from '../../chains/solana/client.js'
import { localSolanaSigner } from '../../chains/solana/signer.js'
import { transferInstructions } from '../../chains/solana/transfer.js'
import { signInstructions } from '../../chains/solana/transfer-from.js'
import type { DemoChain } from '../../sandbox/demo/balances.js'
import { heldByReceivers } from './held-by-receivers.js'
import { inParallel, type ProductHarness } from './product-harness.js'
import { newAddress } from './settle-charges.js'

/** Sends at once; the node works on one after the other. */
const WIDTH = 16
const UNITS = 1_000_000n
/** More than a transfer to a new holder uses on either chain. */
const EVM_GAS = 100_000n
const SOLANA_BUDGET = { units: 60_000, microLamports: 1_000 }
const CONFIRM_TIMEOUT_MS = 60_000

/**
 * The limit of what the chain takes: transfers that were signed before are sent to the node of the product, to new
 * receivers as payouts are, until the last one is confirmed.
 * @returns transfers a second
 * @throws Error where a transfer does not land
 */
export async function sendBareTransfers(harness: ProductHarness, chain: DemoChain, count: number): Promise<number> {
  const receivers = Array.from({ length: count }, () => newAddress(chain))
  const send = chain === 'polygon' ? await prepareEvm(harness, receivers) : await prepareSolana(harness, receivers)
  const startedMs = performance.now()
  await send()
  const elapsedMs = performance.now() - startedMs
  for (const held of await heldByReceivers(harness, chain, receivers)) {
    if (held !== UNITS) throw new Error(`a receiver of a bare transfer on ${chain} holds ${held}`)
  }
  return (count * 1000) / elapsedMs
}

/** The transfers of the sandbox's payer on its EVM chain; the reference behind the calldata is as long as a payout's. */
async function prepareEvm({ sandbox }: ProductHarness, receivers: readonly string[]): Promise<() => Promise<void>> {
  const { rpc_url: rpcUrl, chain_id: chainId, tokens } = sandbox.chains.polygon
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  const payer = privateKeyToAccount(sandbox.wallets.evm.private_key)
  const first = await client.getTransactionCount({ address: payer.address })
  const { baseFeePerGas } = await client.getBlock()
  const fees = { maxFeePerGas: (baseFeePerGas ?? 0n) * 2n + 1_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
  const raws = await Promise.all(
    receivers.map((to, index) => {
      const args = [to as Address, UNITS] as const
      const data = concatHex([
        encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
        generatePrivateKey(),
      ])
      const call = { to: tokens.USDT.address, data, gas: EVM_GAS, nonce: first + index }
      return payer.signTransaction({ type: 'eip1559', chainId, ...call, ...fees })
    }),
  )
  return async () => {
    const hashes = await inParallel(raws, WIDTH, (raw: Hex) =>
      client.request({ method: 'eth_sendRawTransaction', params: [raw] }),
    )
    // anvil mines what arrives, and now and then leaves in its pool what came before the nonce in front of it.
    await createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).mine({ blocks: 1 })
    await inParallel(hashes, WIDTH, (hash) =>
      untilSo(async () => (await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })) !== null),
    )
  }
}

/** The transfers of the sandbox's payer on its Solana chain, each of which makes the receiver's token account. */
async function prepareSolana({ sandbox }: ProductHarness, receivers: readonly string[]): Promise<() => Promise<void>> {
  const { rpc_url: rpcUrl, tokens } = sandbox.chains.solana
  const client = createSolanaClient({ rpcUrl, commitment: 'confirmed' } satisfies Pick<
    SolanaChain,
    'rpcUrl' | 'commitment'
  >)
  const signer = localSolanaSigner(Uint8Array.from(sandbox.wallets.solana.secret_key))
  const asset = { kind: 'token', address: tokens.USDT.mint, decimals: tokens.USDT.decimals } as const
  const { blockhash } = await readLatestBlockhash(client)
  const signed = await Promise.all(
    receivers.map((wallet, index) => {
      const shares = [{ wallet, amount: UNITS }]
      const transfer = { from: signer.address, asset, shares, memo: `bench#${index}`, reference: newAddress('solana') }
      return signInstructions(signer, transferInstructions(transfer, SOLANA_BUDGET), blockhash)
    }),
  )
  return async () => {
    const config = { encoding: 'base64', preflightCommitment: 'confirmed' }
    await inParallel(signed, WIDTH, ({ raw }) => client.call('sendTransaction', [raw, config]))
    await inParallel(signed, WIDTH, ({ signature }) =>
      untilSo(async () => {
        const { value } = (await client.call('getSignatureStatuses', [[signature]])) as {
          value: ({ confirmationStatus: string; err: unknown } | null)[]
        }
        return value[0]?.err === null && value[0].confirmationStatus !== 'processed'
      }),
    )
  }
}

async function untilSo(condition: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + CONFIRM_TIMEOUT_MS
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error('a bare transfer was not confirmed in time')
    await delay(20)
  }
}
