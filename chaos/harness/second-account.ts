import {
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  erc20Abi,
  http,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import type { ForwarderSplit } from '../../chains/chain.js'
import { approveBatchCall, deployBatchCall, payoutBatchAddress } from '../../chains/evm/payout-batch.js'
import type { EvmCall } from '../../chains/evm/transfer-call.js'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'
import type { HarnessView } from '../view.js'

const WAIT_MS = 60_000

/** The treasury on the EVM chain. */
export interface EvmTreasury {
  keys: readonly Hex[]
  accounts: HarnessView['treasury']['evm']
}

/**
 * Gives half of what the treasury holds on the EVM chain to another account of it, before the product starts, and prepares both for
 * batches: the product does so itself once ten payouts wait together, which a load of one a second may never bring about.
 */
export async function withSecondAccount(
  { rpcUrl, chainId, tokens }: HarnessView['chains']['evm'],
  split: ForwarderSplit,
  treasuryKey: Hex,
): Promise<EvmTreasury> {
  const nativeCurrency = { name: 'coin', symbol: 'COIN', decimals: 18 }
  const chain = defineChain({ id: chainId, name: 'evm', nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } })
  const transport = http(rpcUrl)
  const reader = createPublicClient({ chain, transport })
  const key = generatePrivateKey()
  const first = privateKeyToAccount(treasuryKey)
  const second = privateKeyToAccount(key)
  const send = (account: PrivateKeyAccount, call: Partial<EvmCall> & { to: Address }): Promise<Hex> =>
    createWalletClient({ chain, transport, account }).sendTransaction(call)
  const mined = (hash: Hex): Promise<unknown> => minedReceipt(reader, hash, WAIT_MS)
  await mined(await send(first, { to: second.address, value: (await reader.getBalance(first)) / 2n }))
  const sent = [await send(first, deployBatchCall(split))]
  for (const token of Object.values(tokens)) {
    const to = token.address as Address
    const read = { address: to, abi: erc20Abi, functionName: 'balanceOf', args: [first.address] } as const
    const args = [second.address, (await reader.readContract(read)) / 2n] as const
    sent.push(await send(first, { to, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }) }))
    const approval = approveBatchCall(payoutBatchAddress(split), to)
    for (const account of [first, second]) sent.push(await send(account, approval))
  }
  await Promise.all(sent.map(mined))
  const accounts: { address: string; sentBefore: number }[] = []
  for (const { address } of [first, second]) {
    accounts.push({ address, sentBefore: await reader.getTransactionCount({ address }) })
  }
  return { keys: [treasuryKey, key], accounts }
}
