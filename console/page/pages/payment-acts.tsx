import { Button, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import {
  acceptUnderpaymentMutation,
  cancelPaymentMutation,
  giveBackUnderpaymentMutation,
  refundPaymentMutation,
} from '../generated/operations.js'
import { refusalOf, useAct, type Acted } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { isNothing, money } from '../parts/format.js'
import { Said } from '../parts/said.js'
import { Terms } from '../parts/terms.js'
import { useMay } from '../session/allowed.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { GiveBackDialog } from './give-back-dialog.js'
import { RefundDialog } from './refund-dialog.js'
import type { ShownPayment } from './shown.js'

const ACTS = {
  cancel: { mutation: cancelPaymentMutation, test: 'cancel-payment', done: 'canceled' },
  refund: { mutation: refundPaymentMutation, test: 'refund-payment', done: 'refundMade' },
  accept: { mutation: acceptUnderpaymentMutation, test: 'accept-underpaid', done: 'accepted' },
  giveBack: { mutation: giveBackUnderpaymentMutation, test: 'give-back', done: 'givenBack' },
} as const
type Act = keyof typeof ACTS

/** What can be done about a payment where it stands: it is cancelled before it is paid, and refunded while anything of it is left. */
function actsFor({ status, refundableAmount, dataError }: ShownPayment): readonly Act[] {
  const isOpen = status === 'REGISTERED' || status === 'PENDING'
  return [
    ...(isOpen && refundableAmount === null ? (['cancel'] as const) : []),
    ...(refundableAmount !== null && !isNothing(refundableAmount) ? (['refund'] as const) : []),
    // What came and was too little is taken for the whole, or given back.
    ...(dataError?.reason === 'UNDERPAID' ? (['accept', 'giveBack'] as const) : []),
  ]
}

/** The acts on a payment, each after a question or with what it needs. */
export function PaymentActs({ payment, onDone }: { payment: ShownPayment; onDone: () => void }): ReactNode {
  const t = useText()
  const [said, setSaid] = useState<Act>()
  const may = useMay()
  const cancel = useAct(cancelPaymentMutation)
  const accept = useProvenAct(acceptUnderpaymentMutation)
  const { id } = payment
  const [open, setOpen] = useKeptDraft<Act | undefined>(`act ${id}`, () => undefined)
  const close = (): void => setOpen(undefined)
  const done = (): void => {
    close()
    setSaid(open)
    onDone()
  }
  return (
    <Group>
      <Said text={said && t.payment[ACTS[said].done]} />
      {actsFor(payment)
        .filter((act) => may(ACTS[act].mutation))
        .map((act) => (
          <Button key={act} variant="default" onClick={() => setOpen(act)} data-test={ACTS[act].test}>
            {t.payment[act]}
          </Button>
        ))}
      {(open === 'cancel' || open === 'accept') && (
        <Confirm
          title={t.payment[open]}
          lead={t.payment[`${open}Lead`]}
          act={t.payment[open]}
          onAct={() => refusalOf<Acted<object>>((open === 'cancel' ? cancel : accept)({ id }), done)}
          onClose={close}
        >
          {open === 'accept' && <WhatCame payment={payment} />}
        </Confirm>
      )}
      {open === 'refund' && <RefundDialog payment={payment} onDone={done} onClose={close} />}
      {open === 'giveBack' && (
        <GiveBackDialog paymentId={id} onDone={done} onClose={close}>
          <WhatCame payment={payment} />
        </GiveBackDialog>
      )}
    </Group>
  )
}

/** How much came, and how much was asked for. */
function WhatCame({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { receivedAmount, amountTo, toCurrencySymbol } = payment
  return (
    <Terms
      of={[
        [t.payment.received, money(receivedAmount, toCurrencySymbol, language)],
        [t.payment.asked, amountTo && money(amountTo, toCurrencySymbol, language)],
      ]}
    />
  )
}
