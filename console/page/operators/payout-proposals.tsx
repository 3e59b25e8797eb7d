import { Text } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { payoutProposalsQuery, type PayoutDecisionState } from '../generated/operations.js'
import { refusalOf, useGraph } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { buttonColumn } from '../parts/row-button.js'
import { Section } from '../parts/section.js'
import { DataTable } from '../parts/table.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { ReasonDialog } from './reason-dialog.js'
import type { ShownProposal } from './shown.js'
import { usePayoutAct } from './use-payout-act.js'

interface PayoutProposalsProps {
  /** Changes where something was proposed. */
  version: number
  onDone: (state: PayoutDecisionState | undefined) => void
}

/** What one operator proposes, for another to decide the same. */
export function PayoutProposals({ version, onDone }: PayoutProposalsProps): ReactNode {
  const t = useText()
  const texts = t.operators.payouts
  const [deciding, setDeciding] = useKeptDraft<ShownProposal | undefined>('confirming', () => undefined)
  const { data, isLoading, error, again } = useGraph(payoutProposalsQuery, {})
  useEffect(again, [version])
  const decide = usePayoutAct()
  const proposals = data?.payoutProposals
  return (
    <Section title={texts.proposals} test="proposals">
      <Loading isLoading={isLoading} error={error} again={again} />
      {proposals && (
        <DataTable<ShownProposal>
          label={texts.proposals}
          rows={proposals}
          keyOf={({ id }) => id}
          nothing={<Text size="sm">{texts.noProposals}</Text>}
          columns={[
            { name: texts.action, show: ({ action }) => texts.actions[action] },
            { name: t.common.about, show: ({ batchId }) => <span className="id">{batchId}</span> },
            { name: t.common.reason, show: ({ reason }) => reason },
            { name: texts.proposedBy, show: ({ proposedBy }) => proposedBy },
            buttonColumn<ShownProposal>(texts.confirm, ({ batchId }) => batchId, 'decide-same', setDeciding),
          ]}
        />
      )}
      {deciding && (
        <ReasonDialog
          title={`${texts.confirm}: ${texts.actions[deciding.action]}`}
          lead={texts.confirmLead}
          about={`proposal ${deciding.id}`}
          act={texts.actions[deciding.action]}
          onAct={(reason) => {
            const decided = decide({ action: deciding.action, subject: deciding.batchId, reason })
            return refusalOf(
              decided,
              () => setDeciding(undefined),
              ({ state }) => onDone(state),
            )
          }}
          onClose={() => setDeciding(undefined)}
        />
      )}
    </Section>
  )
}
