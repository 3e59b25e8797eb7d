import { Button, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { resumePayoutsMutation } from '../generated/operations.js'
import { refusalOf } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { moment } from '../parts/format.js'
import { buttonColumn } from '../parts/row-button.js'
import { Section } from '../parts/section.js'
import { DataTable } from '../parts/table.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { PauseDialog } from './pause-dialog.js'
import type { ShownPause } from './shown.js'

interface PausesProps {
  pauses: readonly ShownPause[]
  /** The chains that can be chosen; none where all of a tenant's are meant. */
  chains: readonly string[]
  /** Whose payouts are paused from here; everybody's where left out. */
  tenantId?: string
  onChange: () => void
}

/** Whose payouts are paused, with a way to pause and to go on. */
export function Pauses({ pauses, chains, tenantId, onChange }: PausesProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.operators.treasury
  const [isPausing, setPausing] = useKeptDraft(`pausing ${tenantId}`, () => false)
  const [resuming, setResuming] = useState<ShownPause>()
  const resume = useProvenAct(resumePayoutsMutation)
  const whose = ({ chainName, tenantId: of }: ShownPause): string =>
    `${chainName ?? texts.everyChain} · ${of ?? texts.everyTenant}`
  return (
    <Section title={texts.pauses} test="pauses">
      <DataTable<ShownPause>
        label={texts.pauses}
        rows={pauses}
        keyOf={whose}
        nothing={<Text size="sm">{texts.noPauses}</Text>}
        columns={[
          { name: t.common.about, show: (pause) => <span className="wrap">{whose(pause)}</span> },
          { name: t.common.reason, show: ({ reason }) => reason },
          { name: t.operators.since, show: ({ since }) => moment(since, language) },
          buttonColumn(texts.resume, whose, 'resume', setResuming),
        ]}
      />
      <div>
        <Button variant="default" onClick={() => setPausing(true)} data-test="pause">
          {texts.pause}
        </Button>
      </div>
      {isPausing && (
        <PauseDialog
          chains={chains}
          {...(tenantId !== undefined && { tenantId })}
          onDone={onChange}
          onClose={() => setPausing(false)}
        />
      )}
      {resuming && (
        <Confirm
          title={`${texts.resume}: ${whose(resuming)}`}
          lead={texts.resumeLead}
          act={texts.resume}
          onAct={() =>
            refusalOf(
              resume({ chainName: resuming.chainName, tenantId: resuming.tenantId }),
              () => setResuming(undefined),
              onChange,
            )
          }
          onClose={() => setResuming(undefined)}
        />
      )}
    </Section>
  )
}
