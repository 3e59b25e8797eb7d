import { Button, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { cancelPaymentMutation, refundPaymentMutation } from '../generated/operations.js'
import { refusalOf, useAct } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { Said } from '../parts/said.js'
import { useMay } from '../session/allowed.js'
import type { ShownPayment } from './shown.js'
import { RefundDialog } from './refund-dialog.js'
import { UnderpaidActs } from './underpaid-acts.js'

/** What can be done about a payment where it stands: cancelled before it is paid, refunded after. */
export function PaymentActs({ payment, onDone }: { payment: ShownPayment; onDone: () => void }): ReactNode {
  const t = useText()
  const [open, setOpen] = useState<'cancel' | 'refund'>()
  const [said, setSaid] = useState<string>()
  const may = useMay()
  const cancel = useAct(cancelPaymentMutation)
  const isOpen = payment.status === 'REGISTERED' || payment.status === 'PENDING'
  const done = (text: string): void => {
    setOpen(undefined)
    setSaid(text)
    onDone()
  }
  return (
    <Group>
      <Said text={said} />
      {isOpen && may(cancelPaymentMutation) && (
        <Button variant="default" onClick={() => setOpen('cancel')} data-test="cancel-payment">
          {t.payment.cancel}
        </Button>
      )}
      {payment.status === 'SUCCESS' && payment.transactionType !== 'CRYPTO' && may(refundPaymentMutation) && (
        <Button variant="default" onClick={() => setOpen('refund')} data-test="refund-payment">
          {t.payment.refund}
        </Button>
      )}
      {payment.dataError?.reason === 'UNDERPAID' && <UnderpaidActs paymentId={payment.id} onDone={done} />}
      {open === 'cancel' && (
        <Confirm
          title={t.payment.cancel}
          lead={t.payment.cancelLead}
          act={t.payment.cancel}
          onAct={() => refusalOf(cancel({ id: payment.id }), () => done(t.payment.canceled))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'refund' && (
        <RefundDialog payment={payment} onDone={() => done(t.payment.refundMade)} onClose={() => setOpen(undefined)} />
      )}
    </Group>
  )
}
