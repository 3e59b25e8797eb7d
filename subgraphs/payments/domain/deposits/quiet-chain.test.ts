import { afterEach, expect, it } from 'vitest'
import { startAddressHarness } from '../../fixtures/address-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { cancelPayment } from '../cancel-payment.js'
import { startWatching, watchAddresses } from './watch-addresses.js'

const { harness, anvil, deps, tenant, open, addressOf, opened, send, pass, priceRunsOut, alertsOn } =
  await startAddressHarness()
const { pool } = harness
const DAY_SECONDS = 24 * 3_600

const look = () => watchAddresses(deps, { chainName: 'polygon', scope: 'all' })

const told4 = { kind: 'deposit_unexpected', details: expect.stringContaining('4 USDT') as string }

/** Its time is over, and that of its price is long ago; whether that was read is another thing. */
async function watchRunsOut({ id }: Payment): Promise<void> {
  await priceRunsOut()
  const now = harness.clock.now().toISOString()
  await harness.query('update payments.payment_address set watch_until = $1 where payment_id = $2', [now, id])
  await priceRunsOut()
}

afterEach(async () => {
  pool.refuses = () => false
  await harness.query(
    `update payments.payment_address set watch_until = 'epoch', last_read_block = 0, look_back_at = null`,
  )
})

it('what comes to an address after its watch is told where nothing else is watched on its chain, and no node is asked what came to every address', async () => {
  const { payment } = await opened()
  await watchRunsOut(payment)
  await anvil.mine({ blocks: 3 })
  await look()
  await send(await addressOf(payment), '4')
  const asked: string[] = []
  pool.refuses = ({ method }) => asked.push(method) < 0
  await harness.advance(2 * DAY_SECONDS)
  await priceRunsOut()
  await anvil.mine({ blocks: 3 })
  await startWatching(deps)
  await harness.runJobs()
  expect(await alertsOn(payment)).toMatchObject([told4])
  expect(asked).not.toContain('eth_getLogs')
  const found = await opened()
  await send(found.address, '5')
  await pass(2)
  expect(await presentOf(harness, found.payment)).toMatchObject({ receivedAmount: '5' })
})

it('a watch keeps its payment from no end where its chain could not be read for a week, and cannot be now', async () => {
  const { payment, address } = await opened()
  await look()
  pool.refuses = () => true
  await send(address, '4')
  await watchRunsOut(payment)
  await harness.advance(6 * DAY_SECONDS)
  await startWatching(deps)
  expect(await addressOf(payment)).toMatchObject({ lastReadBlock: null })
  await harness.advance(2 * DAY_SECONDS)
  await startWatching(deps)
  expect(await addressOf(payment)).toMatchObject({ lastReadBlock: expect.any(BigInt) as bigint })
  expect(await cancelPayment(deps, tenant, { id: payment.id })).toMatchObject({ status: 'error' })
  pool.refuses = () => false
  await priceRunsOut()
  await anvil.mine({ blocks: 3 })
  await startWatching(deps)
  await harness.runJobs()
  expect(await alertsOn(payment)).toMatchObject([told4])
})

it('what no node says of an address is asked for until a week after the last time that it is asked', async () => {
  const { payment } = await opened()
  await watchRunsOut(payment)
  await anvil.mine({ blocks: 3 })
  await look()
  pool.refuses = ({ method }) => method === 'eth_call'
  for (const days of [58, 3, 70]) {
    expect(await addressOf(payment)).toMatchObject({ lookBackAt: expect.any(Date) as Date })
    await harness.advance(days * DAY_SECONDS)
    await priceRunsOut()
    await anvil.mine({ blocks: 3 })
    await look()
  }
  expect(await addressOf(payment)).toMatchObject({ lookBackAt: null })
})

it('an address that is opened again while a node refuses to say what lay there is looked back at all the same', async () => {
  const { payment } = await opened()
  await watchRunsOut(payment)
  await anvil.mine({ blocks: 3 })
  await look()
  const ended = await addressOf(payment)
  await open(payment)
  const lookBackAt = (await addressOf(payment)).lookBackAt
  await deps.addresses.putOffLookBack(ended, null)
  expect(await addressOf(payment)).toMatchObject({ lookBackAt })
  expect(lookBackAt).not.toBeNull()
})

it('what lay at an address that is watched again is asked for anew where blocks are dropped', async () => {
  const { payment } = await opened()
  await look()
  const upTo = await deps.addresses.cursor('polygon', 'all')
  await harness.query('update payments.payment_address set laid_before = 4000000 where payment_id = $1', [payment.id])
  await deps.addresses.rewind('polygon', ['open', 'all'], { block: (upTo?.block ?? 2n) - 1n, blockHash: '0x' })
  expect(await addressOf(payment)).toMatchObject({ laidBefore: 4_000_000n, lookBackAt: new Date(0) })
  await anvil.mine({ blocks: 3 })
  await look()
  expect(await addressOf(payment)).toMatchObject({ laidBefore: 0n })
})

it('what came to an address after its watch is asked for later where no node says it', async () => {
  const { payment, address } = await opened()
  await watchRunsOut(payment)
  await anvil.mine({ blocks: 3 })
  await look()
  await send(address, '4')
  for (const isRefused of [true, false]) {
    pool.refuses = ({ method }) => isRefused && method === 'eth_call'
    await harness.advance(2 * DAY_SECONDS)
    await priceRunsOut()
    await anvil.mine({ blocks: 3 })
    await startWatching(deps)
    await harness.runJobs()
    expect(await alertsOn(payment)).toMatchObject(isRefused ? [] : [told4])
    expect(await addressOf(payment)).toMatchObject({ laidBefore: isRefused ? 0n : 4_000_000n })
  }
})
