import { randomBytes } from 'node:crypto'
import { systemClock } from '../../kernel/clock.js'
import { keyRing } from '../../kernel/encryption.js'
import { idSource } from '../../kernel/ids.js'
import type { Logger } from '../../kernel/log.js'
import { PRODUCTS } from '../../kernel/tenant.js'
import { accountsDeps, openAccountsDatabase } from '../../subgraphs/accounts/context.js'
import { WEBHOOK_SECRETS } from '../../subgraphs/accounts/deps.js'
import { createTenant } from '../../subgraphs/accounts/domain/create-tenant.js'
import type { TenantView } from '../view.js'
import type { WebhookReceiver } from './webhook-receiver.js'

/**
 * Makes a tenant as a deployment's dashboard would, past all faults. It connects anew each time: the database may have been
 * killed since the last tenant.
 * @param options.databaseUrl straight to PostgreSQL
 */
export async function newTenant(options: {
  databaseUrl: string
  masterKey: Buffer
  log: Logger
  hooks: WebhookReceiver
  name: string
}): Promise<TenantView> {
  const { databaseUrl, masterKey, log, hooks, name } = options
  const db = await openAccountsDatabase({ url: databaseUrl, poolSize: 2, log })
  try {
    const deps = accountsDeps(db, {
      clock: systemClock,
      newId: idSource(() => systemClock.now()),
      random: randomBytes,
      keyRing: keyRing([masterKey], WEBHOOK_SECRETS),
      publicClientIdPrefix: 'pk_',
      hasMarkets: false,
    })
    const made = await createTenant(deps, { name, products: PRODUCTS, mode: 'test', webhookUrl: null })
    return {
      id: made.tenant.id,
      apiKey: made.key,
      publicClientId: made.integration.publicClientId,
      webhookUrl: hooks.addressOf(made.tenant.id),
      webhookSecret: made.webhookSecret,
    }
  } finally {
    await db.close()
  }
}
