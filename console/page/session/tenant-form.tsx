import { Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { Form } from '../parts/form.js'
import { Refusal } from '../parts/refusal.js'
import { makeTenant } from './session-api.js'
import { useSend } from './use-send.js'

/** @param isFirst where the person is at no tenant yet, so that this is all that there is to do */
export function TenantForm({ isFirst, onMade }: { isFirst: boolean; onMade: () => Promise<void> }): ReactNode {
  const t = useText()
  const [name, setName] = useState('')
  const { send, isBusy, refused } = useSend(onMade)
  return (
    <Form onSubmit={() => void send(() => makeTenant(name))}>
      <Stack>
        <Title order={isFirst ? 1 : 2} size={isFirst ? 'h3' : 'h5'}>
          {t.signIn.makeTitle}
        </Title>
        <Text size="sm">{t.signIn.makeLead}</Text>
        <TextInput
          label={t.common.name}
          required
          maxLength={100}
          autoComplete="organization"
          data-test="tenant-name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Refusal refused={refused} />
        <Button type="submit" loading={isBusy} variant={isFirst ? 'filled' : 'default'} data-test="make-tenant">
          {t.signIn.make}
        </Button>
      </Stack>
    </Form>
  )
}
