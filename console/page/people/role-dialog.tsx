import { Button, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { PersonRole } from '../generated/operations.js'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
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
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const go = async (): Promise<void> => {
    setBusy(true)
    setRefused(await onChoose(role))
    setBusy(false)
  }
  return (
    <Dialog title={`${t.people.changeRole}: ${person.email}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <Stack>
          <RoleSelect role={role} onChange={setRole} />
          <Refusal refused={refused} />
          <Button type="submit" loading={isBusy} data-test="role-do">
            {t.people.changeRole}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
