import type { EntityManager } from '@mikro-orm/postgresql'
import { runIn } from '../../../kernel/database.js'
import type { SubscriptionInterval } from '../model/subscription.js'
import type { SubscriptionPeriod } from './subscription.entity.js'

/** Of the first event about a period's payment, which registered it; null in events of before plans could change. */
const REGISTERED_INTERVAL = {
  name: 'subscription_registered_interval',
  text: `select snapshot ->> 'interval' as interval from payments.subscription_event
    where tenant_id = $1 and subscription_id = $2 and snapshot ->> 'paymentId' = $3 order by sequence limit 1`,
}

/** The interval at which a period was registered; undefined where that was before plans could change. */
export async function intervalOf(
  em: EntityManager,
  { tenantId, subscriptionId, paymentId }: SubscriptionPeriod,
): Promise<SubscriptionInterval | undefined> {
  const values = [tenantId, subscriptionId, paymentId]
  const [row] = await runIn<{ interval: SubscriptionInterval | null }>(em, REGISTERED_INTERVAL, values)
  return row?.interval ?? undefined
}
