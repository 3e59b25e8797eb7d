import { createHash } from 'node:crypto'
import {
  createWalletClient,
  getAddress,
  http,
  keccak256,
  numberToHex,
  parseAbiItem,
  parseEther,
  stringToHex,
  zeroAddress,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { EvmChain } from '../../chains/chain.js'
import { sandboxRouterAbi } from '../anvil/seed.js'
import { createAnvilClient } from '../anvil/test-client.js'
import type { SealedDeal } from './solana-seller.js'
import { lifiTokens, routerOf } from './wire.js'
import { minedReceipt } from '../anvil/mined-receipt.js'

/** Who pays on the destination's chain: its coins come from nowhere, what it pays from the router's reserves. */
const SOLVER = privateKeyToAccount(`0x${createHash('sha256').update('sandbox bridge solver').digest('hex')}`)
const GAS_MONEY = parseEther('1000')

const SWAPPED = parseAbiItem(
  'event Swapped(bytes32 indexed id, address indexed from, address indexed to, address fromToken, uint256 fromAmount, address toToken, uint256 toAmount)',
)

/** Payments under way: who asks twice at once does not make two. */
const underWay = new Map<string, Promise<Hex>>()

/**
 * Pays what crosses the bridge on an EVM chain, once for each transaction that came in: the chain itself remembers by the
 * event's id, also after a restart.
 * @param incoming the signature of what was paid on Solana
 * @returns the hash of the payment
 */
export async function payAcross(chain: EvmChain, incoming: string, deal: SealedDeal): Promise<Hex> {
  const present = underWay.get(incoming)
  if (present) return present
  const payment = pay(chain, incoming, deal)
  underWay.set(incoming, payment)
  return payment.finally(() => underWay.delete(incoming))
}

async function pay(chain: EvmChain, incoming: string, deal: SealedDeal): Promise<Hex> {
  const router = routerOf(chain)
  const token = lifiTokens(chain).find(({ symbol }) => symbol === deal.toSymbol)
  if (!router || !token) throw new Error(`the bridge cannot pay ${deal.toSymbol} on ${chain.name}`)
  const client = createAnvilClient(chain.rpcUrl)
  const id = keccak256(stringToHex(incoming))
  const [paid] = await client.getLogs({ address: router, event: SWAPPED, args: { id }, fromBlock: 0n })
  if (paid) return paid.transactionHash
  await client.request({ method: 'anvil_setBalance', params: [SOLVER.address, numberToHex(GAS_MONEY)] })
  const wallet = createWalletClient({ account: SOLVER, transport: http(chain.rpcUrl, { retryCount: 0 }) })
  const hash = await wallet.writeContract({
    chain: null,
    address: router,
    abi: sandboxRouterAbi,
    functionName: 'swap',
    // One wei comes in, so that the router's rules hold: the money itself came in on the other chain.
    args: [zeroAddress, 1n, getAddress(token.address.toLowerCase()), deal.toAmount, getAddress(deal.to), id],
    value: 1n,
  })
  await minedReceipt(client, hash)
  return hash
}
