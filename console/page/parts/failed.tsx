import { Alert, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'

/** Stands where a page could not be loaded or drawn. */
export function Failed(): ReactNode {
  const t = useText()
  return (
    <Alert color="red" role="alert" data-test="page-failed" variant="outline" my="sm">
      {t.failed}
      <Button variant="subtle" size="compact-sm" ml="sm" data-test="load-again" onClick={() => location.reload()}>
        {t.loadAgain}
      </Button>
    </Alert>
  )
}
