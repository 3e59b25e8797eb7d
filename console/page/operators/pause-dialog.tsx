import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { pausePayoutsMutation } from '../generated/operations.js'
import { refusalOf, useAct } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { ReasonDialog } from './reason-dialog.js'

interface PauseDialogProps {
  chains: readonly string[]
  tenantId?: string
  onDone: () => void
  onClose: () => void
}

/** Stops payouts: of a chain or of all, of a tenant or of all. It works at once, without a proof. */
export function PauseDialog({ chains, tenantId, onDone, onClose }: PauseDialogProps): ReactNode {
  const t = useText()
  const texts = t.operators.treasury
  const [chain, setChain] = useKeptDraft(`pause chain ${tenantId}`, () => '')
  const pause = useAct(pausePayoutsMutation)
  return (
    <ReasonDialog
      title={texts.pause}
      lead={texts.pauseLead}
      about={`pause ${tenantId}`}
      act={texts.pause}
      onAct={(reason) => {
        const paused = pause({ chainName: chain === '' ? null : chain, tenantId: tenantId ?? null, reason })
        return refusalOf(paused, onDone, onClose)
      }}
      onClose={onClose}
    >
      {chains.length > 0 && (
        <NativeSelect
          label={t.payment.chain}
          data-test="pause-chain"
          value={chain}
          onChange={(event) => setChain(event.currentTarget.value)}
          data={[{ value: '', label: texts.everyChain }, ...chains.map((name) => ({ value: name, label: name }))]}
        />
      )}
    </ReasonDialog>
  )
}
