import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'

/** What has just been done, told to screen readers too; nothing where nothing was. */
export function Said({ text }: { text: string | undefined }): ReactNode {
  if (text === undefined) return null
  return (
    <Alert role="status" color="green" variant="outline" p="xs" data-test="said">
      {text}
    </Alert>
  )
}
