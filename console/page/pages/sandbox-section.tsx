import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { SANDBOX } from '../nonce.js'
import { CopyField } from '../parts/copy-field.js'
import { Section } from '../parts/section.js'
import type { ShownPayment } from './shown.js'

/** What the simulators ask for to pay a Pix, or to do something about its charge; nothing where there is no Pix. */
export function SandboxSection({ payment: { instantTransfer } }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  if (!instantTransfer) return null
  return (
    <Section title={t.sandbox} test="sandbox-section">
      <Text size="sm">{t.sandboxPanel.payLead}</Text>
      <CopyField label={t.sandboxPanel.code} value={instantTransfer.pixCopiaECola} test="sandbox-code" />
      <CopyField label={t.sandboxPanel.charge} value={instantTransfer.txid} test="sandbox-charge" />
      <Anchor href={SANDBOX} target="_blank" rel="noreferrer" size="sm" data-test="sandbox-link">
        {t.sandboxPanel.open}
      </Anchor>
    </Section>
  )
}
