import { encodeFunctionData, type Address, type Hex } from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { EvmClient } from './client.js'
import { estimateGasLimit } from './fees.js'
import { pullForwarderAbi } from './forwarder.js'
import { ask } from './rpc.js'
import type { EvmCall } from './transfer-call.js'

/**
 * What a forwarder keeps for receivers who could not be paid, in base units.
 * @param blockNumber the newest where absent
 * @throws AppError `confirm_rpc_unavailable`
 */
export function readReserved(
  client: EvmClient,
  address: Address,
  token: Address,
  blockNumber?: bigint,
): Promise<bigint> {
  const call = { address, abi: pullForwarderAbi, functionName: 'reserved', args: [token] } as const
  return ask('confirm', () => client.readContract({ ...call, ...(blockNumber !== undefined && { blockNumber }) }))
}

/**
 * What a claim may use of gas: ten times what a share may use when it is shared out, as a receiver's code that needs more than that may
 * be paid so. It runs at our cost, and on rollups the gas of a call's bytes counts too.
 */
export const CLAIM_GAS_MAX = 1_000_000n

interface ClaimTerms {
  /** The forwarder. */
  address: Address
  /** Who sends the claim: code of the receiver's runs in it, and sees that. */
  sender: Address
  token: Address
  receivers: readonly Address[]
  mayClaim: (receiver: Address) => Promise<boolean>
}

/**
 * Of the receivers for whom a forwarder keeps something, one who can be paid now: the call that does it. Each is tried as it is
 * sent, by an estimate of its gas: one that is refused, or too dear, only then would be found again each time, and keep those behind it
 * from theirs. It proves little where a receiver's own code decides.
 * @param terms.mayClaim who is to be tried at all
 * @returns `owed`: those for whom something is kept
 * @throws AppError `confirm_rpc_unavailable`, `provider_unavailable`, `provider_timeout`
 */
export async function findClaim(
  client: EvmClient,
  { address, sender, token, receivers, mayClaim }: ClaimTerms,
): Promise<{ claim?: { receiver: Address; data: Hex }; owed: readonly Address[] }> {
  const distinct = [...new Set(receivers)]
  const amounts = await Promise.all(
    distinct.map((receiver) => {
      const call = { address, abi: pullForwarderAbi, functionName: 'owed', args: [token, receiver] } as const
      return ask('confirm', () => client.readContract(call))
    }),
  )
  const owed = distinct.filter((_, index) => (amounts[index] ?? 0n) > 0n)
  for (const receiver of owed) {
    if (!(await mayClaim(receiver))) continue
    const args = [token, receiver, receiver] as const
    const data = encodeFunctionData({ abi: pullForwarderAbi, functionName: 'claim', args })
    if (await canBeSent(client, sender, { to: address, data, value: 0n })) return { claim: { receiver, data }, owed }
  }
  return { owed }
}

async function canBeSent(client: EvmClient, sender: Address, call: EvmCall): Promise<boolean> {
  try {
    return (await estimateGasLimit(client, sender, call, CLAIM_GAS_MAX)) <= CLAIM_GAS_MAX
  } catch (error) {
    if (error instanceof AppError && error.code === 'broadcast_simulation_failed') return false
    throw error
  }
}
