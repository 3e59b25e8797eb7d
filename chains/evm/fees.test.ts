import { describe, expect, it } from 'vitest'
import { freshAddress, startEvmHarness } from '../../test/harness/evm.js'
import { estimateGasLimit } from './fees.js'
import { missingCode } from './missing-code.js'
import { transferCall } from './transfer-call.js'

const reference = `0x${'ab'.repeat(32)}` as const

describe('the gas of a call', async () => {
  const { anvil, client, native, operator, usdt } = await startEvmHarness()
  const estimate = (asset: typeof usdt | typeof native, amount: bigint): Promise<bigint> =>
    estimateGasLimit(client, operator.address, transferCall({ asset, to: freshAddress(), amount, reference }))

  it('is not taken from a node that is behind the contract, as the call would fail with so little', async () => {
    const code = await anvil.getCode({ address: usdt.address })
    await anvil.setCode({ address: usdt.address, bytecode: '0x' })
    const behind = { code: 'provider_unavailable', details: missingCode(usdt.address) }
    await expect(estimate(usdt, 0n)).rejects.toMatchObject(behind)
    await anvil.setCode({ address: usdt.address, bytecode: code ?? '0x' })
    expect(await estimate(usdt, 0n)).toBeGreaterThan(30_000n)
  })

  it('is small for coins with a reference, which run no code', async () => {
    expect(await estimate(native, 1n)).toBeLessThan(30_000n)
  })
})
