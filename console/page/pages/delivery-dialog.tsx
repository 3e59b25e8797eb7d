import { Alert, Button, Stack } from '@mantine/core'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { EndpointName } from '../endpoints/endpoint-name.js'
import { deliveryQuery, replayDeliveryMutation, type DeliveryResult } from '../generated/operations.js'
import { useAct, useGraph, type Refused } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment } from '../parts/format.js'
import { Dialog } from '../parts/dialog.js'
import { Loading } from '../parts/loading.js'
import { Refusal } from '../parts/refusal.js'
import { DataTable } from '../parts/table.js'
import { Terms } from '../parts/terms.js'
import { Allowed } from '../session/allowed.js'
import type { ShownDelivery } from './shown.js'

interface DeliveryDialogProps {
  delivery: ShownDelivery
  onChange: () => void
  onClose: () => void
}

/** What was sent, and what each attempt was answered: asked for here alone, for both are long. */
export function DeliveryDialog({ delivery, onChange, onClose }: DeliveryDialogProps): ReactNode {
  const t = useText()
  const { id, state, attemptCount, nextAttemptAt } = delivery
  const [refused, setRefused] = useState<Refused>()
  const [isReplayed, setReplayed] = useState(false)
  const { data, isLoading, error, again, quietly } = useGraph(deliveryQuery, { id })
  const replay = useAct(replayDeliveryMutation)
  const go = async (): Promise<void> => {
    const acted = await replay({ id })
    setRefused(acted.refused)
    setReplayed(!acted.refused)
    onChange()
  }
  const stands = [state, attemptCount, nextAttemptAt].join(' ')
  const [shown, setShown] = useState(stands)
  const more = useEffectEvent(quietly)
  useEffect(() => {
    if (stands !== shown) more()
    setShown(stands)
  }, [stands])
  return (
    <Dialog title={delivery.type} onClose={onClose} size="lg">
      <Stack data-test="delivery">
        <Facts delivery={delivery} />
        <Loading isLoading={isLoading} error={error} again={again} />
        {data?.webhookDelivery && <Sent sent={data.webhookDelivery} />}
        <Refusal refused={refused} />
        {isReplayed && (
          <Alert role="status" color="green" variant="outline" data-test="said">
            {t.webhooks.replayed}
          </Alert>
        )}
        <Allowed act={replayDeliveryMutation}>
          <Button variant="default" onClick={() => void go()} data-test="replay">
            {t.webhooks.replay}
          </Button>
        </Allowed>
      </Stack>
    </Dialog>
  )
}

/** Each attempt with its answer, and the body. */
function Sent({ sent: { attempts, body } }: { sent: NonNullable<DeliveryResult['webhookDelivery']> }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  return (
    <>
      <DataTable
        label={t.webhooks.attempts}
        test="attempts"
        rows={attempts}
        keyOf={({ number }) => String(number)}
        columns={[
          { name: '#', show: ({ number }) => number },
          { name: t.statement.when, show: ({ attemptedAt }) => moment(attemptedAt, language) },
          {
            name: t.webhooks.answer,
            show: ({ httpStatus, failure, responseBody }) => (
              <>
                {httpStatus ?? (failure ? t.webhooks.failure[failure] : '–')}
                {responseBody !== null && (
                  <pre className="answer" tabIndex={0} role="region" aria-label={t.webhooks.answer} data-test="answer">
                    {responseBody}
                  </pre>
                )}
              </>
            ),
          },
          { name: 'ms', isAmount: true, show: ({ durationMs }) => durationMs },
        ]}
      />
      <pre className="json" tabIndex={0} role="region" aria-label={t.webhooks.body}>
        {JSON.stringify(body, null, 2)}
      </pre>
    </>
  )
}

/** What a delivery is, and where it goes. */
function Facts({ delivery }: { delivery: ShownDelivery }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { id, url, resourceId, nextAttemptAt, endpointId, endedBecause } = delivery
  return (
    <Terms
      of={[
        ['Id', <span className="id">{id}</span>],
        [t.webhooks.address, url],
        [t.moreEndpoints.endpoint, endpointId === null ? t.moreEndpoints.contract : <EndpointName of={delivery} />],
        [t.moreEndpoints.ended, endedBecause && t.moreEndpoints.ends[endedBecause]],
        [t.common.about, <span className="id">{resourceId}</span>],
        [t.webhooks.nextAttempt, nextAttemptAt && moment(nextAttemptAt, language)],
      ]}
    />
  )
}
