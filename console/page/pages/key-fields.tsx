import { Checkbox, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { SCOPES } from '../generated/operations.js'
import { useText } from '../messages/use-text.js'
import type { KeyDraft } from './key-draft.js'

interface KeyFieldsProps {
  draft: KeyDraft
  onChange: (draft: KeyDraft) => void
}

/** What is chosen of a key. What a role may not give the server says. */
export function KeyFields({ draft, onChange }: KeyFieldsProps): ReactNode {
  const t = useText()
  const lives = ['30', '90', '365'].map((value) => ({ value, label: `${value} ${t.keys.days}` }))
  return (
    <>
      <TextInput
        label={t.common.name}
        description={t.keys.nameHint}
        required
        maxLength={100}
        data-autofocus
        data-test="key-name"
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
      />
      <Checkbox
        label={t.keys.mayAll}
        data-test="key-all"
        checked={draft.mayAll}
        onChange={(event) => onChange({ ...draft, mayAll: event.currentTarget.checked })}
      />
      {!draft.mayAll && (
        <Checkbox.Group
          label={t.keys.scopes}
          description={t.keys.scopesHint}
          value={draft.scopes}
          onChange={(scopes) => onChange({ ...draft, scopes })}
        >
          <SimpleGrid cols={2} spacing="xs" mt="xs">
            {SCOPES.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} data-test="key-scope" />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
      <NativeSelect
        label={t.keys.expires}
        data-test="key-life"
        value={draft.life}
        onChange={(event) => onChange({ ...draft, life: event.currentTarget.value })}
        data={[{ value: '', label: t.common.never }, ...lives]}
      />
    </>
  )
}
