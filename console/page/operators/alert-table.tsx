import type { ReactNode } from 'react'
import { alertWords } from '../messages/alert-words.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment } from '../parts/format.js'
import { Nothing } from '../parts/nothing.js'
import { RowButton } from '../parts/row-button.js'
import { DataTable } from '../parts/table.js'
import type { ShownAlert } from './shown.js'

interface AlertTableProps {
  alerts: readonly ShownAlert[]
  onClose: (alert: ShownAlert) => void
}

/** Alerts, each with what closed it or a way to close it. */
export function AlertTable({ alerts, onClose }: AlertTableProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { operators } = t
  const closing = [
    {
      name: operators.closedBy,
      show: ({ closedAt, closedBy }: ShownAlert) => (closedAt === null ? '' : (closedBy ?? operators.itself)),
    },
    { name: t.common.reason, show: ({ reason }: ShownAlert) => reason },
  ]
  return (
    <DataTable<ShownAlert>
      label={operators.nav.alerts}
      test="alerts"
      rows={alerts}
      keyOf={({ id }) => id}
      nothing={<Nothing text={operators.alerts.nothing} test="no-alerts" />}
      columns={[
        { name: operators.what, show: ({ kind }) => t.alertKinds[kind] },
        { name: t.common.about, show: ({ subject }) => <span className="id">{subject}</span> },
        {
          name: t.common.details,
          show: ({ details }) => details && <span className="wrap">{alertWords(details, language)}</span>,
        },
        { name: operators.count, isAmount: true, show: ({ count }) => count },
        { name: operators.since, show: ({ firstAt }) => moment(firstAt, language) },
        { name: operators.last, show: ({ lastAt }) => moment(lastAt, language) },
        {
          name: operators.closed,
          show: (alert) =>
            alert.closedAt === null ? (
              <RowButton
                text={t.common.close}
                of={`${t.alertKinds[alert.kind]} ${alert.subject}`}
                test="close-alert"
                onClick={() => onClose(alert)}
              />
            ) : (
              moment(alert.closedAt, language)
            ),
        },
        // Nobody has closed what is open: its row has no room to lose.
        ...(alerts.every(({ closedAt }) => closedAt === null) ? [] : closing),
      ]}
    />
  )
}
