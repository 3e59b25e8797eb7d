import { Alert, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { said } from '../messages/said.js'
import { useLanguage, useText } from '../messages/use-text.js'

/** Why something was not done: in the reader's language where there is a text for its code, otherwise in the server's words. */
export function Refusal({
  refused,
  again,
  names,
}: {
  refused: Refused | undefined
  again?: () => void
  /** What the form calls its fields, where another one calls them otherwise. */
  names?: Readonly<Record<string, string>>
}): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  if (!refused) return null
  return (
    <Alert color="red" role="alert" data-test="refusal" variant="outline" my="sm">
      {said(refused, t, language, names)}
      {again && (
        <Button variant="subtle" size="compact-sm" ml="sm" onClick={again}>
          {t.common.again}
        </Button>
      )}
    </Alert>
  )
}
