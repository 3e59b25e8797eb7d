import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { createWebhookEndpointMutation, EVENT_TYPES, updateWebhookEndpointMutation } from '../generated/operations.js'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { FormDialog } from '../parts/form-dialog.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { draftOf, endpointInput, type EndpointDraft } from './endpoint-draft.js'
import type { RegisteredEndpoint } from './shown.js'

interface EndpointDialogProps {
  /** The one to change; undefined to add one. */
  endpoint: RegisteredEndpoint | undefined
  onChange: () => void
  /** Called with the secret of one that was added, which no other place has. */
  onMade: (secret: string) => void
  onClose: () => void
}

/** Adds an endpoint, or changes one. What an address has to be the server says. */
export function EndpointDialog({ endpoint, onChange, onMade, onClose }: EndpointDialogProps): ReactNode {
  const t = useText()
  const [draft, setDraft] = useKeptDraft(`endpoint ${endpoint?.id}`, () => draftOf(endpoint))
  const create = useProvenAct(createWebhookEndpointMutation)
  const update = useProvenAct(updateWebhookEndpointMutation)
  const save = async (): Promise<Refused | undefined> => {
    const input = endpointInput(draft)
    const created = endpoint ? undefined : await create({ input })
    const acted = endpoint ? await update({ id: endpoint.id, input }) : created
    if (!acted || acted.refused) return acted?.refused
    onChange()
    onClose()
    const secret = created?.data?.createWebhookEndpoint?.createdWebhookEndpoint?.secret
    if (secret !== undefined) onMade(secret)
    return undefined
  }
  return (
    <FormDialog
      title={endpoint ? t.moreEndpoints.change : t.moreEndpoints.add}
      act={t.common.save}
      test="save-endpoint"
      size="lg"
      isIncomplete={!draft.getsAll && draft.events.length === 0}
      onAct={save}
      onClose={onClose}
    >
      <Fields draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}

interface FieldsProps {
  draft: EndpointDraft
  onChange: (draft: EndpointDraft) => void
}

function Fields({ draft, onChange }: FieldsProps): ReactNode {
  const t = useText()
  return (
    <>
      <TextInput
        label={t.webhooks.address}
        description={t.moreEndpoints.addressHint}
        placeholder="https://books.example/webhooks"
        inputMode="url"
        required
        data-autofocus
        data-test="endpoint-address"
        value={draft.url}
        onChange={(event) => onChange({ ...draft, url: event.currentTarget.value })}
      />
      <TextInput
        label={t.moreEndpoints.description}
        maxLength={200}
        data-test="endpoint-description"
        value={draft.description}
        onChange={(event) => onChange({ ...draft, description: event.currentTarget.value })}
      />
      <Checkbox
        label={t.moreEndpoints.all}
        data-test="endpoint-all"
        checked={draft.getsAll}
        onChange={(event) => onChange({ ...draft, getsAll: event.currentTarget.checked })}
      />
      {!draft.getsAll && (
        <Checkbox.Group
          label={t.moreEndpoints.chosen}
          value={draft.events}
          onChange={(events) => onChange({ ...draft, events })}
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
            {EVENT_TYPES.map((type) => (
              <Checkbox key={type} value={type} label={type} data-test="endpoint-event" />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </>
  )
}
