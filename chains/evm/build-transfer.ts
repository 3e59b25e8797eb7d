import { erc20Abi, type Address, type Hex } from 'viem'
import type { EvmAsset, EvmChain } from '../chain.js'
import { payerLacks } from '../payer-lacks.js'
import { buildCall, type EvmTransactionRequest } from './build-call.js'
import type { EvmClient } from './client.js'
import { ask } from './rpc.js'
import { transferCall } from './transfer-call.js'

/**
 * The unsigned transaction by which a payer pays `amount` base units to one address: a receiver (with the payment's
 * reference in the calldata), or a split's address (without: the address itself is the payment's).
 * @param input.symbol the asset's symbol, for the message where the payer has too little of it
 * @throws AppError as `buildCall`
 */
export async function buildTransfer(input: {
  chain: EvmChain
  client: EvmClient
  from: Address
  to: Address
  asset: EvmAsset
  symbol: string
  amount: bigint
  reference?: Hex
}): Promise<EvmTransactionRequest> {
  const { chain, client, from, to, asset, symbol, amount, reference } = input
  if (asset.kind === 'token') {
    const balance = await ask('build', () =>
      client.readContract({ address: asset.address, abi: erc20Abi, functionName: 'balanceOf', args: [from] }),
    )
    if (balance < amount) throw payerLacks(`${symbol} balance`)
  }
  const call = transferCall({ asset, to, amount, ...(reference && { reference }) })
  return buildCall({ chain, client, from, ...call })
}
