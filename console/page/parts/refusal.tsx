import { Alert, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'

/** Why something was not done: in the reader's language where there is a text for its code, otherwise in the server's words. */
export function Refusal({ refused, again }: { refused: Refused | undefined; again?: () => void }): ReactNode {
  const t = useText()
  if (!refused) return null
  return (
    <Alert color="red" role="alert" data-test="refusal" variant="outline" my="sm">
      {t.errors[refused.code] ?? saidOf(refused, t.fields)}
      {again && (
        <Button variant="subtle" size="compact-sm" ml="sm" onClick={again}>
          {t.common.again}
        </Button>
      )}
    </Alert>
  )
}

/** The server's own words, behind the name that the field has on the page. */
function saidOf({ code, message, field }: Refused, names: Readonly<Record<string, string>>): string {
  const name = field === undefined ? undefined : names[field]
  return [name, message || code].filter(Boolean).join(': ')
}
