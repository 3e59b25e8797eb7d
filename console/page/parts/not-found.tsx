import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'

export function NotFound(): ReactNode {
  const t = useText()
  return <Text>{t.missing}</Text>
}
