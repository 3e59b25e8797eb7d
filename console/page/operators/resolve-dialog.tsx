import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { resolveDifferenceMutation, type MoneyOwner } from '../generated/operations.js'
import { refusalOf } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { ReasonDialog } from './reason-dialog.js'
import type { ShownDifference } from './shown.js'

interface ResolveDialogProps {
  difference: ShownDifference
  onDone: () => void
  onClose: () => void
}

/** Closes a difference, and says whose its money is. Where it has any the server knows, and refuses what does not fit. */
export function ResolveDialog({ difference, onDone, onClose }: ResolveDialogProps): ReactNode {
  const t = useText()
  const texts = t.operators.differences
  const [owner, setOwner] = useKeptDraft<MoneyOwner | 'NONE'>(`owner ${difference.id}`, () => 'NONE')
  const resolve = useProvenAct(resolveDifferenceMutation)
  return (
    <ReasonDialog
      title={`${texts.resolve}: ${t.differenceKinds[difference.kind]}`}
      lead={texts.resolveLead}
      about={difference.id}
      act={texts.resolve}
      onAct={(reason) =>
        refusalOf(resolve({ id: difference.id, reason, as: owner === 'NONE' ? null : owner }), onDone, onClose)
      }
      onClose={onClose}
    >
      <NativeSelect
        label={texts.owner}
        data-test="owner"
        value={owner}
        onChange={(event) => setOwner(event.currentTarget.value as MoneyOwner | 'NONE')}
        data={Object.entries(texts.owners).map(([value, label]) => ({ value, label }))}
      />
    </ReasonDialog>
  )
}
