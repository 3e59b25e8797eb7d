import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface Meter {
  name: string
  /** 0 to 1. */
  part: number
  text: string
}

/** Shares as bars, each with its name and its figures. */
export function Meters({ of, tone }: { of: readonly Meter[]; tone?: 'bad' }): ReactNode {
  return (
    <Stack gap="xs">
      {of.map(({ name, part, text }) => (
        <div key={name}>
          <Group justify="space-between">
            <Text size="sm">{name}</Text>
            <Text size="sm" className="amount">
              {text} · {Math.round(part * 100)} %
            </Text>
          </Group>
          <div className="meter" data-tone={tone} aria-hidden>
            <div style={{ width: `${Math.round(part * 100)}%` }} />
          </div>
        </div>
      ))}
    </Stack>
  )
}
