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
const RATE_LIMITED = { provider: 'pix', kind: 'rate_limited', retryable: true, message: 'too many' } as const

/** So many charges that were paid one after the other, of which nobody has told. */
async function paidUntold(count: number) {
  await syncReceived(harness.deps)
  const charged = await Promise.all(Array.from({ length: count }, () => chargedPayment(harness)))
  for (const { txid } of charged) {
    await harness.advance(1)
    await harness.pixControl(`/cob/${txid}/pay`)
  }
  await harness.advance(1)
  return charged
}

/**
 * Charges that were paid, and a list read while the sync of those fails whose places are given. Gives what was taken over of each, whether
 * the list counts as read, and how often the provider was asked about a charge.
 */
async function syncAround(failure: Error, { count, failing }: { count: number; failing: readonly number[] }) {
  const charged = await paidUntold(count)
  const failingIds = failing.map((place) => charged[place]?.txid)
  let asked = 0
  const failingDeps = withPixAdapter(harness, ({ retrieve }) => ({
    retrieve: (reference) => {
      asked += 1
      return failingIds.includes(reference) ? Promise.reject(failure) : retrieve(reference)
    },
  }))
  const to = harness.clock.now().getTime()
  await syncReceived(failingDeps)
  const isRead = Number(await harness.deps.treasuryBooks.syncedTo('received:pix')) >= to
  const outcomes = await Promise.all(charged.map(({ payment }) => receiptsOf(harness, payment)))
  return { isRead, asked, taken: outcomes.map((receipts) => receipts.length) }
}

const FIRST = { count: 2, failing: [0] }

it('a charge that cannot be taken over for any reason keeps no other from being taken over', async () => {
  const looked = await syncAround(new RangeError('more than 6 decimals'), FIRST)
  expect(looked).toMatchObject({ isRead: true, taken: [0, 1] })
})

it('a charge that nobody can read neither, and its list is read again', async () => {
  const looked = await syncAround(protocolError('pix', 'not a charge'), FIRST)
  expect(looked).toMatchObject({ isRead: false, taken: [0, 1] })
  await syncReceived(harness.deps)
})

it('a charge about which alone the provider fails neither, nor many about which it answers 500', async () => {
  const alone = await syncAround(new ProviderError(UNAVAILABLE), FIRST)
  expect(alone).toMatchObject({ isRead: false, taken: [0, 1] })
  const failing = [0, 1, 2, 3, 4, 5]
  const many = await syncAround(new ProviderError({ ...UNAVAILABLE, httpStatus: 500 }), { count: 7, failing })
  expect(many).toMatchObject({ isRead: false, taken: [0, 0, 0, 0, 0, 0, 1] })
  await syncReceived(harness.deps)
})

it('a provider that is away, or takes no more calls, is not asked about everything else', async () => {
  const failing = [0, 1, 2, 3, 4, 5, 6]
  const away = await syncAround(new ProviderError({ ...UNAVAILABLE, httpStatus: 503 }), { count: 7, failing })
  expect(away).toMatchObject({ isRead: false, asked: 5 })
  await syncReceived(harness.deps)
  expect(await syncAround(new ProviderError(RATE_LIMITED), FIRST)).toMatchObject({ isRead: false, asked: 1 })
  await syncReceived(harness.deps)
})

it('a row that nobody can read keeps none from being taken over that its list gave before', async () => {
  const charged = await paidUntold(2)
  const failing = withPixAdapter(harness, ({ listReceived }) => ({
    listReceived: async function* (window) {
      yield* listReceived?.(window) ?? []
      throw protocolError('pix', 'not a Pix')
    },
  }))
  await syncReceived(failing)
  for (const { payment } of charged) expect(await receiptsOf(harness, payment)).toHaveLength(1)
})
