import { Button, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { createApiKeyMutation } from '../generated/operations.js'
import { refusalOf, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { CopyField } from '../parts/copy-field.js'
import { Dialog } from '../parts/dialog.js'
import { FormDialog } from '../parts/form-dialog.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { EMPTY_KEY_DRAFT, keyInput, type KeyDraft } from './key-draft.js'
import { KeyFields } from './key-fields.js'

interface NewKeyDialogProps {
  onMade: () => void
  onClose: () => void
}

/** Makes a key and shows it, as long as the dialog is open: no other place has it. */
export function NewKeyDialog({ onMade, onClose }: NewKeyDialogProps): ReactNode {
  const t = useText()
  const [draft, setDraft] = useState<KeyDraft>(EMPTY_KEY_DRAFT)
  const [key, setKey] = useState<string>()
  const create = useProvenAct(createApiKeyMutation)
  const go = (): Promise<Refused | undefined> =>
    refusalOf(
      create({ input: keyInput(draft, new Date()) }),
      ({ data }) => setKey(data?.createApiKey?.createdApiKey?.key),
      onMade,
    )
  if (key !== undefined)
    return (
      <Dialog title={t.keys.made} onClose={onClose}>
        <Stack>
          <Text size="sm">{t.keys.madeLead}</Text>
          <CopyField label={t.keys.key} value={key} test="made-key" />
          <Button variant="default" onClick={onClose} data-test="key-kept">
            {t.keys.kept}
          </Button>
        </Stack>
      </Dialog>
    )
  return (
    <FormDialog
      title={t.keys.make}
      act={t.keys.make}
      test="make-key"
      isIncomplete={!draft.mayAll && draft.scopes.length === 0}
      onAct={go}
      onClose={onClose}
    >
      <KeyFields draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}
