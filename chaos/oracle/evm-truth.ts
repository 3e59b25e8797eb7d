import { createPublicClient, erc20Abi, http, parseAbiItem, type Address, type Hex, type PublicClient } from 'viem'
import type { HarnessView } from '../view.js'
import { forEach } from './evidence.js'

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** What the EVM chain itself shows. */
export interface EvmTruth {
  balanceOf: (token: string, owner: string) => Promise<bigint>
  /** `success`, `reverted`, or undefined where no block has it. */
  outcomeOf: (hash: string) => Promise<'success' | 'reverted' | undefined>
  /** What accounts have sent of a token in all, but for what they have sent to each other. */
  sentBy: (token: string, owners: readonly string[]) => Promise<bigint>
  /** What the mined ones of these transactions cost in gas, in wei, by their hashes. */
  costsOf: (hashes: readonly string[]) => Promise<Map<string, bigint>>
  nonceOf: (owner: string) => Promise<number>
}

/** Reads the chain at its node, past the product. */
export function evmTruth({ chains: { evm } }: HarnessView): EvmTruth {
  const client: PublicClient = createPublicClient({ transport: http(evm.rpcUrl) })
  const receipt = (hash: string) => client.getTransactionReceipt({ hash: hash as Hex }).catch(() => undefined)
  return {
    balanceOf: (token, owner) =>
      client.readContract({
        address: token as Address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [owner as Address],
      }),
    outcomeOf: async (hash) => (await receipt(hash))?.status,
    sentBy: async (token, owners) => {
      const range = { fromBlock: 'earliest', toBlock: 'latest' } as const
      const logs = await client.getLogs({
        address: token as Address,
        event: TRANSFER,
        args: { from: owners as Address[] },
        ...range,
      })
      const out = logs.filter(({ args }) => !owners.includes(args.to ?? ''))
      return out.reduce((sum, { args }) => sum + (args.value ?? 0n), 0n)
    },
    costsOf: async (hashes) => {
      const costs = new Map<string, bigint>()
      await forEach(hashes, async (hash) => {
        const mined = await receipt(hash)
        if (mined) costs.set(mined.transactionHash, mined.gasUsed * mined.effectiveGasPrice)
      })
      return costs
    },
    nonceOf: (owner) => client.getTransactionCount({ address: owner as Address }),
  }
}
