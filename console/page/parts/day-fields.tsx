import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'

interface DayFieldsProps {
  /** The days, both included, as the address has them. */
  days: { from?: string | undefined; to?: string | undefined }
  /** Called with '' where a day was taken away. */
  onChange: (change: { from?: string; to?: string }) => void
}

/** From which day on, and until which. */
export function DayFields({ days, onChange }: DayFieldsProps): ReactNode {
  const t = useText()
  return (['from', 'to'] as const).map((name) => (
    <TextInput
      key={name}
      type="date"
      label={t.payments[name]}
      data-test={`filter-${name}`}
      value={days[name] ?? ''}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  ))
}
