import { describe, expect, it } from 'vitest'
import { adjustableClock } from '../../kernel/clock.js'
import { createLog } from '../../kernel/log.js'
import { openState } from '../state.js'
import { startEvmChain, type ChainPace } from './start.js'
import { createAnvilClient, type AnvilClient } from './test-client.js'
import { ownFolder, atEnd } from '../../test/harness/at-end.js'

async function start(pace?: ChainPace): Promise<{ confirmations: number; client: AnvilClient }> {
  const onGiveUp = (error: Error): void => {
    throw error
  }
  const dataDir = await ownFolder()
  const running: (() => Promise<void>)[] = []
  const options = { clock: adjustableClock(), log: createLog('silent'), onGiveUp, ...(pace && { pace }) }
  const chain = await startEvmChain(options, { lock: { dataDir }, file: openState(dataDir), running })
  for (const end of running) atEnd(end)
  return { confirmations: chain.confirmations, client: createAnvilClient(chain.rpcUrl) }
}

describe("the sandbox's EVM chain", () => {
  it('mines each transaction at once, and what is mined is final', async () => {
    const { confirmations, client } = await start()
    const before = await client.getBlockNumber()
    await client.mine({ blocks: 3 })
    const { number } = await client.getBlock({ blockTag: 'finalized' })
    expect({ confirmations, finalized: number }).toEqual({ confirmations: 1, finalized: before + 3n })
  })

  it('mines blocks by the clock where told so, and finality trails behind the confirmations asked for', async () => {
    const { confirmations, client } = await start({ blockSeconds: 1, confirmations: 2 })
    const before = await client.getBlockNumber()
    await expect.poll(() => client.getBlockNumber(), { timeout: 20_000 }).toBeGreaterThan(before + 1n)
    const [latest, finalized] = await Promise.all([
      client.getBlock({ blockTag: 'latest' }),
      client.getBlock({ blockTag: 'finalized' }),
    ])
    expect(confirmations).toBe(2)
    // Another block may have come between the two answers.
    expect([4n, 3n]).toContain(latest.number - finalized.number)
  })
})
