import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
import { PASSKEY_NAME_MAX } from './shown.js'
import { useAddPasskey } from './use-add-passkey.js'

/** What to call the new passkey; the browser asks for the rest. */
export function AddDialog({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }): ReactNode {
  const t = useText()
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const add = useAddPasskey()
  const go = async (): Promise<void> => {
    setBusy(true)
    const why = await add(name.trim())
    setBusy(false)
    setRefused(why)
    if (!why) onAdded()
  }
  return (
    <Dialog title={t.passkeys.add} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <Stack>
          <Text size="sm">{t.passkeys.addLead}</Text>
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
          <Button type="submit" loading={isBusy} data-test="add-passkey-do">
            {t.passkeys.add}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
