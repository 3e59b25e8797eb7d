import { useState, type ReactNode } from 'react'
import type { PersonRole } from '../generated/operations.js'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { FormDialog } from '../parts/form-dialog.js'
import { RevokeKeys } from './revoke-keys.js'
import { RoleSelect } from './role-select.js'
import type { ShownPerson } from './shown.js'

interface RoleDialogProps {
  person: ShownPerson
  /** @returns why it was not done */
  onChoose: (role: PersonRole, revokeKeys: boolean) => Promise<Refused | undefined>
  onClose: () => void
}

/** Gives a person another role, and ends the keys that the person made where one says so. */
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
      <RevokeKeys person={person} checked={revokeKeys} onChange={setRevokeKeys} />
    </FormDialog>
  )
}
