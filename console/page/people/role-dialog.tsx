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
  onChoose: (role: PersonRole) => Promise<Refused | undefined>
  onClose: () => void
}

/** Gives a person another role. */
export function RoleDialog({ person, onChoose, onClose }: RoleDialogProps): ReactNode {
  const t = useText()
  const [role, setRole] = useState<PersonRole>(person.role)
  return (
    <FormDialog
      title={`${t.people.changeRole}: ${person.email}`}
      act={t.people.changeRole}
      test="role-do"
      onAct={() => onChoose(role)}
      onClose={onClose}
    >
      <RoleSelect role={role} onChange={setRole} />
    </FormDialog>
  )
}
