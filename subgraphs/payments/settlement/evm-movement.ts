import { erc20Abi, isAddressEqual, parseEventLogs, type Address, type Hex } from 'viem'
import type { EvmChain } from '../../../chains/chain.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import { readConfirmation } from '../../../chains/evm/confirm.js'
import { costOf } from '../../../chains/evm/l1-fee.js'
import { ask } from '../../../chains/evm/rpc.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import { transferOf } from './evm-transfers.js'
import { COIN_PLACE, type TreasuryMovement, type TreasuryTransfer } from './payout-chain.js'

/**
 * What a transaction did to an account: tokens by its events, coins by its own value. Coins that a contract sends leave no trace
 * here.
 * @returns undefined where it is in no block that has the chain's number of confirmations
 * @throws AppError confirm_rpc_unavailable
 */
export async function readMovement(
  client: EvmClient,
  chain: EvmChain,
  account: Address,
  hash: Hex,
): Promise<TreasuryMovement | undefined> {
  const seen = await readConfirmation(client, chain, hash)
  if (seen.state !== 'confirmed' && seen.state !== 'reverted') return undefined
  const { receipt, blockNumber } = seen
  const { symbol: currency, decimals } = chain.nativeCoin
  const isOurs = isAddressEqual(receipt.from, account)
  const cost = isOurs ? { amount: fromBaseUnits(costOf(receipt), decimals), currency, decimals } : undefined
  if (seen.state === 'reverted') return { blockNumber: Number(blockNumber), transfers: [], cost }
  const logs = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs })
  const tokens = logs.flatMap((log) => transferOf(chain, account, log))
  const coins = await readCoins(client, chain, account, { hash, blockNumber: Number(blockNumber) })
  return { blockNumber: Number(blockNumber), transfers: [...tokens, ...coins], cost }
}

async function readCoins(
  client: EvmClient,
  { nativeCoin }: EvmChain,
  account: Address,
  of: { hash: Hex; blockNumber: number },
): Promise<TreasuryTransfer[]> {
  const { from, to, value } = await ask('confirm', () => client.getTransaction({ hash: of.hash }))
  const isOut = isAddressEqual(from, account)
  const isIn = to !== null && isAddressEqual(to, account)
  if (value === 0n || isOut === isIn) return []
  const amount = fromBaseUnits(value, nativeCoin.decimals)
  const other = isOut ? (to ?? 'a new contract') : from
  const direction = isOut ? 'out' : 'in'
  return [{ ...of, logIndex: COIN_PLACE, direction, other, amount, currency: nativeCoin.symbol }]
}
