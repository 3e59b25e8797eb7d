import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** The heading of a page, what it shows, and what can be done there. */
export function PageTitle({
  title,
  lead,
  children,
}: {
  title: string
  lead?: string
  children?: ReactNode
}): ReactNode {
  return (
    <Group justify="space-between" align="start">
      <div className="page-title">
        <Title order={1} size="h2">
          {title}
        </Title>
        {lead !== undefined && (
          <Text size="sm" c="dimmed">
            {lead}
          </Text>
        )}
      </div>
      {children}
    </Group>
  )
}
