import { Button, Stack, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { renamePasskeyMutation } from '../generated/operations.js'
import { useAct, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
import { PASSKEY_NAME_MAX, type ShownPasskey } from './shown.js'

interface RenameDialogProps {
  passkey: ShownPasskey
  onRenamed: () => void
  onClose: () => void
}

/** What to call a passkey from now on. */
export function RenameDialog({ passkey, onRenamed, onClose }: RenameDialogProps): ReactNode {
  const t = useText()
  const [name, setName] = useState(passkey.name)
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const rename = useAct(renamePasskeyMutation)
  const go = async (): Promise<void> => {
    setBusy(true)
    const { refused: why } = await rename({ id: passkey.id, name })
    setBusy(false)
    setRefused(why)
    if (!why) onRenamed()
  }
  return (
    <Dialog title={`${t.passkeys.rename}: ${passkey.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <Stack>
          <TextInput
            label={t.passkeys.name}
            description={t.passkeys.nameHint}
            required
            maxLength={PASSKEY_NAME_MAX}
            data-autofocus
            data-test="passkey-new-name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Refusal refused={refused} />
          <Button type="submit" loading={isBusy} data-test="rename-passkey-do">
            {t.passkeys.rename}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
