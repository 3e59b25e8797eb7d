import { Button, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { cancelSubscriptionMutation } from '../generated/operations.js'
import { useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { Said } from '../parts/said.js'
import { useProvenAct } from '../session/use-proven-act.js'
import type { ShownSubscription } from './shown.js'

interface CancelSubscriptionProps {
  subscription: ShownSubscription
  onDone: () => void
}

/** Ends a subscription after a question; nothing where it has ended. */
export function CancelSubscription({ subscription, onDone }: CancelSubscriptionProps): ReactNode {
  const texts = useText().subscriptions
  const [isAsking, setAsking] = useState(false)
  const [isDone, setDone] = useState(false)
  const cancel = useProvenAct(cancelSubscriptionMutation)
  return (
    <Group>
      <Said text={isDone ? texts.canceled : undefined} />
      {subscription.status !== 'CANCELED' && (
        <Button variant="default" onClick={() => setAsking(true)} data-test="cancel-subscription">
          {texts.cancel}
        </Button>
      )}
      {isAsking && (
        <Confirm
          title={texts.cancel}
          lead={texts.cancelLead}
          act={texts.cancel}
          onAct={async () => {
            const { refused } = await cancel({ id: subscription.id })
            if (refused) return refused
            setAsking(false)
            setDone(true)
            onDone()
            return undefined
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Group>
  )
}
