import { encodeFunctionData, type Address, type Hex } from 'viem'
import type { EvmClient } from './client.js'
import { pullForwarderAbi } from './forwarder.js'
import { ask, rpcFailure } from './rpc.js'

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
  address: Address
  token: Address
  receivers: readonly Address[]
  mayClaim: (receiver: Address) => Promise<boolean>
}

/**
 * Of the receivers for whom a forwarder keeps something, one who can be paid now: the call that does it. Each is tried by
 * running it without sending it, which proves little where a receiver's own code decides.
 * @param terms.mayClaim who is to be tried at all
 * @returns `owed`: those for whom something is kept
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function findClaim(
  client: EvmClient,
  { address, token, receivers, mayClaim }: ClaimTerms,
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
    if (await succeeds(client, address, data)) return { claim: { receiver, data }, owed }
  }
  return { owed }
}

function succeeds(client: EvmClient, to: Address, data: Hex): Promise<boolean> {
  return ask('confirm', () =>
    client.call({ to, data, gas: CLAIM_GAS_MAX }).then(
      () => true,
      (error: unknown) => {
        if (rpcFailure(error)?.kind === 'refused') return false
        throw error
      },
    ),
  )
}
