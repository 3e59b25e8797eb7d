import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { spoken } from '../parts/format.js'
import { StatusBadge } from '../parts/status-badge.js'

/** What came of an act. @param code `done`, an error's code, or null where it is not known */
export function Outcome({ code }: { code: string | null }): ReactNode {
  const t = useText()
  if (code === null) return <StatusBadge status="PENDING" text={t.audit.unknown} />
  if (code === 'done') return <StatusBadge status="DONE" text={t.audit.done} />
  return (
    <>
      <StatusBadge status="REFUSED" text={t.audit.refused} />
      <Text size="xs">{t.errors[code.toUpperCase()] ?? spoken(code)}</Text>
    </>
  )
}
