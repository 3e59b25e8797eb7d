import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
import { MadeSecret } from './made-secret.js'

const OVERLAPS_HOURS = ['24', '72', '168', '0'] as const

/** What came of a rotation. */
export interface Rotated {
  secret?: string | undefined
  refused?: Refused | undefined
}

interface SecretDialogProps {
  rotate: (overlapHours: number) => Promise<Rotated>
  onChange: () => void
  onClose: () => void
}

/** Makes another secret, of an integration or an endpoint, and shows it this once. */
export function SecretDialog({ rotate, onChange, onClose }: SecretDialogProps): ReactNode {
  const t = useText()
  const [hours, setHours] = useState<string>(OVERLAPS_HOURS[0])
  const [secret, setSecret] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const go = async (): Promise<void> => {
    setBusy(true)
    const rotated = await rotate(Number(hours))
    setBusy(false)
    setRefused(rotated.refused)
    setSecret(rotated.secret)
    if (!rotated.refused) onChange()
  }
  if (secret !== undefined) return <MadeSecret secret={secret} onClose={onClose} />
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
