import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { acceptUnderpaymentMutation, giveBackUnderpaymentMutation } from '../generated/operations.js'
import { refusalOf } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { Allowed } from '../session/allowed.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { GiveBackDialog } from './give-back-dialog.js'

interface UnderpaidActsProps {
  paymentId: string
  onDone: (said: string) => void
}

/** What can be done with money that came and was too little: take it for the whole, or give it back. */
export function UnderpaidActs({ paymentId, onDone }: UnderpaidActsProps): ReactNode {
  const t = useText()
  const [open, setOpen] = useState<'accept' | 'give-back'>()
  const accept = useProvenAct(acceptUnderpaymentMutation)
  const close = (): void => setOpen(undefined)
  const done = (said: string): void => {
    close()
    onDone(said)
  }
  return (
    <>
      <Allowed act={acceptUnderpaymentMutation}>
        <Button variant="default" onClick={() => setOpen('accept')} data-test="accept-underpaid">
          {t.payment.accept}
        </Button>
      </Allowed>
      <Allowed act={giveBackUnderpaymentMutation}>
        <Button variant="default" onClick={() => setOpen('give-back')} data-test="give-back">
          {t.payment.giveBack}
        </Button>
      </Allowed>
      {open === 'accept' && (
        <Confirm
          title={t.payment.accept}
          lead={t.payment.acceptLead}
          act={t.payment.accept}
          onAct={() => refusalOf(accept({ id: paymentId }), () => done(t.payment.accepted))}
          onClose={close}
        />
      )}
      {open === 'give-back' && (
        <GiveBackDialog paymentId={paymentId} onDone={() => done(t.payment.givenBack)} onClose={close} />
      )}
    </>
  )
}
