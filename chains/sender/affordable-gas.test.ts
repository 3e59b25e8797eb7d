import { describe, expect, it } from 'vitest'
import { freshAddress, startEvmHarness } from '../../test/harness/evm.js'
import { refusal } from '../../test/harness/refusal.js'
import { signTransaction } from '../evm/signer.js'
import { findAffordableGas } from './affordable-gas.js'

const FEES = { maxFeePerGas: 1_000n, maxPriorityFeePerGas: 1n }
const CALL = { to: freshAddress(), data: '0x', value: 500n } as const

const { client, chain, operator: signer } = await startEvmHarness()
const alerts: string[] = []
const waits: string[] = []
const telling = (told: string[]) => (details: string) => {
  told.push(details)
  return Promise.resolve()
}
const [tellStuck, tellWait] = [telling(alerts), telling(waits)]

/** The limit of a call that takes 100,000 gas and is to have a million, for an account that pays for so much gas beside its value. */
async function gasOf(gas: bigint, open: readonly { raw: string }[] = []): Promise<bigint> {
  const balance = CALL.value + gas * FEES.maxFeePerGas
  const wanted = { cost: { ...FEES, gas: 100_000n }, most: 1_000_000n }
  return findAffordableGas({ client, chain, signer, tellStuck, tellWait }, CALL, wanted, { balance, open })
}

describe('the gas that an account pays for', () => {
  it('is all that a call is to have, what half of its coin pays for, or the estimate', async () => {
    expect(await gasOf(2_000_001n)).toBe(1_000_000n)
    expect(alerts).toEqual([])
    expect(await gasOf(1_000_001n)).toBe(500_000n)
    expect(await gasOf(100_000n)).toBe(100_000n)
    // What is cut may not be enough.
    expect(alerts).toHaveLength(2)
    expect(alerts[0]).toMatch(/^the spare gas of a call is cut/)
    alerts.length = 0
  })

  it('is none where it holds too little for the estimate, which somebody is told', async () => {
    const { code, details } = await refusal(gasOf(99_999n))
    expect([code, details]).toEqual(['broadcast_rejected', expect.stringMatching(/^insufficient funds/)])
    expect(alerts).toEqual([details])
  })

  it('is waited for where what is on its way may take it', async () => {
    const call = { ...CALL, ...FEES, gas: 30_000n, nonce: 0, chainId: chain.chainId }
    const open = [await signTransaction(signer, call)]
    alerts.length = 0
    expect((await refusal(gasOf(130_000n, open))).code).toBe('provider_unavailable')
    expect((await refusal(gasOf(2_000_001n, open))).code).toBe('provider_unavailable')
    expect(alerts).toEqual([])
    expect(waits).toEqual([
      expect.stringMatching(/^the account holds enough for what is on its way alone; /),
      expect.stringMatching(/^the spare gas is on its way; /),
    ])
    expect(await gasOf(2_100_000n, open)).toBe(1_000_000n)
    expect(await gasOf(131_000n, open)).toBe(100_000n)
  })
})
