import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { rotateWebhookSecretMutation } from '../generated/operations.js'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { CopyField } from '../parts/copy-field.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
import { useProvenAct } from '../session/use-proven-act.js'
import type { ShownEndpoint } from './shown.js'

const OVERLAPS_HOURS = ['24', '72', '168', '0'] as const

interface SecretDialogProps {
  endpoint: ShownEndpoint
  onChange: () => void
  onClose: () => void
}

/** Makes another secret and shows it, as long as the dialog is open: no other place has it. */
export function SecretDialog({ endpoint, onChange, onClose }: SecretDialogProps): ReactNode {
  const t = useText()
  const [hours, setHours] = useState<string>(OVERLAPS_HOURS[0])
  const [secret, setSecret] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const rotate = useProvenAct(rotateWebhookSecretMutation)
  const go = async (): Promise<void> => {
    setBusy(true)
    const acted = await rotate({ publicClientId: endpoint.publicClientId, overlapHours: Number(hours) })
    setBusy(false)
    setRefused(acted.refused)
    setSecret(acted.data?.rotateWebhookSecret?.rotatedWebhookSecret?.secret)
    if (!acted.refused) onChange()
  }
  if (secret !== undefined)
    return (
      <Dialog title={t.endpoints.secretMade} onClose={onClose}>
        <Stack>
          <Text size="sm">{t.endpoints.secretLead}</Text>
          <CopyField label={t.endpoints.secret} value={secret} test="made-secret" />
          <Button variant="default" onClick={onClose} data-test="secret-kept">
            {t.keys.kept}
          </Button>
        </Stack>
      </Dialog>
    )
  return (
    <Dialog title={t.endpoints.newSecret} onClose={onClose}>
      <Stack>
        <Text size="sm">{t.endpoints.rotateLead}</Text>
        <NativeSelect
          label={t.endpoints.overlap}
          data-test="overlap"
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
          data={OVERLAPS_HOURS.map((value) => ({ value, label: t.endpoints.overlaps[value] }))}
        />
        <Refusal refused={refused} />
        <Button loading={isBusy} onClick={() => void go()} data-test="make-secret">
          {t.endpoints.newSecret}
        </Button>
      </Stack>
    </Dialog>
  )
}
