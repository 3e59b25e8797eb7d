import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'

/** Where a code of eight digits is typed or pasted, or filled in by the telephone. */
export function CodeField({ value, onChange }: { value: string; onChange: (code: string) => void }): ReactNode {
  const t = useText()
  return (
    <TextInput
      label={t.signIn.code}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]{8}"
      maxLength={8}
      required
      autoFocus
      data-autofocus
      data-test="code"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\D/g, ''))}
    />
  )
}
