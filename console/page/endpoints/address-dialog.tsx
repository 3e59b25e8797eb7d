import { Button, Stack, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { setWebhookAddressMutation } from '../generated/operations.js'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
import { useProvenAct } from '../session/use-proven-act.js'
import type { ShownEndpoint } from './shown.js'

interface AddressDialogProps {
  endpoint: ShownEndpoint
  onChange: () => void
  onClose: () => void
}

/** Says where events go. What an address has to be the server says. */
export function AddressDialog({ endpoint, onChange, onClose }: AddressDialogProps): ReactNode {
  const t = useText()
  const { publicClientId, webhookUrl } = endpoint
  const [typed, setTyped] = useState(webhookUrl ?? '')
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const set = useProvenAct(setWebhookAddressMutation)
  const save = async (): Promise<void> => {
    setBusy(true)
    const url = typed.trim()
    const acted = await set({ publicClientId, url: url === '' ? null : url })
    setBusy(false)
    setRefused(acted.refused)
    if (acted.refused) return
    onChange()
    onClose()
  }
  return (
    <Dialog title={t.endpoints.change} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack>
          <TextInput
            label={t.webhooks.address}
            description={t.endpoints.addressHint}
            placeholder="https://shop.example/webhooks"
            inputMode="url"
            data-test="address"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Refusal refused={refused} />
          <Button type="submit" loading={isBusy} data-test="save-address">
            {t.endpoints.save}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
