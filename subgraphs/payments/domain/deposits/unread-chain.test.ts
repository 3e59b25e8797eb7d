import { afterEach, describe, expect, it } from 'vitest'
import { DUE, startAddressHarness } from '../../fixtures/address-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { startWatching, watchAddresses } from './watch-addresses.js'

const { harness, anvil, deps, opened, send, pass, untilSettled } = await startAddressHarness()
const { pool } = harness
const UNREAD_SECONDS = 15 * 60

const refuseLogs = (): void => {
  pool.refuses = ({ method }) => method === 'eth_getLogs'
}
const answerAll = (): void => {
  pool.refuses = () => false
}

async function look(): Promise<void> {
  await startWatching(deps)
  await pass()
}

const told = async () => (await deps.alerts.list()).filter(({ kind }) => kind === 'deposits_unread')
const POLYGON = [expect.objectContaining({ subject: 'polygon' })]

/** The chain can be read again, and its alert is closed. */
async function untilRead(): Promise<void> {
  answerAll()
  await look()
  await harness.advance(60)
  await deps.alerts.closeGone()
  expect(await told()).toEqual([])
}

/** An operator is told after a time, and not before, until the blocks can be read again, and the payment is settled then. */
async function isToldUntilRead(payment: Payment): Promise<void> {
  await look()
  expect(await told()).toEqual([])
  await harness.advance(UNREAD_SECONDS)
  await look()
  expect(await told()).toEqual(POLYGON)
  await untilRead()
  await untilSettled(payment)
}

/** The nodes look through a block at a time, so that a look gets no further than a few. */
const readSlowly = (): void => {
  pool.refuses = ({ method, params }) => {
    const [filter] = params as { fromBlock?: string; toBlock?: string }[]
    return method === 'eth_getLogs' && filter?.fromBlock !== filter?.toBlock
  }
}

afterEach(answerAll)

describe('a chain whose blocks cannot be read for long', () => {
  it('is told to an operator, until they can be read again', async () => {
    const { payment, address } = await opened()
    await pass()
    await send(address, DUE)
    refuseLogs()
    await isToldUntilRead(payment)
  })

  it('is told though none of its blocks was ever read', async () => {
    await harness.query('delete from payments.address_cursor')
    refuseLogs()
    const { payment, address } = await opened()
    await send(address, DUE)
    await isToldUntilRead(payment)
  })

  it('is told though it dropped blocks meanwhile, and is not read from ever earlier', async () => {
    const cursors = () => harness.query('select scope, block_number from payments.address_cursor order by scope')
    const { address } = await opened()
    await anvil.mine({ blocks: 600 })
    // A look reads a few ranges, and blocks that are dropped have to have been read.
    for (let looks = 0; looks < 4; looks += 1) await look()
    // Without something in them the blocks that take their places would be the same.
    await send(address, '1')
    await look()
    const before = await cursors()
    refuseLogs()
    await anvil.request({ method: 'anvil_reorg', params: [6, []] } as never)
    await look()
    const rewound = await cursors()
    expect(rewound).not.toEqual(before)
    await harness.advance(UNREAD_SECONDS)
    await look()
    expect(await told()).toEqual(POLYGON)
    expect(await cursors()).toEqual(rewound)
    await untilRead()
  })

  it('is told though it is read, but not as fast as its blocks come', async () => {
    const { payment, address } = await opened()
    await pass()
    await send(address, DUE)
    readSlowly()
    await anvil.mine({ blocks: 80 })
    await look()
    await harness.advance(UNREAD_SECONDS)
    await anvil.mine({ blocks: 80 })
    await look()
    expect(await told()).toEqual(POLYGON)
    answerAll()
    for (let looks = 0; looks < 2; looks += 1) await look()
    await untilRead()
    await untilSettled(payment)
  })

  it('is told while a look at it that takes long is under way', async () => {
    await opened()
    await anvil.mine({ blocks: 2 })
    await startWatching(deps)
    const duringLook: unknown[][] = []
    const record: typeof deps.addresses.record = async (...args) => {
      await harness.advance(UNREAD_SECONDS)
      await startWatching(deps)
      duringLook.push(await told())
      return deps.addresses.record(...args)
    }
    await watchAddresses({ ...deps, addresses: { ...deps.addresses, record } }, { chainName: 'polygon', scope: 'all' })
    expect(duringLook[0]).toEqual(POLYGON)
    await untilRead()
  })

  it('is not told as unread since a time when nothing was watched on it', async () => {
    await opened()
    refuseLogs()
    await look()
    await harness.query('update payments.payment_address set expires_at = $1, watch_until = $1, last_read_block = 0', [
      harness.clock.now().toISOString(),
    ])
    await startWatching(deps)
    await harness.advance(UNREAD_SECONDS)
    await opened()
    await look()
    expect(await told()).toEqual([])
  })
})
