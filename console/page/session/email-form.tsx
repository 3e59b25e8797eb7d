import { Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { Refusal } from '../parts/refusal.js'
import { askCode } from './session-api.js'
import { useSend } from './use-send.js'

export function EmailForm({ onSent }: { onSent: (email: string) => void }): ReactNode {
  const t = useText()
  const [email, setEmail] = useState('')
  const { send, isBusy, refused } = useSend(() => onSent(email))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send(() => askCode(email))
      }}
    >
      <Stack>
        <Title order={1} size="h3">
          {t.signIn.title}
        </Title>
        <Text size="sm">{t.signIn.lead}</Text>
        <TextInput
          label={t.signIn.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          data-test="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Refusal refused={refused} />
        <Button type="submit" loading={isBusy} data-test="send-code">
          {t.signIn.send}
        </Button>
      </Stack>
    </form>
  )
}
