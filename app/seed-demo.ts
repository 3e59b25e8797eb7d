import { PRODUCTS } from '../kernel/tenant.js'
import { hashApiKey } from '../subgraphs/accounts/domain/api-key.js'
import { createApiKey } from '../subgraphs/accounts/domain/create-api-key.js'
import { createTenant } from '../subgraphs/accounts/domain/create-tenant.js'
import { keyStatus } from '../subgraphs/accounts/domain/key-status.js'
import { addMember } from '../subgraphs/accounts/people/add-member.js'
import type { RunningAccounts } from '../subgraphs/accounts/server.js'
import type { SandboxControls } from '../sandbox/sandbox.js'

/** Who signs in at the console of the demo tenant; the code is in the sandbox's mailbox. */
export const DEMO_OWNER = 'owner@example.com'

/** Gives the sandbox its demo tenant: the one of the last start as long as the database still knows it, otherwise a new one. */
export async function seedDemo({ deps }: RunningAccounts, demo: NonNullable<SandboxControls['demo']>): Promise<void> {
  const known = demo.load()
  const status = known && (await keyStatus(deps, { hash: hashApiKey(known.apiKey) }))
  if (status) {
    // A folder of an earlier version has the keys, but not the tenant's id.
    if (status.tenantId !== null) {
      demo.save({ ...known, tenantId: status.tenantId })
      await addMember(deps, { tenantId: status.tenantId, email: DEMO_OWNER, role: 'owner' })
    }
    return
  }
  const tenant = await createTenant(deps, { name: 'Demo', products: PRODUCTS, mode: 'test', webhookUrl: null })
  await addMember(deps, { tenantId: tenant.tenant.id, email: DEMO_OWNER, role: 'owner' })
  const platform = await createApiKey(deps, null, { name: 'demo platform key', mode: 'test', expiresAt: null })
  demo.save({
    apiKey: tenant.key,
    tenantId: tenant.tenant.id,
    platformKey: platform.key,
    publicClientId: tenant.integration.publicClientId,
    webhookSecret: tenant.webhookSecret,
  })
}
