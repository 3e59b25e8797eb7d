import bs58 from 'bs58'
import { getAddress, type Address } from 'viem'
import { memoize } from '../kernel/memoize.js'

/** A coin or token amount's unit: how it is called, and how many decimals its base unit has. */
export interface NativeCoin extends PayoutLimits {
  symbol: string
  decimals: number
}

/** What the treasury pays out at least, as the deployment sets it; see `min-payout.ts` for what holds otherwise. */
export interface PayoutLimits {
  /** To one receiver, in units of the coin or token: a decimal string. */
  minPayout?: string
  /** The same where the receiver's token account has to be opened first, on Solana. */
  minPayoutToNewAccount?: string
}

/** How a payment to several receivers is split on a chain: our forwarder, created through a CREATE2 deployer. */
export interface ForwarderSplit {
  kind: 'forwarder'
  /** The deterministic deployment proxy (usually 0x4e59b44847b379578588920cA78FbF26c0B4956C). */
  deployer: Address
}

/** The deployment's own accounts, which pay receivers or share payments out, as far as they are known. */
interface OwnAccounts {
  /** Their addresses on the chain. None is a receiver: what one is paid would be booked as gone and still be ours. */
  ownAccounts?: readonly string[]
}

/** An EVM chain of the deployment. */
export interface EvmChain extends OwnAccounts {
  family: 'evm'
  /** The name callers use, e.g. `polygon`. */
  name: string
  chainId: number
  /** May hold an API key: never logged, never part of an error. */
  rpcUrl: string
  /** More addresses of the same chain, of other providers. They may hold keys too. */
  rpcUrls?: readonly string[]
  /** How many calls each address takes in a second; left out: as many as there are. */
  rpcCallsPerSecond?: number
  /** A node that payers' wallets may be told of; it holds no key. */
  publicRpcUrl?: string
  /** Where people look transactions up, at `<url>/tx/<hash>`. */
  explorerUrl?: string
  /** How many blocks, the transaction's own included, make it count as paid. */
  confirmations: number
  /**
   * How many blocks, its own included, make a block final, so that it is not read again. Left out: the node's
   * `finalized` tag says so, and 128 blocks where it does not know the tag.
   */
  finalityBlocks?: number
  /** What our own transactions offer for a unit of gas at most, in gwei: a decimal string. Where gas costs more they wait. */
  gasPriceMaxGwei?: string
  /** Set where publishing a transaction on Ethereum costs on top of its gas. */
  rollup?: 'op-stack'
  nativeCoin: NativeCoin
  tokens: Readonly<Record<string, { address: Address; decimals: number } & PayoutLimits>>
  /** Null: several receivers are not supported on this chain. */
  split: ForwarderSplit | null
  /** The router contracts whose transactions we hand out. */
  routers: readonly Address[]
}

/** A Solana cluster of the deployment. */
export interface SolanaChain extends OwnAccounts {
  family: 'solana'
  name: string
  /** May hold an API key: never logged, never part of an error. */
  rpcUrl: string
  /** As of an EVM chain. */
  rpcUrls?: readonly string[]
  rpcCallsPerSecond?: number
  /** Where people look transactions up, at `<url>/tx/<hash>`. */
  explorerUrl?: string
  /** Which cluster it is, as `getGenesisHash` answers it; left out, only its addresses are compared with each other. */
  genesisHash?: string
  /** The commitment that makes a transaction final for us. */
  commitment: 'confirmed' | 'finalized'
  /** What the treasury pays for a compute unit at most, in micro-lamports; while it costs more, payouts wait. */
  computePriceMaxMicroLamports?: number
  nativeCoin: NativeCoin
  tokens: Readonly<Record<string, { mint: string; decimals: number } & PayoutLimits>>
}

/** A chain of the deployment. */
export type Chain = EvmChain | SolanaChain

/** What can be paid on an EVM chain. */
export type EvmAsset = { kind: 'token'; address: Address; decimals: number } | { kind: 'native'; decimals: number }

