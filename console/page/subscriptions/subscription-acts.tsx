import { Button, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import {
  cancelSubscriptionMutation,
  pauseSubscriptionMutation,
  resumeSubscriptionMutation,
} from '../generated/operations.js'
import { refusalOf, type Acted } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { Said } from '../parts/said.js'
import { useMay } from '../session/allowed.js'
import { useProvenAct } from '../session/use-proven-act.js'
import type { ShownSubscription } from './shown.js'

interface SubscriptionActsProps {
  subscription: ShownSubscription
  onDone: () => void
}

type Act = 'pause' | 'resume' | 'cancel'

const MUTATION = {
  pause: pauseSubscriptionMutation,
  resume: resumeSubscriptionMutation,
  cancel: cancelSubscriptionMutation,
} as const
const DONE = { pause: 'paused', resume: 'resumed', cancel: 'canceled' } as const
const LEAD = { pause: 'pauseLead', resume: 'resumeLead', cancel: 'cancelLead' } as const

/** Pauses, resumes or ends a subscription, each after a question; nothing where it has ended. */
export function SubscriptionActs({ subscription: { id, status }, onDone }: SubscriptionActsProps): ReactNode {
  const texts = useText().subscriptions
  const [asked, setAsked] = useState<Act>()
  const [done, setDone] = useState<Act>()
  const acts = {
    pause: useProvenAct(MUTATION.pause),
    resume: useProvenAct(MUTATION.resume),
    cancel: useProvenAct(MUTATION.cancel),
  }
  const close = (): void => setAsked(undefined)
  const may = useMay()
  const possible: readonly Act[] = status === 'CANCELED' ? [] : [status === 'PAUSED' ? 'resume' : 'pause', 'cancel']
  const offered = possible.filter((act) => may(MUTATION[act]))
  return (
    <Group>
      <Said text={done && texts[DONE[done]]} />
      {offered.map((act) => (
        <Button key={act} variant="default" onClick={() => setAsked(act)} data-test={`${act}-subscription`}>
          {texts[act]}
        </Button>
      ))}
      {asked && (
        <Confirm
          title={texts[asked]}
          lead={texts[LEAD[asked]]}
          act={texts[asked]}
          onAct={() => refusalOf<Acted<object>>(acts[asked]({ id }), close, () => setDone(asked), onDone)}
          onClose={close}
        />
      )}
    </Group>
  )
}
