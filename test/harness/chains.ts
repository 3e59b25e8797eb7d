import { getContractAddress, type Address } from 'viem'
import type { EvmChain } from '../../chains/chain.js'

/** Who creates the sandbox's contracts; see `sandbox/anvil/seed.ts`: the same in every sandbox. */
const DEPLOYER = '0x00000000000000000000000000000000005eed01'
const created = (nonce: bigint): Address => getContractAddress({ from: DEPLOYER, nonce })

/** The contracts of every sandbox's chain. */
export const CONTRACTS = { USDT: created(0n), USDC: created(1n), router: created(2n) } as const

/** The seeded EVM chain as `CHAINS_FILE` holds it, reached through `rpcUrl`. */
export function sandboxChain(rpcUrl: string): EvmChain & { split: NonNullable<EvmChain['split']> } {
  return {
    family: 'evm',
    name: 'polygon',
    chainId: 31337,
    rpcUrl,
    publicRpcUrl: rpcUrl,
    confirmations: 1,
    finalityBlocks: 1,
    nativeCoin: { symbol: 'POL', decimals: 18 },
    tokens: { USDT: { address: CONTRACTS.USDT, decimals: 6 }, USDC: { address: CONTRACTS.USDC, decimals: 6 } },
    split: { kind: 'forwarder', deployer: '0x4e59b44847b379578588920cA78FbF26c0B4956C' },
    routers: [CONTRACTS.router],
  }
}

/** An EVM chain that nothing calls: only its names, tokens and the form of its addresses count. */
export const IDLE_CHAIN: EvmChain = {
  family: 'evm',
  name: 'polygon',
  chainId: 31337,
  rpcUrl: 'http://127.0.0.1:1',
  confirmations: 1,
  nativeCoin: { symbol: 'POL', decimals: 18 },
  tokens: { USDT: { address: '0x5555555555555555555555555555555555555555', decimals: 6 } },
  split: null,
  routers: [],
}

/** Some receivers' addresses, for payments that nobody follows to them. */
export const RECEIVERS = [
  '0x1111111111111111111111111111111111111111',
  '0x2222222222222222222222222222222222222222',
] as const
