import { afterEach, expect, it } from 'vitest'
import { refusalOf, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { withLookupTable } from '../../../test/harness/yield-lookup-table.js'
import { inUsdc } from '../fixtures/broadcasts.js'
import { depositYield } from './deposit-yield.js'

const harness = await startYieldHarness()
afterEach(() => {
  harness.rpc.onCall = () => 'pass'
})

it('with a look-up table fails as the chain does that cannot be asked for it', async () => {
  const wallet = await harness.newWallet()
  const deps = await harness.anotherProcess({ config: await withLookupTable(harness) })
  harness.rpc.onCall = ({ method }) => (method === 'getAccountInfo' ? 'cut' : 'pass')
  const refused = await refusalOf(depositYield(deps, TENANT, inUsdc(wallet)))
  expect(refused).toMatchObject({ code: 'provider_unavailable' })
})
