import type { Address } from 'viem'
import type { EvmClient } from './client.js'
import { ask } from './rpc.js'

/** An account with a key that has a contract act for it (EIP-7702) still signs its own transactions. */
const DELEGATED = '0xef0100'

/**
 * Whether an address is a contract, such as a wallet of several people or one of ERC-4337: it sends nothing by itself, others
 * do so for it.
 * @throws AppError as `ask` for `build`
 */
export async function isContract(client: EvmClient, address: Address): Promise<boolean> {
  const code = await ask('build', () => client.getCode({ address }))
  return code !== undefined && code !== '0x' && !code.toLowerCase().startsWith(DELEGATED)
}
