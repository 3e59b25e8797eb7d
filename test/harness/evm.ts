import { pino } from 'pino'
import { getAddress, type Address, type Hex, type TransactionReceipt } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { startAnvil } from '../../sandbox/anvil/anvil.js'
import { seed } from '../../sandbox/anvil/seed.js'
import { createAnvilClient, type AnvilClient } from '../../sandbox/anvil/test-client.js'
import type { EvmChain } from '../../chains/chain.js'
import type { EvmTransactionRequest } from '../../chains/evm/build-call.js'
import { createEvmClient, type EvmClient } from '../../chains/evm/client.js'
import type { Split } from '../../chains/evm/split.js'
import { localSigner, type Signer } from '../../chains/evm/operator.js'

/** A chain whose split is known to be supported. */
export type SplitChain = EvmChain & { split: NonNullable<EvmChain['split']> }

/** A real, seeded EVM node for one test file, with the accounts to use it. */
export interface EvmHarness {
  chain: SplitChain
  client: EvmClient
  anvil: AnvilClient
  payer: PrivateKeyAccount
  operator: Signer
  usdt: { kind: 'token'; address: Address; decimals: 6 }
  native: { kind: 'native'; decimals: 18 }
  router: Address
  stop(): Promise<void>
}

/** Starts the node and seeds it. */
export async function startEvmHarness(): Promise<EvmHarness> {
  const anvil = await startAnvil({ log: pino({ level: 'silent' }) })
  const payer = privateKeyToAccount(generatePrivateKey())
  const operator = localSigner(generatePrivateKey())
  const contracts = await seed(anvil.rpcUrl, {
    payer: payer.address,
    operator: operator.address,
    treasury: freshAddress(),
  })
  const chain: SplitChain = {
    family: 'evm',
    name: 'polygon',
    chainId: 31337,
    rpcUrl: anvil.rpcUrl,
    confirmations: 1,
    nativeCoin: { symbol: 'POL', decimals: 18 },
    tokens: contracts.tokens,
    split: { kind: 'forwarder', deployer: '0x4e59b44847b379578588920cA78FbF26c0B4956C' },
    routers: [contracts.router],
  }
  return {
    chain,
    client: createEvmClient(chain),
    anvil: createAnvilClient(anvil.rpcUrl),
    payer,
    operator,
    usdt: { kind: 'token', ...contracts.tokens.USDT },
    native: { kind: 'native', decimals: 18 },
    router: contracts.router,
    stop: () => anvil.stop(),
  }
}

/** An address that nobody used before. */
export function freshAddress(): Address {
  return privateKeyToAccount(generatePrivateKey()).address
}

/** A payment id and split of its own. */
export function splitOf(reference: Hex, receivers: readonly Address[], percents: readonly string[]): Split {
  return { reference, receivers: receivers.map((receiver) => getAddress(receiver)), percents }
}

/** Signs a built transaction as a wallet does, with changes if asked. */
export function signBuilt(
  account: PrivateKeyAccount,
  request: EvmTransactionRequest,
  changes: Partial<Parameters<PrivateKeyAccount['signTransaction']>[0]> = {},
): Promise<Hex> {
  return account.signTransaction({
    type: 'eip1559',
    to: request.to,
    data: request.data,
    nonce: request.nonce,
    value: BigInt(request.value),
    chainId: request.chainId,
    gas: BigInt(request.gasLimit),
    maxFeePerGas: BigInt(request.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(request.maxPriorityFeePerGas),
    ...changes,
  } as Parameters<PrivateKeyAccount['signTransaction']>[0])
}

/** Sends a signed transaction and waits for its receipt. */
export async function mine(world: EvmHarness, raw: Hex): Promise<TransactionReceipt> {
  const hash = await world.anvil.sendRawTransaction({ serializedTransaction: raw })
  return world.anvil.waitForTransactionReceipt({ hash, timeout: 10_000 })
}

/** Lets an account act without its key, as only a test node allows, and waits for the receipt. */
export async function act(
  world: EvmHarness,
  transaction: { from: Address; to?: Address; data?: Hex; value?: bigint; gas?: bigint },
): Promise<TransactionReceipt> {
  const hash = await world.anvil.sendUnsignedTransaction(transaction)
  return world.anvil.waitForTransactionReceipt({ hash, timeout: 10_000 })
}
