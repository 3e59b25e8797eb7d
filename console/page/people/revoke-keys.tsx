import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import type { ShownPerson } from './shown.js'

interface RevokeKeysProps {
  person: ShownPerson
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Asks whether the keys that a person made are to end too, where there are any: shops may run on them. */
export function RevokeKeys({ person: { apiKeyCount }, checked, onChange }: RevokeKeysProps): ReactNode {
  const t = useText()
  if (apiKeyCount === 0) return null
  return (
    <Checkbox
      label={`${t.people.revokeKeys} (${apiKeyCount})`}
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      data-test="revoke-keys"
    />
  )
}
