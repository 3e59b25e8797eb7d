import { Button, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { createApiKeyMutation } from '../generated/operations.js'
import { useAct, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { CopyField } from '../parts/copy-field.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
import { useProof } from '../session/proof.js'
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
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const create = useAct(createApiKeyMutation)
  const withProof = useProof()
  const go = async (): Promise<void> => {
    setBusy(true)
    const acted = await withProof(() => create({ input: keyInput(draft, new Date()) }))
    setBusy(false)
    setRefused(acted.refused)
    setKey(acted.data?.createApiKey?.createdApiKey?.key)
    if (!acted.refused) onMade()
  }
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
    <Dialog title={t.keys.make} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <Stack>
          <KeyFields draft={draft} onChange={setDraft} />
          <Refusal refused={refused} />
          <Button
            type="submit"
            loading={isBusy}
            disabled={!draft.mayAll && draft.scopes.length === 0}
            data-test="make-key"
          >
            {t.keys.make}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
