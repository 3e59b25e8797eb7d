import { Button, Stack, Text, Title } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { Form } from '../parts/form.js'
import { Refusal } from '../parts/refusal.js'
import { CodeField } from './code-field.js'
import { chooseTenant, giveCode, readSession } from './session-api.js'
import { useSend } from './use-send.js'

interface CodeFormProps {
  email: string
  onSignedIn: () => Promise<void>
  onBack: () => void
}

/** The code signs in; somebody of one tenant alone is at it at once. */
export function CodeForm({ email, onSignedIn, onBack }: CodeFormProps): ReactNode {
  const t = useText()
  const [code, setCode] = useState('')
  const { send, isBusy, refused } = useSend(onSignedIn)
  const signIn = async (): Promise<void> => {
    await giveCode(email, code)
    const session = await readSession()
    const [only, ...others] = session?.tenants ?? []
    if (only && others.length === 0 && session?.person.isOperator === false) await chooseTenant(only.id)
  }
  return (
    <Form onSubmit={() => void send(signIn)}>
      <Stack>
        <Title order={1} size="h3">
          {t.signIn.codeTitle}
        </Title>
        <Text size="sm">{t.signIn.codeLead}</Text>
        <Text fw={600}>{email}</Text>
        <CodeField value={code} onChange={setCode} />
        <Refusal refused={refused} />
        <Button type="submit" loading={isBusy} data-test="sign-in">
          {t.signIn.check}
        </Button>
        <Button variant="subtle" onClick={onBack}>
          {t.signIn.otherEmail}
        </Button>
      </Stack>
    </Form>
  )
}
