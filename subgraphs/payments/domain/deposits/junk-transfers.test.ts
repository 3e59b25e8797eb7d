import { encodeFunctionData, hexToNumber, type Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { sandboxTokenAbi } from '../../../../sandbox/anvil/seed.js'
import { MINTER } from '../../../../test/harness/evm-side.js'
import { DUE, startAddressHarness } from '../../fixtures/address-payments.js'
import type { PaymentAddress } from '../../model/payment-address.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { loseJobs } from '../../fixtures/rows.js'
import { startWatching } from './watch-addresses.js'

const { harness, anvil, deps, USDC, opened, send, pass, priceRunsOut, untilSettled, alertsOn } =
  await startAddressHarness()
const { pool } = harness

function answerAll(): void {
  pool.refuses = () => false
  pool.isCut = () => false
}

afterEach(answerAll)

/** The node answers no more logs, and looks through no more blocks, at once. */
function limit({ logs = Infinity, blocks = Infinity }: { logs?: number; blocks?: number }): void {
  pool.refuses = ({ method, params: [filter] }, result) => {
    if (method !== 'eth_getLogs') return false
    const { fromBlock, toBlock } = filter as Record<'fromBlock' | 'toBlock', Hex>
    return (result as unknown[]).length > logs || hexToNumber(toBlock) - hexToNumber(fromBlock) + 1 > blocks
  }
}

/** The connection breaks whenever the node is asked for all tokens' logs, and it is the same when it is asked again. */
function breakAtOtherTokens(): void {
  let isAll = false
  pool.refuses = ({ method, params: [filter] }) => {
    if (method === 'eth_getLogs') isAll = !Object.hasOwn(filter as object, 'address')
    return false
  }
  pool.isCut = (methods) => methods.includes('eth_getLogs') && isAll
}

/** A token that nobody waits for writes that it came to an address, so often in one block. */
async function writeJunk({ address }: PaymentAddress, times: number): Promise<void> {
  const data = encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'mint', args: [address, 1n] })
  await anvil.setAutomine(false)
  for (let time = 0; time < times; time += 1) await anvil.sendUnsignedTransaction({ from: MINTER, to: USDC, data })
  await anvil.mine({ blocks: 1 })
  await anvil.setAutomine(true)
}

describe('what strangers write to the addresses of payments', () => {
  it('keeps no payment from being found, though the node refuses a block that is full of it', async () => {
    const { payment, address } = await opened()
    limit({ logs: 5 })
    await writeJunk(address, 8)
    await send(address, DUE)
    await startWatching(deps)
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: DUE, overpaidAmount: null })
    expect(await alertsOn(payment)).toEqual([])
  })

  it('is told once for a payment, with how much it was', async () => {
    const { payment, address } = await opened()
    await writeJunk(address, 8)
    await startWatching(deps)
    await pass()
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: null })
    expect(await alertsOn(payment)).toEqual([
      expect.objectContaining({
        kind: 'deposit_unexpected',
        count: 1,
        details: expect.stringContaining('as did 7 others') as string,
      }),
    ])
  })
})

it('what strangers send within seconds of something else is told beside it, as no block is read for it again', async () => {
  const { payment, address } = await opened()
  for (const amount of ['20', '30']) {
    await send(address, amount, USDC)
    await startWatching(deps)
    await pass()
  }
  const [alert] = await alertsOn(payment)
  expect(alert?.details).toMatch(
    /^0x\S+ brought 20 USDC on .*; the payment waits for USDT on .*; 0x\S+ brought 30 USDC/,
  )
})

describe('a node that breaks off where it is asked for what strangers write', () => {
  it('is asked again, and what came is told of', async () => {
    const { payment, address } = await opened()
    await pass(2)
    await send(address, '20', USDC)
    breakAtOtherTokens()
    await startWatching(deps)
    await pass()
    expect(await alertsOn(payment)).toEqual([])
    answerAll()
    await startWatching(deps)
    await pass()
    expect(await alertsOn(payment)).toEqual([expect.objectContaining({ kind: 'deposit_unexpected' })])
  })

  it('keeps no payment from being found for longer than some minutes, though it does so for ever', async () => {
    const { payment, address } = await opened()
    await pass(2)
    await priceRunsOut()
    // Nobody looks at every block any more for a price that has run out so long ago.
    await harness.advance(10 * 60)
    await send(address, DUE)
    breakAtOtherTokens()
    await startWatching(deps)
    await pass()
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: null })
    await harness.advance(5 * 60)
    await startWatching(deps)
    await pass()
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: DUE })
    // Nor does it begin to wait anew with each range: another payment is found at once.
    const other = await opened()
    await pass(2)
    await priceRunsOut()
    await harness.advance(10 * 60)
    await send(other.address, DUE)
    await startWatching(deps)
    await pass()
    expect(await presentOf(harness, other.payment)).toMatchObject({ receivedAmount: DUE })
  })
})

describe('a node that looks through few blocks at once', () => {
  it('is asked for fewer, down to one, and nothing is left out', async () => {
    const { payment, address } = await opened()
    await loseJobs(harness)
    await send(address, '10')
    await anvil.mine({ blocks: 40 })
    await send(address, '8.450185')
    limit({ blocks: 1 })
    await startWatching(deps)
    for (let time = 0; time < 6; time += 1) await pass()
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: DUE })
    await untilSettled(payment)
  })
})
