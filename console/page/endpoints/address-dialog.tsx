import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { setWebhookAddressMutation } from '../generated/operations.js'
import { refusalOf, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { FormDialog } from '../parts/form-dialog.js'
import { useKeptDraft } from '../session/kept-drafts.js'
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
  const [typed, setTyped] = useKeptDraft(`address ${publicClientId}`, () => webhookUrl ?? '')
  const set = useProvenAct(setWebhookAddressMutation)
  const save = (): Promise<Refused | undefined> =>
    refusalOf(set({ publicClientId, url: typed.trim() || null }), onChange, onClose)
  return (
    <FormDialog title={t.endpoints.change} act={t.common.save} test="save-address" onAct={save} onClose={onClose}>
      <TextInput
        label={t.webhooks.address}
        description={t.endpoints.addressHint}
        placeholder="https://shop.example/webhooks"
        inputMode="url"
        data-test="address"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
