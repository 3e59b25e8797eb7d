import { Badge, Button, Container, Paper, Stack, Text, Title } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { Preferences } from '../parts/preferences.js'
import { Refusal } from '../parts/refusal.js'
import { CodeForm } from './code-form.js'
import { EmailForm } from './email-form.js'
import { InvitationList } from './invitation-list.js'
import { chooseTenant, signOut, type Session } from './session-api.js'
import { keptTabTenant } from './tab-tenant.js'
import { TenantForm } from './tenant-form.js'
import { useSend } from './use-send.js'

interface SignInProps {
  /** Of a person who has yet to choose a tenant; null of nobody. */
  session: Session | null
  onChange: () => Promise<void>
  isSandbox: boolean
}

/** E-mail and code or a passkey, and the tenant to look at: chosen where there are several, made where there is none. */
export function SignInPage({ session, onChange, isSandbox }: SignInProps): ReactNode {
  const t = useText()
  const [email, setEmail] = useState<string>()
  return (
    <Container component="main" size={460} py="xl">
      <Stack>
        <Stack gap={4} align="center">
          <Text fw={700}>{t.title}</Text>
          {isSandbox && <Badge variant="outline">{t.sandbox}</Badge>}
        </Stack>
        {!session && keptTabTenant() && (
          <Text role="status" ta="center" data-test="signed-out">
            {t.signIn.signedOut}
          </Text>
        )}
        <Paper withBorder p="xl" radius="md">
          {session ? (
            <ChooseTenant session={session} onChange={onChange} />
          ) : email === undefined ? (
            <EmailForm onSent={setEmail} onSignedIn={onChange} />
          ) : (
            <CodeForm email={email} onSignedIn={onChange} onBack={() => setEmail(undefined)} />
          )}
        </Paper>
        <Preferences />
      </Stack>
    </Container>
  )
}

function ChooseTenant({ session, onChange }: { session: Session; onChange: () => Promise<void> }): ReactNode {
  const t = useText()
  const { send, isBusy, refused } = useSend(onChange)
  const { person, tenants, invitations, isTenantGone } = session
  const places: { id: string | null; label: string }[] = tenants.map(({ id, name, role }) => ({
    id,
    label: `${name} · ${t.roles[role]}`,
  }))
  if (isTenantGone && person.isOperator) places.push({ id: null, label: t.operators.title })
  return (
    <Stack>
      {places.length > 0 && (
        <>
          <Title order={1} size="h3">
            {t.signIn.chooseTitle}
          </Title>
          {places.map(({ id, label }) => (
            <Button
              key={id ?? ''}
              variant="default"
              disabled={isBusy}
              data-test="tenant"
              onClick={() => void send(() => chooseTenant(id))}
            >
              {label}
            </Button>
          ))}
        </>
      )}
      <InvitationList invitations={invitations} isBusy={isBusy} send={send} />
      <Refusal refused={refused} />
      <TenantForm isFirst={tenants.length === 0} onMade={onChange} />
      <Button variant="subtle" onClick={() => void send(signOut)}>
        {t.signOut}
      </Button>
    </Stack>
  )
}
