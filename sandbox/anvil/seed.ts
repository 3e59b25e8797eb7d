import {
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  parseAbi,
  parseEther,
  parseUnits,
  type Address,
  type Hex,
} from 'viem'
import routerArtifact from './contracts/SandboxRouter.json' with { type: 'json' }
import tokenArtifact from './contracts/SandboxUSD.json' with { type: 'json' }
import { createAnvilClient, type AnvilClient } from './test-client.js'
import { minedReceipt } from './mined-receipt.js'

/** The contracts of the sandbox's chain; the same addresses in every sandbox. */
export interface SandboxContracts {
  tokens: { USDT: { address: Address; decimals: 6 }; USDC: { address: Address; decimals: 6 } }
  router: Address
}

/** Whom to fund: the throw-away payer, the operator (gas for settlements), the treasury (pays out after a fiat charge). */
export interface SeedAccounts {
  payer: Address
  operator: Address
  treasury: Address
}

/** What the router simulator's quotes call. */
export const sandboxRouterAbi = parseAbi([
  'function swap(address fromToken, uint256 fromAmount, address toToken, uint256 toAmount, address to, bytes32 id) payable',
  'event Swapped(bytes32 indexed id, address indexed from, address indexed to, address fromToken, uint256 fromAmount, address toToken, uint256 toAmount)',
  'error ZeroAmount()',
  'error ZeroReceiver()',
  'error WrongValue(uint256 sent, uint256 expected)',
  'error InsufficientReserve(uint256 reserve, uint256 needed)',
  'error PaymentFailed()',
])

/** The sandbox's tokens: ERC-20 with permits, and `mint` for their minter. */
export const sandboxTokenAbi = parseAbi([
  'constructor(string name, string symbol, address minter)',
  'function mint(address to, uint256 amount)',
  'function balanceOf(address account) view returns (uint256)',
  'function approve(address spender, uint256 value) returns (bool)',
  'error OnlyMinter()',
])

/** Accounts without keys: anvil takes their transactions unsigned. One only creates contracts, so its nonces name them. */
const DEPLOYER: Address = '0x00000000000000000000000000000000005eed01'
const MINTER: Address = '0x00000000000000000000000000000000005eed02'

const AMOUNTS = {
  payer: { native: parseEther('1000'), token: parseUnits('1000000', 6) },
  operator: { native: parseEther('1000'), token: 0n },
  treasury: { native: parseEther('10000'), token: parseUnits('10000000', 6) },
  router: { native: parseEther('100000'), token: parseUnits('100000000', 6) },
} as const

/**
 * Brings a chain of the sandbox to its first state, doing only what is missing: contracts that are not there are
 * created; an account that has less than a tenth of its first amount is filled up to it. Balances of a chain that was
 * seeded before stay as they are.
 * @throws viem's errors where the node fails
 */
export async function seed(rpcUrl: string, accounts: SeedAccounts): Promise<SandboxContracts> {
  const client = createAnvilClient(rpcUrl)
  for (const address of [DEPLOYER, MINTER]) {
    await fillNative(client, address, parseEther('1000'))
  }
  const usdt = await deploy(client, 0, tokenCode('Sandbox Tether USD', 'USDT'))
  const usdc = await deploy(client, 1, tokenCode('Sandbox USD Coin', 'USDC'))
  const router = await deploy(client, 2, routerArtifact.bytecode as Hex)
  for (const [role, address] of Object.entries({ ...accounts, router })) {
    const amounts = AMOUNTS[role as keyof typeof AMOUNTS]
    await fillNative(client, address, amounts.native)
    await fillToken(client, usdt, address, amounts.token)
    await fillToken(client, usdc, address, amounts.token)
  }
  return { tokens: { USDT: { address: usdt, decimals: 6 }, USDC: { address: usdc, decimals: 6 } }, router }
}

function tokenCode(name: string, symbol: string): Hex {
  return encodeDeployData({
    abi: sandboxTokenAbi,
    bytecode: tokenArtifact.bytecode as Hex,
    args: [name, symbol, MINTER],
  })
}

async function deploy(client: AnvilClient, nonce: number, data: Hex): Promise<Address> {
  const address = getContractAddress({ from: DEPLOYER, nonce: BigInt(nonce) })
  if ((await client.getCode({ address })) === undefined) await send(client, { from: DEPLOYER, data })
  return address
}

async function fillNative(client: AnvilClient, address: Address, amount: bigint): Promise<void> {
  const balance = await client.getBalance({ address })
  if (balance * 10n >= amount) return
  await client.setBalance({ address, value: amount })
  // A balance that was set is no block yet, and the state is saved by block.
  await client.mine({ blocks: 1 })
}

async function fillToken(client: AnvilClient, token: Address, to: Address, amount: bigint): Promise<void> {
  const balance = await client.readContract({
    address: token,
    abi: sandboxTokenAbi,
    functionName: 'balanceOf',
    args: [to],
  })
  if (balance * 10n >= amount) return
  const args = [to, amount - balance] as const
  await send(client, {
    from: MINTER,
    to: token,
    data: encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'mint', args }),
  })
}

async function send(client: AnvilClient, transaction: { from: Address; to?: Address; data: Hex }): Promise<void> {
  const hash = await client.sendUnsignedTransaction(transaction)
  const receipt = await minedReceipt(client, hash)
  if (receipt.status !== 'success') throw new Error("the sandbox's EVM chain could not be seeded")
}
