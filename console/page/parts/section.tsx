import { Paper, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A part of a page with its heading. */
export function Section({ title, children, test }: { title: string; children: ReactNode; test?: string }): ReactNode {
  return (
    <Paper withBorder p="md" component="section" data-test={test}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}
