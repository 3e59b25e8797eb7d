import { expect, it } from 'vitest'
import { protocolError, ProviderError } from '../../../../kernel/provider-error.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { withPixAdapter } from '../../fixtures/pix-adapter.js'
import { chargedPayment } from '../../fixtures/pix-payments.js'
import { receiptsOf } from '../../fixtures/rows.js'
import { syncReceived } from './sync-received.js'

const harness = await startPaymentsHarness()
await harness.pixControl('/callbacks', { mode: 'drop' })

const UNAVAILABLE = { provider: 'pix', kind: 'unavailable', retryable: true, message: 'away' } as const

/** Two charges that were paid, and a list read while the first one's sync fails. Gives what was taken over of each, and whether the list counts as read. */
async function syncAround(failure: Error) {
  await syncReceived(harness.deps)
  const charged = [await chargedPayment(harness), await chargedPayment(harness)]
  for (const { txid } of charged) {
    await harness.advance(1)
    await harness.pixControl(`/cob/${txid}/pay`)
  }
  await harness.advance(1)
  const failing = withPixAdapter(harness, ({ retrieve }) => ({
    retrieve: (reference) => (reference === charged[0]?.txid ? Promise.reject(failure) : retrieve(reference)),
  }))
  const to = harness.clock.now().getTime()
  await syncReceived(failing)
  const isRead = Number(await harness.deps.treasuryBooks.syncedTo('received:pix')) >= to
  const outcomes = await Promise.all(charged.map(({ payment }) => receiptsOf(harness, payment)))
  return { isRead, taken: outcomes.map((receipts) => receipts.length) }
}

it('a charge that cannot be taken over for any reason keeps no other from being taken over', async () => {
  expect(await syncAround(new RangeError('more than 6 decimals'))).toEqual({ isRead: true, taken: [0, 1] })
})

it('a charge that nobody can read neither, and its list is read again', async () => {
  expect(await syncAround(protocolError('pix', 'not a charge'))).toEqual({ isRead: false, taken: [0, 1] })
  await syncReceived(harness.deps)
})

it('a provider that is away is not asked about the next one', async () => {
  expect(await syncAround(new ProviderError(UNAVAILABLE))).toEqual({ isRead: false, taken: [0, 0] })
})
