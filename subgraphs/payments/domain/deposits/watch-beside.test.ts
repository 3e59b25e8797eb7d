import { describe, expect, it } from 'vitest'
import type { PaymentsDeps } from '../../context.js'
import { DUE, startAddressHarness } from '../../fixtures/address-payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { watchAddresses } from './watch-addresses.js'

const { harness, anvil, deps, opened, send, pass, untilSettled } = await startAddressHarness()
const look = (scope: 'open' | 'all', given = deps) => watchAddresses(given, { chainName: 'polygon', scope })
const cursors = () => harness.query('select scope, block_number from payments.address_cursor')

type Addresses = PaymentsDeps['addresses']

/** In which something happens in the middle of the first range that is read for all addresses. */
function withMeanwhile(meanwhile: () => Promise<void>): PaymentsDeps {
  let isOver = false
  const watched: Addresses['watched'] = async (...args) => {
    const page = await deps.addresses.watched(...args)
    if (!isOver) {
      isOver = true
      await meanwhile()
    }
    return page
  }
  return { ...deps, addresses: { ...deps.addresses, watched } }
}

describe('a look at all addresses of a chain', () => {
  it('keeps no payer waiting whose price holds, however long it takes', async () => {
    const { payment, address } = await opened()
    await send(address, DUE)
    await anvil.mine({ blocks: 2 })
    const received: unknown[] = []
    const slow = withMeanwhile(async () => {
      await look('open')
      received.push((await presentOf(harness, payment)).receivedAmount)
    })
    await look('all', slow)
    expect(received).toEqual([DUE])
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: DUE, overpaidAmount: null })
  })

  it('leaves what the other has found out of dropped blocks, and counts what came again once', async () => {
    const { payment, address } = await opened()
    await pass(2)
    await send(address, '10')
    await anvil.mine({ blocks: 2 })
    await look('open')
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: '10' })
    // It has read the blocks that are dropped while it goes on to what follows them.
    const slow = withMeanwhile(async () => {
      await anvil.request({ method: 'anvil_reorg', params: [6, []] } as never)
      await anvil.mine({ blocks: 2 })
      for (let looks = 0; looks < 3; looks += 1) await look('open')
    })
    await look('all', slow)
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: null })
    await send(address, DUE)
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: DUE, overpaidAmount: null })
  })

  it('that is far behind is not taken past what it has not read when blocks are dropped', async () => {
    const { payment, address } = await opened()
    await pass(2)
    await look('all')
    const [behind] = (await cursors()).filter(({ scope }) => scope === 'all')
    await anvil.mine({ blocks: 300 })
    await send(address, '10')
    await anvil.mine({ blocks: 2 })
    await look('open')
    await anvil.request({ method: 'anvil_reorg', params: [6, []] } as never)
    await anvil.mine({ blocks: 2 })
    await look('open')
    expect((await cursors()).find(({ scope }) => scope === 'all')).toEqual(behind)
    await send(address, DUE)
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: DUE })
  })
})
