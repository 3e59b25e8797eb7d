import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { OwnRows } from '../graph/asking.js'
import { useText } from '../messages/use-text.js'
import { PageTitle } from '../parts/page-title.js'
import { Disputes } from './disputes.js'
import { PaymentReturns } from './payment-returns.js'
import { Refunds } from './refunds.js'

/** What went back to payers: by order, without one, and what was never taken. */
export function RefundsPage(): ReactNode {
  const t = useText()
  return (
    <Stack>
      <PageTitle title={t.nav.refunds} lead={t.refunds.lead} />
      <OwnRows>
        <Disputes />
      </OwnRows>
      <OwnRows>
        <Refunds />
      </OwnRows>
      <OwnRows>
        <PaymentReturns />
      </OwnRows>
    </Stack>
  )
}
