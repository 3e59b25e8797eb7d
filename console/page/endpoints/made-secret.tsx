import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { CopyField } from '../parts/copy-field.js'
import { Dialog } from '../parts/dialog.js'

/** Shows a secret that was just made, as long as the dialog is open: no other place has it. */
export function MadeSecret({ secret, onClose }: { secret: string; onClose: () => void }): ReactNode {
  const t = useText()
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
}
