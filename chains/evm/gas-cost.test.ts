import { parseGwei, parseTransaction, toHex, type Hex, type TransactionReceipt } from 'viem'
import { describe, expect, it } from 'vitest'
import { freshAddress, startEvmHarness } from '../../test/harness/evm.js'
import { readFees } from './fees.js'
import { costOf, estimateL1Fee } from './l1-fee.js'
import { mayRaiseFees, raiseFees } from './replace.js'
import { signTransaction } from './signer.js'

describe('what our own transactions offer and cost', async () => {
  const { anvil, client, operator, chain } = await startEvmHarness()

  it('stays within the chain’s cap, and higher fees do too', async () => {
    await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('20') })
    await anvil.mine({ blocks: 1 })
    const capped = { name: 'polygon', gasPriceMaxGwei: '30.5' }
    const fees = await readFees(client, capped)
    expect(fees.maxFeePerGas).toBe(parseGwei('30.5'))
    expect((await readFees(client)).maxFeePerGas).toBeGreaterThan(fees.maxFeePerGas)
    const dear = readFees(client, { ...capped, gasPriceMaxGwei: '15' })
    await expect(dear).rejects.toMatchObject({ code: 'provider_unavailable' })
    const call = { to: freshAddress(), data: '0x', value: 1n, gas: 21_000n, nonce: 0, chainId: chain.chainId } as const
    const atCap = await signTransaction(operator, { ...call, ...fees })
    expect(await mayRaiseFees(client, capped, operator.address, atCap.raw)).toBe(false)
    const below = { maxFeePerGas: parseGwei('22'), maxPriorityFeePerGas: 1n }
    const { raw } = await signTransaction(operator, { ...call, ...below })
    expect(await mayRaiseFees(client, capped, operator.address, raw)).toBe(true)
    expect((await raiseFees(client, capped, operator, raw)).nonce).toBe(0)
  })

  it('offers no more than the account holds, or a node would refuse it', async () => {
    const gas = 21_000n
    const call = { to: freshAddress(), data: '0x', value: 5n, gas, nonce: 0, chainId: chain.chainId } as const
    const { raw } = await signTransaction(operator, { ...call, maxFeePerGas: 1_000n, maxPriorityFeePerGas: 10n })
    const held = await anvil.getBalance({ address: operator.address })
    await anvil.setBalance({ address: operator.address, value: gas * 1_250n + 5n })
    expect(await mayRaiseFees(client, chain, operator.address, raw)).toBe(false)
    await anvil.setBalance({ address: operator.address, value: gas * 1_300n + 5n })
    expect(await mayRaiseFees(client, chain, operator.address, raw)).toBe(true)
    const raised = parseTransaction((await raiseFees(client, chain, operator, raw)).raw)
    expect(raised).toMatchObject({ maxFeePerGas: 1_300n, maxPriorityFeePerGas: 1_300n })
    await anvil.setBalance({ address: operator.address, value: held })
  })

  it('has what publishing it takes on an OP-stack chain, estimated with a margin and read of its receipt', async () => {
    const bytecode: Hex = `0x7f${toHex(900n, { size: 32 }).slice(2)}60005260206000f3`
    await anvil.setCode({ address: '0x420000000000000000000000000000000000000F', bytecode })
    const call = { to: freshAddress(), data: '0x', value: 0n, gas: 21_000n } as const
    expect(await estimateL1Fee(client, call)).toBe(1_200n)
    const receipt = { gasUsed: 10n, effectiveGasPrice: 3n } as TransactionReceipt
    expect([costOf(receipt), costOf({ ...receipt, l1Fee: '0x64' } as TransactionReceipt)]).toEqual([30n, 130n])
  })
})
