import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
import { PASSKEY_NAME_MAX } from './shown.js'

interface NameDialogProps {
  title: string
  lead?: string
  /** What it is called now. */
  name?: string
  /** What the button says. */
  act: string
  /** Answers why the name is not taken; undefined where it is. */
  onName: (name: string) => Promise<Refused | undefined>
  onClose: () => void
}

/** What to call a passkey. */
export function NameDialog({ title, lead, name: before = '', act, onName, onClose }: NameDialogProps): ReactNode {
  const t = useText()
  const [name, setName] = useState(before)
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const go = async (): Promise<void> => {
    setBusy(true)
    const why = await onName(name.trim())
    // Where the name is taken, this dialog is gone.
    if (!why) return
    setBusy(false)
    setRefused(why)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <Stack>
          {lead !== undefined && <Text size="sm">{lead}</Text>}
          <TextInput
            label={t.passkeys.name}
            description={t.passkeys.nameHint}
            required
            maxLength={PASSKEY_NAME_MAX}
            data-autofocus
            data-test="passkey-name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Refusal refused={refused} />
          <Button type="submit" loading={isBusy} data-test="passkey-name-do">
            {act}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
