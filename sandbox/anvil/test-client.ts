import { createTestClient, http, publicActions, type HttpTransport, type PublicActions, type TestClient } from 'viem'

/** A client for anvil's own methods beside the standard ones. */
export type AnvilClient = TestClient<'anvil', HttpTransport> & PublicActions

/** Opens a client for an anvil; its answers may be large (the whole state). */
export function createAnvilClient(rpcUrl: string): AnvilClient {
  const transport = http(rpcUrl, { retryCount: 0, timeout: 30_000, maxResponseBodySize: false })
  return createTestClient({ mode: 'anvil', transport, cacheTime: 0, pollingInterval: 20 }).extend(publicActions)
}

/**
 * Moves the chain's time forward and mines a block there.
 * @param seconds a whole number > 0
 */
export async function advance(rpcUrl: string, seconds: number): Promise<void> {
  const client = createAnvilClient(rpcUrl)
  await client.increaseTime({ seconds })
  await client.mine({ blocks: 1 })
}

/**
 * Sets the chain's time, from which on it passes; `evm_setNextBlockTimestamp` takes nothing from before the node's start.
 * @param seconds since 1970, not before the latest block
 */
export async function setTime(client: AnvilClient, seconds: number): Promise<void> {
  await client.request({ method: 'evm_setTime', params: [seconds] } as never)
}
