import type { Harness } from '../harness/harness.js'
import { register } from '../harness/rest-payments.js'
import { until } from '../harness/until.js'
import { NOBODY, type Cases, type Good } from './error-cases.js'

const TEST = '/webhook/test'

/** Good requests of the routes about deliveries. */
export function webhookGood(harness: Harness): Readonly<Record<string, Good>> {
  const { tenant } = harness
  const replayPath = async (): Promise<string> => {
    const resourceId = await register(harness, tenant)
    const path = `/webhook/deliveries?resource_id=${resourceId}&state=delivered`
    let id: string | undefined
    await until('the delivery', async () => {
      const { body } = await harness.rest('GET', path, { as: tenant })
      id = (body.data?.['deliveries'] as { id: string }[])[0]?.id
      return id !== undefined
    })
    return `/webhook/deliveries/${String(id)}/replay`
  }
  return {
    'POST /webhook/deliveries/:id/replay': {
      path: replayPath,
      body: () => Promise.resolve(undefined),
      otherPath: replayPath,
    },
    [`POST ${TEST}`]: {
      path: async () => {
        const values = [tenant.id, tenant.tenantData.webhook_url]
        await harness.sql('update accounts.integration set webhook_url = $2 where tenant_id = $1', values)
        return TEST
      },
      body: () => Promise.resolve({ type: 'payment.success' }),
      other: () => Promise.resolve({ type: 'payment.error' }),
    },
  }
}

/** What provokes the errors that are their own. */
export function webhookCases(harness: Harness): Readonly<Record<string, Cases>> {
  const { tenant } = harness
  return {
    'GET /webhook/deliveries': {
      validation_error: () => harness.rest('GET', '/webhook/deliveries?limit=0', { as: tenant }),
    },
    'POST /webhook/deliveries/:id/replay': {
      not_found: () => harness.rest('POST', `/webhook/deliveries/${NOBODY}/replay`, { as: tenant }),
    },
    [`POST ${TEST}`]: {
      webhook_address_missing: async () => {
        const silent = await harness.dashboard.newTenant()
        return harness.rest('POST', TEST, { as: silent, body: { type: 'payment.success' } })
      },
    },
  }
}
