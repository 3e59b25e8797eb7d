import { expect, it } from 'vitest'
import { startKycHarness } from '../../test/harness/kyc.js'
import { newSession } from '../../test/harness/kyc-sessions.js'
import { serve } from '../../test/harness/serve.js'

const SESSION = { session_id: 'known-before', url: 'https://provider.example.com/known-before', status: 'Approved' }

/** A provider that knows everybody: each session is approved when it is created. */
const provider = await serve((request, response) => {
  request.resume()
  response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(SESSION))
})
const harness = await startKycHarness({ providerUrl: provider.url })

it('an approval that the provider tells at the creation of a session lapses after its time too', async () => {
  const { email } = await newSession(harness)
  expect(await harness.must('kycRecord', { email })).toMatchObject({ status: 'APPROVED', approved: true })
  harness.clock.advance(364 * 86_400_000)
  expect(await harness.must('kycRecord', { email })).toMatchObject({ status: 'APPROVED' })
  harness.clock.advance(86_400_000)
  expect(await harness.must('kycRecord', { email })).toMatchObject({ status: 'EXPIRED', approved: false })
  await harness.runPeriodic('lapse-kyc-approvals')
  const events = await harness.query('select cause from kyc.person_event order by sequence')
  expect(events.map(({ cause }) => cause)).toEqual(['session_created', 'approval_lapsed'])
})
