import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { keyRing } from '../../../kernel/encryption.js'
import { startAccountsHarness } from '../../../test/harness/accounts.js'
import { WEBHOOK_SECRETS } from '../deps.js'
import { resealWebhookSecrets } from '../domain/reseal-webhook-secrets.js'
import { openEndpointSecrets } from './endpoint-secrets.js'
import { createEndpoint, rotateEndpointSecret } from './endpoints.js'

const { deps, clock, masterKey } = await startAccountsHarness()
const endpoints = { ...deps, checkWebhookUrl: () => Promise.resolve(undefined) }

/** A new endpoint of a new tenant, whose secret was rotated with an overlap. */
async function rotated() {
  const tenant = { id: deps.newId() }
  const { endpoint, secret: older } = await createEndpoint(endpoints, tenant, { url: 'https://books.example/' })
  const { secret: newer } = await rotateEndpointSecret(endpoints, tenant, { id: endpoint.id, overlapHours: 24 })
  const stored = async () => {
    const found = await deps.registeredEndpoints.find(tenant.id, endpoint.id)
    if (!found) throw new Error('the endpoint is gone')
    return found
  }
  return { id: endpoint.id, tenant, stored, secrets: [newer, older] }
}

describe('the secrets of endpoints', () => {
  it('do not open in the row of another endpoint', async () => {
    const [one, other] = [await rotated(), await rotated()]
    const copied = { ...(await one.stored()), secret: (await other.stored()).secret }
    expect(() => openEndpointSecrets(deps.keyRing, copied, clock.now())).toThrow()
  })

  it('sign on as long as was said, also where a rotation is repeated because its answer was lost', async () => {
    const { id, tenant, stored, secrets } = await rotated()
    const [lost, inUse] = secrets
    const signing = async () => openEndpointSecrets(deps.keyRing, await stored(), clock.now())
    const rotate = async (overlapHours: number) =>
      (await rotateEndpointSecret(endpoints, tenant, { id, overlapHours })).secret
    clock.advance(3_600_000)
    const second = await rotate(24)
    expect(await signing()).toEqual([second, lost, inUse])
    const third = await rotate(48)
    expect(await signing()).toEqual([third, second, lost, inUse])
    clock.advance(23 * 3_600_000)
    expect(await signing()).toEqual([third, second, lost])
    const fourth = await rotate(24)
    expect(await signing()).toEqual([fourth, third, second, lost])
    for (let count = 4; count < 8; count += 1) await rotate(24)
    const all = await signing()
    await expect(rotate(24)).rejects.toMatchObject({ code: 'invalid_parameters' })
    expect(await signing()).toEqual(all)
    // One that has leaked: which one is not said.
    const last = await rotate(0)
    expect(await signing()).toEqual([last])
  })

  it('are sealed again with a new master key, opened by either meanwhile, and stay the same', async () => {
    const { id: endpointId, tenant, stored, secrets } = await rotated()
    for (let count = 0; count < 2; count += 1)
      secrets.unshift((await rotateEndpointSecret(endpoints, tenant, { id: endpointId, overlapHours: 24 })).secret)
    const newKey = randomBytes(32)
    const [both, alone] = [[newKey, masterKey], [newKey]].map((keys) => keyRing(keys, WEBHOOK_SECRETS))
    if (!both || !alone) throw new Error('there is no key')
    const openedBy = async (ring: typeof both) => openEndpointSecrets(ring, await stored(), clock.now())
    expect(await openedBy(both)).toEqual(secrets)
    await expect(openedBy(alone)).rejects.toThrow('not in the key ring')
    const { count, notOpened } = await resealWebhookSecrets({ ...deps, keyRing: both })
    expect([count > 0, notOpened]).toEqual([true, []])
    expect(await openedBy(alone)).toEqual(secrets)
    expect(await resealWebhookSecrets({ ...deps, keyRing: both })).toEqual({ count: 0, notOpened: [] })
    const { id, tenantId } = await stored()
    const strange = keyRing([randomBytes(32)], WEBHOOK_SECRETS)
    expect((await resealWebhookSecrets({ ...deps, keyRing: strange })).notOpened).toContainEqual({
      tenantId,
      endpointId: id,
    })
  })
})
