import { isAddressEqual, parseAbiItem, type Address, type Hex } from 'viem'
import type { EvmChain } from '../../../chains/chain.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import { ask } from '../../../chains/evm/rpc.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import type { TreasuryTransfer } from './payout-chain.js'

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** A `Transfer` event in a block. */
interface TransferLog {
  address: Address
  args: { from: Address; to: Address; value: bigint }
  transactionHash: Hex
  logIndex: number
  blockNumber: bigint
}

/**
 * What an account got and gave of a chain's tokens in some blocks, both ends included, in their order.
 * @throws AppError confirm_rpc_unavailable
 */
export async function readTransfers(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  range: { from: bigint; to: bigint },
): Promise<TreasuryTransfer[]> {
  const address = Object.values(chain.tokens).map((token) => token.address)
  if (address.length === 0) return []
  const read = (args: { from: Address } | { to: Address }) =>
    ask('confirm', () =>
      client.getLogs({ address, event: TRANSFER, args, fromBlock: range.from, toBlock: range.to, strict: true }),
    )
  const [out, into] = [await read({ from: account }), await read({ to: account })]
  const transfers = [...out, ...into].flatMap((log) => transferOf(chain, account, log))
  return transfers.sort((left, right) => left.blockNumber - right.blockNumber || left.logIndex - right.logIndex)
}

/** What an event moved from or to an account; nothing where the token is none of the chain's, or it moved nothing. */
export function transferOf(chain: EvmChain, account: Address, log: TransferLog): TreasuryTransfer[] {
  const { from, to, value } = log.args
  const [currency, token] =
    Object.entries(chain.tokens).find(([, one]) => isAddressEqual(one.address, log.address)) ?? []
  const [isOut, isIn] = [isAddressEqual(from, account), isAddressEqual(to, account)]
  // What goes from the treasury to itself is in both lists, and moves nothing.
  if (!token || currency === undefined || value === 0n || isOut === isIn) return []
  return [
    {
      hash: log.transactionHash,
      logIndex: log.logIndex,
      blockNumber: Number(log.blockNumber),
      direction: isOut ? 'out' : 'in',
      other: isOut ? to : from,
      amount: fromBaseUnits(value, token.decimals),
      currency,
    },
  ]
}
