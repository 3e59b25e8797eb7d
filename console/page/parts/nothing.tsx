import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Said where a list has nothing to show. @param children what can be done about it */
export function Nothing({ text, test, children }: { text: string; test?: string; children?: ReactNode }): ReactNode {
  return (
    <div className="nothing" data-test={test}>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {children}
    </div>
  )
}
