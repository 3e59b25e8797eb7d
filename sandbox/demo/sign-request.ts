import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { EvmTransactionRequest } from '../../chains/evm/build-call.js'

/** An unsigned transaction as the API hands it out. */
export type UnsignedRequest = Omit<EvmTransactionRequest, 'from'>

/** Signs what the API has built, as a wallet does: of the demo, of tests and of the chaos run. @param changes where one tampers */
export function signRequest(
  account: PrivateKeyAccount,
  { to, data, nonce, chainId, ...amounts }: UnsignedRequest,
  changes: Record<string, unknown> = {},
): Promise<Hex> {
  return account.signTransaction({
    type: 'eip1559',
    ...{ to, data, nonce, chainId },
    value: BigInt(amounts.value),
    gas: BigInt(amounts.gasLimit),
    maxFeePerGas: BigInt(amounts.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(amounts.maxPriorityFeePerGas),
    ...changes,
  })
}
