import { createPublicClient, createWalletClient, defineChain, erc20Abi, http, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'
import type { HarnessView } from '../view.js'

const WAIT_MS = 60_000

/** The treasury on the EVM chain. */
export interface EvmTreasury {
  keys: readonly Hex[]
  accounts: HarnessView['treasury']['evm']
}

/** Gives half of what the treasury holds on the EVM chain to another account of it, before the product starts. */
export async function withSecondAccount(
  { rpcUrl, chainId, tokens }: HarnessView['chains']['evm'],
  treasuryKey: Hex,
): Promise<EvmTreasury> {
  const nativeCurrency = { name: 'coin', symbol: 'COIN', decimals: 18 }
  const chain = defineChain({ id: chainId, name: 'evm', nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } })
  const transport = http(rpcUrl)
  const reader = createPublicClient({ chain, transport })
  const first = privateKeyToAccount(treasuryKey)
  const writer = createWalletClient({ chain, transport, account: first })
  const key = generatePrivateKey()
  const { address: to } = privateKeyToAccount(key)
  const value = (await reader.getBalance({ address: first.address })) / 2n
  await minedReceipt(reader, await writer.sendTransaction({ to, value }), WAIT_MS)
  for (const { address } of Object.values(tokens)) {
    const token = { address: address as Address, abi: erc20Abi } as const
    const held = await reader.readContract({ ...token, functionName: 'balanceOf', args: [first.address] })
    const hash = await writer.writeContract({ ...token, functionName: 'transfer', args: [to, held / 2n] })
    await minedReceipt(reader, hash, WAIT_MS)
  }
  const sentBefore = await reader.getTransactionCount({ address: first.address })
  return {
    keys: [treasuryKey, key],
    accounts: [
      { address: first.address, sentBefore },
      { address: to, sentBefore: 0 },
    ],
  }
}
