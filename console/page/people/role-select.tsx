import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PersonRole } from '../generated/operations.js'
import { useText } from '../messages/use-text.js'
import type { Messages } from '../messages/en.js'

const ROLES = ['OWNER', 'DEVELOPER', 'SUPPORT', 'VIEWER'] as const satisfies PersonRole[]

/** What a role is called. */
export function roleText(t: Messages, role: PersonRole): string {
  return t.roles[role.toLowerCase() as Lowercase<PersonRole>]
}

/** One of the roles, with what it may do. */
export function RoleSelect({ role, onChange }: { role: PersonRole; onChange: (role: PersonRole) => void }): ReactNode {
  const t = useText()
  return (
    <NativeSelect
      label={t.people.role}
      description={t.people.mayDo[role]}
      data-test="role"
      value={role}
      onChange={(event) => onChange(event.currentTarget.value as PersonRole)}
      data={ROLES.map((value) => ({ value, label: roleText(t, value) }))}
    />
  )
}
