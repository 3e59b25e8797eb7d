import {
  encodeFunctionData,
  erc20Abi,
  parseEther,
  parseUnits,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { sandboxTokenAbi } from '../../sandbox/anvil/seed.js'
import { createAnvilClient, type AnvilClient } from '../../sandbox/anvil/test-client.js'
import { CONTRACTS } from './chains.js'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'

/** Who may mint; see `sandbox/anvil/seed.ts`. */
export const MINTER = '0x00000000000000000000000000000000005eed02'

export type Token = 'USDT' | 'USDC' | 'POL'

/** The chain from a payer's and a receiver's side, past the product. */
export interface ChainSide {
  client: AnvilClient
  /** A wallet that nobody used before, with 10 coins and these amounts of tokens. */
  newPayer: (funds?: Partial<Record<Token, string>>) => Promise<PrivateKeyAccount>
  newReceiver: () => Address
  /** In base units. */
  balanceOf: (token: Token, address: Address) => Promise<bigint>
  /** Lets an account allow a spender, and waits for the block. */
  approve: (owner: PrivateKeyAccount, approval: { token: Address; spender: Address; amount: string }) => Promise<void>
  mine: (raw: Hex) => Promise<TransactionReceipt>
}

/** Opens a chain's side at anvil's own address. */
export function chainSide(rpcUrl: string): ChainSide {
  const client = createAnvilClient(rpcUrl)
  const wait = (hash: Hex): Promise<TransactionReceipt> => minedReceipt(client, hash)
  const mine = async (raw: Hex): Promise<TransactionReceipt> =>
    wait(await client.sendRawTransaction({ serializedTransaction: raw }))
  let minting = Promise.resolve()
  const mint = async (to: Address, amounts: Record<'USDT' | 'USDC', string>): Promise<void> => {
    for (const token of ['USDT', 'USDC'] as const) {
      if (amounts[token] === '0') continue
      const args = [to, parseUnits(amounts[token], 6)] as const
      const data = encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'mint', args })
      await wait(await client.sendUnsignedTransaction({ from: MINTER, to: CONTRACTS[token], data }))
    }
  }
  return {
    client,
    mine,
    newReceiver: () => privateKeyToAccount(generatePrivateKey()).address,
    newPayer: async ({ POL = '10', USDT = '1000', USDC = '1000' } = {}) => {
      const account = privateKeyToAccount(generatePrivateKey())
      await client.setBalance({ address: account.address, value: parseEther(POL) })
      // One after the other: the minter's nonces are counted by the node.
      minting = minting.then(() => mint(account.address, { USDT, USDC }))
      await minting
      return account
    },
    balanceOf: (token, address) =>
      token === 'POL'
        ? client.getBalance({ address })
        : client.readContract({
            address: CONTRACTS[token],
            abi: sandboxTokenAbi,
            functionName: 'balanceOf',
            args: [address],
          }),
    approve: async (owner, { token, spender, amount }) => {
      const data = encodeFunctionData({
        abi: sandboxTokenAbi,
        functionName: 'approve',
        args: [spender as Address, BigInt(amount)],
      })
      await wait(await client.sendUnsignedTransaction({ from: owner.address, to: token as Address, data }))
    },
  }
}

/** Empties a wallet of 20 USDT, so that what it has signed can no longer be paid. */
export async function spendAll({ client }: ChainSide, owner: PrivateKeyAccount): Promise<void> {
  const args = ['0x1111111111111111111111111111111111111111', 20_000_000n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const hash = await client.sendUnsignedTransaction({ from: owner.address, to: CONTRACTS.USDT, data })
  await minedReceipt(client, hash)
}
