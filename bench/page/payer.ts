import { createPublicClient, encodeFunctionData, erc20Abi, http, parseUnits, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { PageView } from '../../checkout/page/view.js'
import type { EvmOffer } from '../../checkout/page/wallets/evm.js'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'
import type { SandboxDescription } from '../../sandbox/demo/demo.js'
import type { FollowedPage } from './follow-page.js'

/** Pays on a page. Each answers when the money was in, by `performance.now()`: the bank has said so, or a block has it. */
export interface Payer {
  pix: (page: FollowedPage) => Promise<number>
  address: (page: FollowedPage) => Promise<number>
  wallet: (page: FollowedPage) => Promise<number>
}

const GAS = 150_000n
const FEES = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
/** Nobody's, with the right check digits. */
const PIX_PAYER = { cpf: '529.982.247-25', email: 'ana@example.com' }

/** The sandbox's payer, who sends one transaction after the other. */
export async function openPayer({ chains, wallets, pix_url: pixUrl }: SandboxDescription): Promise<Payer> {
  const { rpc_url: rpcUrl, chain_id: chainId, tokens } = chains.polygon
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  const account = privateKeyToAccount(wallets.evm.private_key)
  let nonce = await client.getTransactionCount({ address: account.address })
  let last: Promise<unknown> = Promise.resolve()
  /** @returns the hash as soon as the node has it, and when a block has it */
  const send = async (to: Address, data: Hex): Promise<{ hash: Hex; mined: Promise<number> }> => {
    const sent = last.then(async () => {
      const call = { type: 'eip1559', to, data, chainId, gas: GAS, nonce: nonce++, ...FEES } as const
      return client.sendRawTransaction({ serializedTransaction: await account.signTransaction(call) })
    })
    last = sent.catch(() => undefined)
    const hash = await sent
    return { hash, mined: minedReceipt(client, hash).then(() => performance.now()) }
  }
  return {
    pix: async (page) => {
      const { view } = await page.act<{ view: PageView }>('pix', PIX_PAYER)
      const answer = await fetch(`${pixUrl}/sandbox/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: view.pix?.code }),
      })
      if (!answer.ok) throw new Error(await answer.text())
      return performance.now()
    },
    address: async (page) => {
      const { view } = await page.act<{ view: PageView }>('address', { chain: 'polygon' })
      const { address, missing } = view.address ?? { address: '0x', missing: '0' }
      const args = [address as Address, parseUnits(missing, tokens.USDT.decimals)] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      return (await send(tokens.USDT.address, data)).mined
    },
    wallet: async (page) => {
      const wanted = { wallet: account.address, chain: 'polygon', token: 'USDT' }
      const { given } = await page.act<{ given: EvmOffer }>('wallet', wanted)
      const { hash, mined } = await send(given.transaction.to as Address, given.transaction.data as Hex)
      await page.act('sent', { hash })
      return mined
    },
  }
}
