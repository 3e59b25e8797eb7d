import { erc20Abi, isAddressEqual, parseEventLogs, type Address, type Hex, type TransactionReceipt } from 'viem'
import type { EvmAsset } from '../../../../chains/chain.js'
import type { EvmClient } from '../../../../chains/evm/client.js'
import { readConfirmation } from '../../../../chains/evm/confirm.js'
import { ask } from '../../../../chains/evm/rpc.js'
import { readReceived } from '../../../../chains/solana/confirm.js'
import { toBaseUnits } from '../../../../kernel/money.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { Payment } from '../../store/payment.entity.js'
import { destinationOf } from './destination.js'

/** Where an address should have got something, in base units. */
export interface ExpectedReceipt {
  asset: EvmAsset
  address: string
  amount: bigint
}

/**
 * Whether a router's transaction paid an address at least the amount, as the chain shows it. A router may pay a little more
 * than was asked for, and in several transfers. Native coin leaves no log: there the address' balance has to have grown in
 * the transaction's block. What the router says, and what its calldata claims, proves nothing.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function receivedFromRouter(
  client: EvmClient,
  receipt: TransactionReceipt,
  { asset, address, amount }: ExpectedReceipt,
): Promise<boolean> {
  if (receipt.status !== 'success') return false
  if (asset.kind === 'native') return (await balanceGrowth(client, receipt, address as Address)) >= amount
  const received = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs })
    .filter(
      ({ address: token, args }) => isAddressEqual(token, asset.address) && isAddressEqual(args.to, address as Address),
    )
    .reduce((total, { args }) => total + args.value, 0n)
  return received >= amount
}

/** By how much an address' coins grew in the block of a receipt; what it paid for gas there is no loss. */
async function balanceGrowth(client: EvmClient, receipt: TransactionReceipt, address: Address): Promise<bigint> {
  const { blockNumber } = receipt
  const [before, after] = await ask('confirm', () =>
    Promise.all([
      client.getBalance({ address, blockNumber: blockNumber - 1n }),
      client.getBalance({ address, blockNumber }),
    ]),
  )
  const gas = isAddressEqual(receipt.from, address) ? receipt.gasUsed * receipt.effectiveGasPrice : 0n
  return after - before + gas
}

/**
 * Whether a bridge's transaction on the destination's chain has paid the receiver, or the split's address, what is due.
 * @param hash of that transaction, by the router's word
 * @returns `waiting` while it is not final
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readArrival(
  deps: ChainAccess,
  payment: Payment,
  hash: string,
): Promise<'arrived' | 'waiting' | 'missing'> {
  const { chain, asset, address } = destinationOf(deps, payment, payment.chainName ?? '')
  const amount = toBaseUnits(payment.amountTo ?? '0', asset.decimals)
  if (chain.family === 'solana') {
    const received = await readReceived(deps.solanaClient(chain), chain, hash, { wallet: address, asset })
    return received === undefined ? 'waiting' : received >= amount ? 'arrived' : 'missing'
  }
  const client = deps.evmClient(chain)
  const confirmation = await readConfirmation(client, chain, hash as Hex)
  if (confirmation.state === 'reverted') return 'missing'
  if (confirmation.state !== 'confirmed') return 'waiting'
  const expected = { asset: asset as EvmAsset, address, amount }
  return (await receivedFromRouter(client, confirmation.receipt, expected)) ? 'arrived' : 'missing'
}
