import { useEffect, useState, type ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment } from '../parts/format.js'
import { buttonColumn } from '../parts/row-button.js'
import { StatusBadge } from '../parts/status-badge.js'
import { DataTable } from '../parts/table.js'
import { EndpointName } from '../endpoints/endpoint-name.js'
import { DeliveryDialog } from './delivery-dialog.js'
import type { ShownDelivery } from './shown.js'

const AGAIN_MS = 2_000

interface DeliveryListProps {
  deliveries: readonly ShownDelivery[]
  /** Called where one was sent again. */
  onReplay: () => void
  /** Called where the first attempt of one may have been made. */
  onWait: () => void
}

export function DeliveryList({ deliveries, onReplay, onWait }: DeliveryListProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const [openId, setOpenId] = useState<string>()
  const isWaiting = deliveries.some(
    ({ state, nextAttemptAt, attemptCount }) => state === 'PENDING' && (nextAttemptAt === null || attemptCount === 0),
  )
  useEffect(() => {
    if (!isWaiting) return undefined
    // The first attempt is a matter of seconds, and no event tells of it.
    const timer = setTimeout(onWait, AGAIN_MS)
    return () => clearTimeout(timer)
  }, [deliveries, isWaiting])
  const open = deliveries.find(({ id }) => id === openId)
  return (
    <>
      <DataTable<ShownDelivery>
        label={t.nav.webhooks}
        test="delivery-list"
        rows={deliveries}
        keyOf={({ id }) => id}
        columns={[
          { name: t.common.created, show: ({ createdAt }) => moment(createdAt, language) },
          { name: t.webhooks.event, show: ({ type }) => type },
          { name: t.common.status, show: ({ state }) => <StatusBadge status={state} text={t.webhooks.state[state]} /> },
          { name: t.webhooks.attempts, isAmount: true, show: ({ attemptCount }) => attemptCount },
          {
            name: t.webhooks.address,
            show: (delivery) => (
              <>
                <EndpointName of={delivery} />
                <span className="id">{delivery.url}</span>
              </>
            ),
          },
          buttonColumn(
            t.common.details,
            ({ type }) => type,
            'open-delivery',
            ({ id }) => setOpenId(id),
          ),
        ]}
      />
      {open && <DeliveryDialog delivery={open} onChange={onReplay} onClose={() => setOpenId(undefined)} />}
    </>
  )
}
