import { buildSubgraph } from '../../kernel/subgraph.js'
import { AuditLogResolver } from './graphql/audit-log.js'
import type { AccountsDeps } from './deps.js'
import { AccountResolver } from './graphql/account.js'
import { ApiKeyStandingResolver } from './graphql/api-key-standing.js'
import { IntegrationResolver } from './graphql/integration.js'
import { BrandingResolver } from './branding/graphql/branding.js'
import { ConsoleSessionResolver } from './people/graphql/console-session.js'
import { ApiKeysResolver } from './people/graphql/api-keys.js'
import { ConsolePasskeysResolver } from './people/graphql/console-passkeys.js'
import { PasskeysResolver } from './people/graphql/passkeys.js'
import { PeopleResolver } from './people/graphql/people.js'
import { SessionsResolver } from './people/graphql/sessions.js'
import { ProviderHealthResolver } from './graphql/provider-health.js'
import { ProductsResolver } from './graphql/products.js'
import { ReauthorizationResolver } from './graphql/reauthorization.js'
import { TenantsResolver } from './graphql/tenants.js'
import { WebhookAddressResolver } from './graphql/webhook-address.js'
import { webhookResolvers } from './webhooks/graphql/resolvers.js'

/** The accounts subgraph's schema: what is listed here is all that it offers. */
export function accountsSubgraph(): ReturnType<typeof buildSubgraph<AccountsDeps>> {
  return buildSubgraph<AccountsDeps>({
    resolvers: [
      AccountResolver,
      ApiKeyStandingResolver,
      AuditLogResolver,
      ApiKeysResolver,
      BrandingResolver,
      ConsoleSessionResolver,
      ConsolePasskeysResolver,
      PasskeysResolver,
      PeopleResolver,
      SessionsResolver,
      IntegrationResolver,
      ProductsResolver,
      ProviderHealthResolver,
      ReauthorizationResolver,
      TenantsResolver,
      WebhookAddressResolver,
      ...webhookResolvers,
    ],
    references: {},
  })
}
