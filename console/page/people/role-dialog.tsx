import { Checkbox } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { PersonRole } from '../generated/operations.js'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { FormDialog } from '../parts/form-dialog.js'
import { RoleSelect } from './role-select.js'
import type { ShownPerson } from './shown.js'

interface RoleDialogProps {
  person: ShownPerson
  /** @returns why it was not done */
  onChoose: (role: PersonRole, revokeKeys: boolean) => Promise<Refused | undefined>
  onClose: () => void
}

/** Gives a person another role, and ends the keys that the person made where one says so: shops may run on them. */
export function RoleDialog({ person, onChoose, onClose }: RoleDialogProps): ReactNode {
  const t = useText()
  const [role, setRole] = useState<PersonRole>(person.role)
  const [revokeKeys, setRevokeKeys] = useState(false)
  return (
    <FormDialog
      title={`${t.people.changeRole}: ${person.email}`}
      act={t.people.changeRole}
      test="role-do"
      onAct={() => onChoose(role, revokeKeys)}
      onClose={onClose}
    >
      <RoleSelect role={role} onChange={setRole} />
      {person.apiKeyCount > 0 && (
        <Checkbox
          label={`${t.people.revokeKeys} (${person.apiKeyCount})`}
          checked={revokeKeys}
          onChange={({ currentTarget }) => setRevokeKeys(currentTarget.checked)}
          data-test="role-keys"
        />
      )}
    </FormDialog>
  )
}
