import { createPublicClient, erc20Abi, http, type Address } from 'viem'
import type { SandboxDescription } from './demo.js'

/** The chains on which the sandbox pays receivers. */
export type DemoChain = 'polygon' | 'solana'

/** What an address holds of USDT on a chain, in base units; 0 where it has no token account yet. */
export async function usdtOf({ chains }: SandboxDescription, chain: DemoChain, owner: string): Promise<bigint> {
  if (chain === 'polygon') {
    const client = createPublicClient({ transport: http(chains.polygon.rpc_url) })
    const { address } = chains.polygon.tokens.USDT
    return client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner as Address] })
  }
  const { mint } = chains.solana.tokens.USDT
  const response = await fetch(chains.solana.rpc_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getTokenAccountsByOwner',
      params: [owner, { mint }, { encoding: 'base64', commitment: 'confirmed' }],
    }),
  })
  const { result } = (await response.json()) as { result: { value: { account: { data: [string, string] } }[] } }
  // A token account's amount is the u64 at offset 64 (SPL Token, state.rs).
  return result.value.reduce((sum, { account }) => sum + Buffer.from(account.data[0], 'base64').readBigUInt64LE(64), 0n)
}

/** A decimal amount of USDT in base units. */
export function usdtUnits(amount: string): bigint {
  const [whole = '', decimals = ''] = amount.split('.')
  return BigInt(whole + decimals.padEnd(6, '0'))
}

/** Base units of USDT as a decimal amount. */
export function usdtText(units: bigint): string {
  const digits = units.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}
