import { PRODUCTS } from '../kernel/tenant.js'
import { hashApiKey } from '../subgraphs/accounts/domain/api-key.js'
import { createPlatformKey } from '../subgraphs/accounts/domain/create-platform-key.js'
import { createTenant } from '../subgraphs/accounts/domain/create-tenant.js'
import { keyStanding } from '../subgraphs/accounts/domain/key-standing.js'
import type { RunningAccounts } from '../subgraphs/accounts/server.js'
import type { Sandbox } from '../sandbox/start.js'

/** Sees to it that the sandbox has its demo tenant; the one of the last start as long as the database still knows it. */
export async function seedDemo({ deps }: RunningAccounts, demo: Sandbox['demo']): Promise<void> {
  const known = demo.load()
  if (known && (await keyStanding(deps, { hash: hashApiKey(known.apiKey) }))) return
  const tenant = await createTenant(deps, { name: 'Demo', products: PRODUCTS, mode: 'test', webhookUrl: null })
  const platform = await createPlatformKey(deps, { name: 'demo platform key', mode: 'test', expiresAt: null })
  demo.save({
    apiKey: tenant.key,
    platformKey: platform.key,
    publicClientId: tenant.integration.publicClientId,
    webhookSecret: tenant.webhookSecret,
  })
}
