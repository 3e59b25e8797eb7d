import { getAddress, isAddressEqual, type Address, type Hex } from 'viem'
import type { EvmChain } from '../../../chains/chain.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import {
  readDeposits,
  readSpent,
  type BlockRange,
  type ReadTransfers,
  type SeenTransfer,
} from '../../../chains/evm/read-deposits.js'
import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import type { TreasuryTransfer } from './payout-chain.js'

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
  const tokens = Object.values(chain.tokens).map((token) => token.address)
  if (tokens.length === 0) return []
  const out = await readAll(range, (part) => readSpent(client, { tokens, from: account }, part))
  const into = await readAll(range, (part) => readDeposits(client, { tokens, to: [account] }, part))
  const transfers = [...out, ...into].flatMap((seen) => transferOf(chain, account, logOf(seen)))
  return transfers.sort((left, right) => left.blockNumber - right.blockNumber || left.logIndex - right.logIndex)
}

/** All of a range, each part from a node that has its last block: what a node that is behind lacks looks like nothing at all. */
async function readAll(
  { from, to }: { from: bigint; to: bigint },
  read: (part: BlockRange) => Promise<ReadTransfers | undefined>,
): Promise<SeenTransfer[]> {
  const transfers: SeenTransfer[] = []
  for (let start = from; start <= to;) {
    const part = await read({ from: start, to, confirmations: 1 })
    if (!part) throw new AppError('confirm_rpc_unavailable', { details: 'the node is behind' })
    transfers.push(...part.transfers)
    start = part.upTo.block + 1n
  }
  return transfers
}

function logOf({ token, from, to, amount, hash, logIndex, blockNumber }: SeenTransfer): TransferLog {
  const args = { from: getAddress(from), to: getAddress(to), value: amount }
  return { address: token, args, transactionHash: hash, logIndex, blockNumber }
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
