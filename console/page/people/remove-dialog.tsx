import { useState, type ReactNode } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { RevokeKeys } from './revoke-keys.js'
import type { ShownPerson } from './shown.js'

interface RemoveDialogProps {
  person: ShownPerson
  /** @returns why it was not done */
  onRemove: (revokeKeys: boolean) => Promise<Refused | undefined>
  onClose: () => void
}

/** Takes a person out of the account, and ends the keys that the person made where one says so. */
export function RemoveDialog({ person, onRemove, onClose }: RemoveDialogProps): ReactNode {
  const t = useText()
  const [revokeKeys, setRevokeKeys] = useState(false)
  return (
    <Confirm
      title={`${t.common.remove}: ${person.email}`}
      lead={t.people.removeLead}
      act={t.common.remove}
      onAct={() => onRemove(revokeKeys)}
      onClose={onClose}
    >
      <RevokeKeys person={person} checked={revokeKeys} onChange={setRevokeKeys} />
    </Confirm>
  )
}