/** What can be paid on any chain; a Solana token's address is its mint. */
export type Asset = { kind: 'token'; address: string; decimals: number } | { kind: 'native'; decimals: number }

/**
 * The token or native coin that a chain knows under a symbol; symbols are upper case and compare exactly.
 * @returns undefined where the chain does not have it
 */
export function findToken(chain: EvmChain, symbol: string): EvmAsset | undefined
export function findToken(chain: Chain, symbol: string): Asset | undefined
export function findToken(chain: Chain, symbol: string): Asset | undefined {
  if (symbol === chain.nativeCoin.symbol) return { kind: 'native', decimals: chain.nativeCoin.decimals }
  if (!Object.hasOwn(chain.tokens, symbol)) return undefined
  if (chain.family === 'evm') {
    const token = chain.tokens[symbol]
    return token && { kind: 'token', address: token.address, decimals: token.decimals }
  }
  const token = chain.tokens[symbol]
  return token && { kind: 'token', address: token.mint, decimals: token.decimals }
}

/** What is wrong with the name of a token that `findToken` does not find, with those that it would. */
export function unknownToken(chain: Chain): string {
  const symbols = [chain.nativeCoin.symbol, ...Object.keys(chain.tokens)]
  return `must be a token enabled on ${chain.name}: ${symbols.join(', ')}`
}

/**
 * Whether money can be sent to `address` on `chain`: on an EVM chain 20 bytes of 0x-hex, with a right EIP-55 checksum
 * where the case is mixed, and not the zero address, which nobody can spend from; on Solana base58 of 32 bytes.
 */
export function isValidAddress(chain: Pick<Chain, 'family'>, address: string): boolean {
  return chain.family === 'evm' ? isEvmAddress(address) : isSolanaAddress(address)
}

/** Solana's address of zeros: the program that creates accounts, for which nobody signs. */
const SOLANA_SYSTEM_PROGRAM = '1'.repeat(32)

/**
 * Whether `address` can be paid on `chain`: it is valid there, none of our own accounts, and none of the contracts (or mints) that the
 * chain's settings name, which could not spend what they are sent: its tokens, the deployer of splits, the routers.
 */
export function isReceiver(chain: Chain, address: string): boolean {
  if (!isValidAddress(chain, address)) return false
  const { ownAccounts = [] } = chain
  if (chain.family === 'solana') {
    const mints = Object.values(chain.tokens).map(({ mint }) => mint)
    return ![SOLANA_SYSTEM_PROGRAM, ...mints, ...ownAccounts].includes(address)
  }
  const tokens = Object.values(chain.tokens).map((token) => token.address)
  const contracts = [...tokens, ...chain.routers, ...(chain.split ? [chain.split.deployer] : [])]
  return [...contracts, ...ownAccounts].every((taken) => taken.toLowerCase() !== address.toLowerCase())
}

/**
 * How many receivers a payment may have: one transaction has to pay them all, within the gas of a block, and the gas payer
 * pays for it.
 */
export const RECEIVERS_MAX = 50

/** Whether `address` is a usable EVM address; see `isValidAddress`. */
export function isEvmAddress(address: string): address is Address {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address) || /^0x0{40}$/.test(address)) return false
  const digits = address.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || isChecksummed(address)
}

/** A usable EVM address as libraries take it: to them one that is written in capitals is none, as its checksum is wrong. */
export function evmAddress(address: string): Address {
  return (/^0x[0-9A-F]{40}$/.test(address) ? address.toLowerCase() : address) as Address
}

/** Whether its case is that of its checksum. A tenant's receivers come again with each payment, and each is asked for several times. */
const isChecksummed = memoize(8_192, (address) => address === getAddress(`0x${address.slice(2).toLowerCase()}`))

function isSolanaAddress(address: string): boolean {
  // 32 bytes are at most 44 characters; the bound comes first because base58 decoding is quadratic.
  if (address.length < 32 || address.length > 44) return false
  return bs58.decodeUnsafe(address)?.length === 32
}
