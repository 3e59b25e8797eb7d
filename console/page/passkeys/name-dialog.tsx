import { Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { FormDialog } from '../parts/form-dialog.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { PASSKEY_NAME_MAX } from './shown.js'

interface NameDialogProps {
  title: string
  lead?: string
  /** What it is called now. */
  name?: string
  /** What the button says. */
  act: string
  /** @returns why the name is not taken */
  onName: (name: string) => Promise<Refused | undefined>
  onClose: () => void
}

/** What to call a passkey. */
export function NameDialog({ lead, name: before = '', onName, ...dialog }: NameDialogProps): ReactNode {
  const t = useText()
  const [name, setName] = useKeptDraft(`passkey name ${before}`, () => before)
  return (
    <FormDialog {...dialog} test="passkey-name-do" onAct={() => onName(name.trim())}>
      {lead !== undefined && <Text size="sm">{lead}</Text>}
      <TextInput
        label={t.common.name}
        description={t.passkeys.nameHint}
        required
        maxLength={PASSKEY_NAME_MAX}
        data-autofocus
        data-test="passkey-name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
