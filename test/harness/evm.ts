import { getAddress, type Address, type Hex, type TransactionReceipt } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import type { EvmChain } from '../../chains/chain.js'
import { createEvmClient, type EvmClient } from '../../chains/evm/client.js'
import { localSigner, type Signer } from '../../chains/evm/signer.js'
import { SPLIT_VERSION, type SplitVersion } from '../../chains/evm/forwarder.js'
import type { Split } from '../../chains/evm/split.js'
import { createLog } from '../../kernel/log.js'
import { startAnvil } from '../../sandbox/anvil/anvil.js'
import { seed } from '../../sandbox/anvil/seed.js'
import { createAnvilClient, type AnvilClient } from '../../sandbox/anvil/test-client.js'
import { ending } from './at-end.js'
import { CONTRACTS, sandboxChain } from './chains.js'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'

/** A real, seeded EVM node for one test file, with the accounts to use it. */
export interface EvmHarness {
  /** Its split is known to be supported. */
  chain: EvmChain & { split: NonNullable<EvmChain['split']> }
  client: EvmClient
  anvil: AnvilClient
  payer: PrivateKeyAccount
  operator: Signer
  usdt: { kind: 'token'; address: Address; decimals: 6 }
  native: { kind: 'native'; decimals: 18 }
  router: Address
}

/** Starts the node and seeds it. @param treasury an address that is given tokens and coins */
export async function startEvmHarness(treasury: Address = freshAddress()): Promise<EvmHarness> {
  const { rpcUrl } = ending(await startAnvil({ log: createLog('silent') }))
  const payer = privateKeyToAccount(generatePrivateKey())
  const operator = localSigner(generatePrivateKey())
  await seed(rpcUrl, { payer: payer.address, operator: operator.address, treasury })
  const chain = sandboxChain(rpcUrl)
  return {
    chain,
    client: createEvmClient(chain),
    anvil: createAnvilClient(rpcUrl),
    payer,
    operator,
    usdt: { kind: 'token', address: CONTRACTS.USDT, decimals: 6 },
    native: { kind: 'native', decimals: 18 },
    router: CONTRACTS.router,
  }
}

/** An address that nobody used before. */
export function freshAddress(): Address {
  return privateKeyToAccount(generatePrivateKey()).address
}

/** A payment id and split of its own. */
export function splitOf(
  reference: Hex,
  receivers: readonly Address[],
  percents: readonly string[],
  version: SplitVersion = SPLIT_VERSION,
): Split {
  return { version, reference, receivers: receivers.map((receiver) => getAddress(receiver)), percents }
}

/** Sends a signed transaction and waits for its receipt. */
export async function mine({ anvil }: Pick<EvmHarness, 'anvil'>, raw: Hex): Promise<TransactionReceipt> {
  const hash = await anvil.sendRawTransaction({ serializedTransaction: raw })
  return minedReceipt(anvil, hash)
}

/** Lets an account act without its key, as only a test node allows, and waits for the receipt. */
export async function act(
  { anvil }: Pick<EvmHarness, 'anvil'>,
  transaction: { from: Address; to?: Address; data?: Hex; value?: bigint; gas?: bigint },
): Promise<TransactionReceipt> {
  const hash = await anvil.sendUnsignedTransaction(transaction)
  return minedReceipt(anvil, hash)
}
