import { addressGuard } from '../../kernel/address-guard.js'
import type { Logger } from '../../kernel/log.js'
import { runningSubgraph } from '../../kernel/running-subgraph.js'
import type { RunningSubgraph } from '../../kernel/subgraph.js'
import { accountsDeps, openAccountsDatabase, type SharedDeps } from './context.js'
import type { CreateTenantDeps } from './domain/create-tenant.js'
import { webhookSecrets } from './domain/webhook-secrets.js'
import { peopleDeps, type PeopleOptions } from './people/context.js'
import type { PeopleDeps } from './people/deps.js'
import { forgetCodes } from './people/codes.js'
import { passkeyJobs } from './people/passkeys/mail-change.js'
import { forgetInvitationMails, invitationJobs } from './people/mail-invitation.js'
import { accountsSubgraph } from './subgraph.js'
import type { WebhookDeps } from './webhooks/deps.js'
import { openEndpointSecrets } from './webhooks/endpoint-secrets.js'
import { endpointQueue } from './webhooks/store/endpoint-queue.js'
import { deliverySlots, ENDPOINT_LIMITS } from './webhooks/delivery-slots.js'
import { webhookJobs, webhookPeriodicJobs } from './webhooks/jobs.js'
import { webhookQueue } from './webhooks/store/webhook-queue.js'

/** The accounts subgraph with its dependencies, which seeding a sandbox needs too. */
export interface RunningAccounts extends RunningSubgraph {
  deps: CreateTenantDeps & PeopleDeps
}

/** What is still under way then is made again once its lease is over, as after a crash. */
const STOP_TIMEOUT_MS = 5_000

/** Starts the accounts subgraph on its database, and the deliveries to tenants that are its jobs. */
export async function startAccounts(
  options: SharedDeps & {
    databaseUrl: string
    poolSize: number
    log: Logger
    /** Whether webhooks may go to this machine and over http; in the sandbox only. */
    isSandbox: boolean
    renderEvent: WebhookDeps['renderEvent']
    people: PeopleOptions
  },
): Promise<RunningAccounts> {
  const { databaseUrl, poolSize, log, isSandbox, renderEvent, people, ...shared } = options
  const db = await openAccountsDatabase({ url: databaseUrl, poolSize, log })
  const guard = addressGuard({ allowLoopback: isSandbox, allowHttp: isSandbox })
  const { deps, close: closeMail } = peopleDeps(
    db,
    accountsDeps(db, { ...shared, allowsLoopback: isSandbox, checkWebhookUrl: guard.check }),
    people,
    log,
  )
  const queue = webhookQueue(db, shared.clock)
  const secretsOf: WebhookDeps['secretsOf'] = (tenantId, publicClientId) =>
    webhookSecrets(deps, { id: tenantId }, { publicClientId })
  const slots = deliverySlots()
  const endpoints: Pick<WebhookDeps, 'endpointQueue' | 'endpointSlots' | 'openEndpointSecrets'> = {
    endpointQueue: endpointQueue(db, shared.clock, shared.newId),
    endpointSlots: deliverySlots(ENDPOINT_LIMITS),
    openEndpointSecrets: (endpoint) => openEndpointSecrets(shared.keyRing, endpoint, shared.clock.now()),
  }
  return {
    ...runningSubgraph(accountsSubgraph, db, () => deps, { log, clock: shared.clock }),
    deps,
    jobs: [
      ...webhookJobs({
        ...endpoints,
        ...{ clock: shared.clock, newId: shared.newId, keyRing: shared.keyRing },
        ...{ queue, slots, guard, renderEvent, secretsOf },
      }),
      ...invitationJobs(deps),
      ...passkeyJobs(deps),
    ],
    periodic: [
      ...webhookPeriodicJobs({ queue }),
      { name: 'forget-sign-in-codes', cron: '27 * * * *', run: () => forgetCodes(deps) },
      {
        name: 'forget-passkey-challenges',
        cron: '37 * * * *',
        run: () => deps.passkeyChallenges.forget(shared.clock.now()),
      },
      { name: 'forget-invitation-mails', cron: '29 * * * *', run: () => forgetInvitationMails(deps) },
    ],
    close: async () => {
      await Promise.all([slots, endpoints.endpointSlots].map(({ idle }) => idle(STOP_TIMEOUT_MS)))
      guard.close()
      closeMail()
      await db.close()
    },
  }
}
