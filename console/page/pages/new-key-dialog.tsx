import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { createApiKeyMutation } from '../generated/operations.js'
import { refusalOf, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { CopyField } from '../parts/copy-field.js'
import { Dialog } from '../parts/dialog.js'
import { FormDialog } from '../parts/form-dialog.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { EMPTY_KEY_DRAFT, keyInput, type KeyDraft } from './key-draft.js'
import { KeyFields } from './key-fields.js'

interface NewKeyDialogProps {
  /** Called with the key, which no other place has. */
  onMade: (key: string | undefined) => void
  onClose: () => void
}

/** Makes a key. */
export function NewKeyDialog({ onMade, onClose }: NewKeyDialogProps): ReactNode {
  const t = useText()
  const [draft, setDraft] = useKeptDraft<KeyDraft>('key', () => EMPTY_KEY_DRAFT)
  const create = useProvenAct(createApiKeyMutation)
  const go = (): Promise<Refused | undefined> =>
    refusalOf(create({ input: keyInput(draft, new Date()) }), ({ data }) =>
      onMade(data?.createApiKey?.createdApiKey?.key),
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

/** Shows a key that was just made, as long as the dialog is open. */
export function MadeKey({ value, onClose }: { value: string; onClose: () => void }): ReactNode {
  const { keys } = useText()
  return (
    <Dialog title={keys.made} onClose={onClose}>
      <Stack>
        <Text size="sm">{keys.madeLead}</Text>
        <CopyField label={keys.key} value={value} test="made-key" />
        <Button variant="default" onClick={onClose} data-test="key-kept">
          {keys.kept}
        </Button>
      </Stack>
    </Dialog>
  )
}
