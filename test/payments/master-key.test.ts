import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { encrypt, keyRing } from '../../kernel/encryption.js'
import { WEBHOOK_SECRETS } from '../../subgraphs/accounts/deps.js'
import { sealContext } from '../../subgraphs/accounts/domain/new-integration.js'
import { startHarness } from '../harness/harness.js'

const earlierKey = randomBytes(32)

const harness = await startHarness({ MASTER_KEY_PREVIOUS: earlierKey.toString('hex') })

it('signs webhooks with a secret that the master key before has sealed', async () => {
  const { tenant, hooks } = harness
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const { public_client_id: publicClientId } = tenant.tenantData
  const context = sealContext({ tenantId: tenant.id, publicClientId })
  const sealed = encrypt(keyRing([earlierKey], WEBHOOK_SECRETS), secret, context)
  await harness.sql('update accounts.integration set webhook_secret = $1 where tenant_id = $2', [sealed, tenant.id])
  hooks.addressOf(tenant.id, secret)
  const id = await tenant.register()
  await hooks.told(id)
  expect(hooks.refused).toEqual([])
})
