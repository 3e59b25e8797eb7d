import { signIn } from '../harness/console.js'
import type { Harness } from '../harness/harness.js'
import { until } from '../harness/until.js'
import { NOBODY, type Cases, type Good } from '../harness/route-errors.js'

const TEST = '/webhook/test'

/** Good requests of the routes about deliveries. */
export function webhookGood(harness: Harness): Readonly<Record<string, Good>> {
  const { tenant } = harness
  const replayPath = async (): Promise<string> => {
    const resourceId = await tenant.register()
    const path = `/webhook/deliveries?resource_id=${resourceId}&state=delivered`
    let id: string | undefined
    await until('the delivery', async () => {
      const { body } = await tenant.get(path)
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
        await harness.dashboard.setWebhookUrl(tenant)
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
      validation_error: () => tenant.get('/webhook/deliveries?limit=0'),
    },
    'POST /webhook/deliveries/:id/replay': {
      not_found: () => tenant.post(`/webhook/deliveries/${NOBODY}/replay`),
      webhook_endpoint_off: async () => {
        const id = await deliveryToNowhere(harness)
        return tenant.post(`/webhook/deliveries/${id}/replay`)
      },
      replay_limit_reached: async () => {
        const busy = await harness.dashboard.newTenant()
        await harness.dashboard.setWebhookUrl(busy)
        const sent = await harness.rest('POST', TEST, { as: busy, body: { type: 'payment.success' } })
        await useUpOrders(harness, busy)
        return harness.rest('POST', `/webhook/deliveries/${String(sent.body.data?.['id'])}/replay`, { as: busy })
      },
    },
    [`POST ${TEST}`]: {
      webhook_address_missing: async () => {
        const silent = await harness.dashboard.newTenant()
        return harness.rest('POST', TEST, { as: silent, body: { type: 'payment.success' } })
      },
      replay_limit_reached: async () => {
        const busy = await harness.dashboard.newTenant()
        await harness.dashboard.setWebhookUrl(busy)
        await useUpOrders(harness, busy)
        return harness.rest('POST', TEST, { as: busy, body: { type: 'payment.success' } })
      },
    },
  }
}

/** Leaves a tenant no replay and no test event on this day. */
async function useUpOrders(harness: Harness, { id }: { id: string }): Promise<void> {
  await harness.sql(
    `insert into accounts.webhook_replays (tenant_id, day, count) values ($1, $2::timestamptz::date, 1000000)
      on conflict (tenant_id) do update set count = excluded.count`,
    [id, harness.clock.now().toISOString()],
  )
}

/** A delivery to an endpoint that was deleted since. @returns its id */
async function deliveryToNowhere(harness: Harness): Promise<string> {
  const email = 'endpoints@example.com'
  await harness.dashboard.addMember(harness.tenant, email, 'owner')
  const owner = await signIn(harness, email)
  const made = await owner.graphql(`mutation {
    createWebhookEndpoint(input: { url: "http://127.0.0.1:9/" }) { createdWebhookEndpoint { webhookEndpoint { id } } }
  }`)
  const [, id = ''] = /"id":"(\w+)"/.exec(made.text) ?? []
  const sent = await owner.graphql(
    `mutation ($id: ID!) { sendTestWebhook(input: { type: "payment.success", endpointId: $id }) { webhookDelivery { id } } }`,
    { id },
  )
  await owner.graphql('mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { errors { code } } }', { id })
  return /"id":"(\w+)"/.exec(sent.text)?.[1] ?? ''
}
