import { Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { Form } from '../parts/form.js'
import { Refusal } from '../parts/refusal.js'
import { loadPasskey } from './load-passkey.js'
import { hasPasskeySupport } from './passkey-support.js'
import { askCode } from './session-api.js'
import { useSend } from './use-send.js'

interface EmailFormProps {
  onSent: (email: string) => void
  onSignedIn: () => Promise<void>
}

/** The address that a code is sent to; or a passkey, which needs neither. */
export function EmailForm({ onSent, onSignedIn }: EmailFormProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const [email, setEmail] = useState('')
  const { send, isBusy, refused } = useSend(() => onSent(email))
  const passkey = useSend(onSignedIn)
  const byPasskey = async (): Promise<void> => (await loadPasskey()).signInByPasskey(email.trim())
  return (
    <Form onSubmit={() => void send(() => askCode(email, language))}>
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
        <Refusal refused={refused ?? passkey.refused} />
        <Button type="submit" loading={isBusy} data-test="send-code">
          {t.signIn.send}
        </Button>
        {hasPasskeySupport() && (
          <Button
            variant="default"
            loading={passkey.isBusy}
            data-test="passkey-sign-in"
            onClick={() => void passkey.send(byPasskey)}
          >
            {t.signIn.passkey}
          </Button>
        )}
      </Stack>
    </Form>
  )
}
