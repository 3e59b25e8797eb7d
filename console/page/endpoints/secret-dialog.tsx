import { NativeSelect, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { refusalOf, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { FormDialog } from '../parts/form-dialog.js'
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
  const go = (): Promise<Refused | undefined> =>
    refusalOf(rotate(Number(hours)), (rotated) => setSecret(rotated.secret), onChange)
  if (secret !== undefined) return <MadeSecret secret={secret} onClose={onClose} />
  return (
    <FormDialog
      title={t.endpoints.newSecret}
      act={t.endpoints.newSecret}
      test="make-secret"
      onAct={go}
      onClose={onClose}
    >
      <Text size="sm">{t.endpoints.rotateLead}</Text>
      <NativeSelect
        label={t.endpoints.overlap}
        data-test="overlap"
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
        data={OVERLAPS_HOURS.map((value) => ({ value, label: t.endpoints.overlaps[value] }))}
      />
    </FormDialog>
  )
}
