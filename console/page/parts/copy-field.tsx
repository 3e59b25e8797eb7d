import { Button, Group, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useText } from '../messages/use-text.js'

/** Something to take along. On plain http there is no clipboard to write to: the field selects itself, to be copied by hand. */
export function CopyField({ label, value, test }: { label: string; value: string; test?: string }): ReactNode {
  const t = useText()
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  }
  const canCopy = window.isSecureContext
  return (
    <Group gap="xs" align="end" wrap="nowrap" flex={1} maw={640}>
      <TextInput
        label={label}
        readOnly
        value={value}
        miw={220}
        flex={1}
        data-test={test}
        onFocus={(event) => event.currentTarget.select()}
      />
      {canCopy && (
        <Button variant="default" onClick={() => void copy()} data-test="copy">
          {isCopied ? t.common.copied : t.common.copy}
        </Button>
      )}
    </Group>
  )
}
