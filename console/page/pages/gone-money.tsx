import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { sumOf } from '../parts/decimals.js'
import { isNothing, money, moment, spoken } from '../parts/format.js'
import { StatusBadge } from '../parts/status-badge.js'
import { DataTable, type Column } from '../parts/table.js'
import { ReturnedMoney } from './returned.js'
import type { ShownPayment } from './shown.js'

/** What of a payment's money its payer has again, or may get: by refunds, by disputes, and what was never taken. */
export function GoneMoney({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const { refunds, disputes, returns } = payment
  // That nothing was refunded is not said beside money that went back otherwise, nor where that is not known.
  const isAllThere = [refunds, disputes, returns].every((list) => list?.length === 0)
  return (
    <>
      {isAllThere && <Text size="sm">{t.payment.noRefunds}</Text>}
      <Disputes payment={payment} />
      <Refunds payment={payment} />
      <GoneInAll payment={payment} />
      <ReturnedMoney payment={payment} />
    </>
  )
}

function Refunds({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { refunds, refundedAmount, refundedCurrency } = payment
  const columns = useGoneColumns<NonNullable<typeof refunds>[number]>(
    ({ status }) => <StatusBadge status={status} text={t.refundStatus[status]} />,
    ({ reason, isMadeAtProvider }) =>
      isMadeAtProvider ? t.refunds.elsewhere : reason ? t.reasons[reason] : t.refunds.unsaid,
  )
  if (!refunds || refunds.length === 0) return null
  return (
    <Stack gap="xs" data-test="refunds">
      {refundedCurrency && (
        <Text fw={600}>
          {t.payment.refunded}: {money(refundedAmount, refundedCurrency, language)}
        </Text>
      )}
      <DataTable label={t.payment.refunds} rows={refunds} keyOf={({ id }) => id} columns={columns} />
    </Stack>
  )
}

function Disputes({ payment: { disputes } }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const columns = useGoneColumns<NonNullable<typeof disputes>[number]>(
    ({ status }) => <StatusBadge status={status} text={t.refunds.states[status]} />,
    ({ reason }) => spoken(reason, t.words),
  )
  if (!disputes || disputes.length === 0) return null
  return (
    <Stack gap="xs" data-test="disputes">
      <Text fw={600}>{t.refunds.disputes}</Text>
      <DataTable label={t.refunds.disputes} rows={disputes} keyOf={({ id }) => id} columns={columns} />
    </Stack>
  )
}

/** The sum of both, where there are both or disputes alone: beside refunds alone it would be the same figure again. */
function GoneInAll({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { disputes, refundedAmount, refundedCurrency } = payment
  const taken = disputes?.filter(({ status }) => status === 'TAKEN_BACK') ?? []
  const currency = refundedCurrency ?? taken[0]?.currency
  if (!currency || taken.length === 0) return null
  const gone = sumOf([refundedAmount, ...taken.map(({ amount }) => amount)])
  return (
    !isNothing(gone) && (
      <Text fw={600} data-test="gone">
        {t.payment.gone}: {money(gone, currency, language)}
      </Text>
    )
  )
}

type Gone = NonNullable<ShownPayment['refunds' | 'disputes']>[number]

function useGoneColumns<Row extends Pick<Gone, 'createdAt' | 'amount' | 'currency'>>(
  status: (row: Row) => ReactNode,
  reason: (row: Row) => ReactNode,
): readonly Column<Row>[] {
  const t = useText()
  const { language } = useLanguage()
  return [
    { name: t.common.created, show: ({ createdAt }) => moment(createdAt, language) },
    { name: t.common.amount, isAmount: true, show: ({ amount, currency }) => money(amount, currency, language) },
    { name: t.common.status, show: status },
    { name: t.common.reason, show: reason },
  ]
}
