import { describe, expect, it } from 'vitest'
import { operatorContext } from '../../../../test/harness/operator.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { readTenantTerms, setDelay, setFees, setLimits } from './tenant-terms.js'

const harness = await startPaymentsHarness()
const { deps } = harness
const tenantId = harness.tenant.id

describe('the background work, for an operator', () => {
  it('is counted by kind, with what has given up and since when the oldest waits', async () => {
    await deps.addJobNow({ name: 'settle-chain', payload: { chainName: 'none' }, key: 'one' })
    await deps.addJobNow({ name: 'settle-chain', payload: { chainName: 'none' }, key: 'two', maxAttempts: 1 })
    await harness.query(`update graphile_worker._private_jobs set attempts = 1 where key = 'two'`)
    const asked = '{ jobs { name due failed oldestDueAt } reconciliations { scope } }'
    const { data } = await harness.graphql(asked, {}, operatorContext())
    const { jobs } = data as { jobs: { name: string; oldestDueAt: string }[] }
    const settling = jobs.find(({ name }) => name === 'settle-chain')
    expect(settling).toMatchObject({ due: 1, failed: 1 })
    expect(Date.parse(settling?.oldestDueAt ?? '')).toBeLessThanOrEqual(Date.now())
    expect(data).toMatchObject({ reconciliations: [] })
  })
})

describe('what operators set for a tenant', () => {
  it('is nothing at first, and then what they have set, for this tenant alone', async () => {
    expect(await readTenantTerms(deps, tenantId)).toEqual({ tenantId, fees: [], limits: [], delays: [] })
    await setFees(deps, { tenantId, rail: 'pix', percent: '2.5', fixed: '0.39', spreadPercent: '0' })
    await setDelay(deps, { tenantId, rail: 'card', hours: 48 })
    const set = `mutation { setTenantLimits(input: { tenantId: "${tenantId}", currency: "BRL", perPayment: "1000" }) {
      tenantTerms { fees { rail percent fixed } limits { currency perPayment perPayerDay } delays { rail hours } } errors { code } } }`
    const { data } = await harness.graphql(set, {}, operatorContext())
    expect(data).toEqual({
      setTenantLimits: {
        errors: [],
        tenantTerms: {
          fees: [{ rail: 'PIX', percent: '2.5', fixed: '0.39' }],
          limits: [{ currency: 'BRL', perPayment: '1000', perPayerDay: null }],
          delays: [{ rail: 'CARD', hours: 48 }],
        },
      },
    })
    expect((await readTenantTerms(deps, 'other')).fees).toEqual([])
  })

  it('is refused by its field, and changes nothing', async () => {
    const before = await readTenantTerms(deps, tenantId)
    const fieldsOf = (work: Promise<void>) =>
      work.then(
        () => 'it was taken',
        ({ errors }: { errors: { field: string }[] }) => errors.map(({ field }) => field),
      )
    const fees = { tenantId, rail: 'crypto', percent: '20.01', fixed: '1', spreadPercent: '0.001' }
    expect(await fieldsOf(setFees(deps, fees))).toEqual(['rail', 'percent', 'spreadPercent'])
    const limits = { tenantId, currency: 'reais', perPayment: '0', perPayerDay: null, perTenantDay: null }
    expect(await fieldsOf(setLimits(deps, limits))).toEqual(['currency', 'perPayment'])
    expect(await fieldsOf(setDelay(deps, { tenantId, rail: 'pix', hours: 4_321 }))).toEqual(['hours'])
    expect(await readTenantTerms(deps, tenantId)).toEqual(before)
  })
})
