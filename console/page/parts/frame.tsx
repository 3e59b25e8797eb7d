import { Anchor, AppShell, Badge, Burger, Button, Group, NavLink, Stack, Text } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { isSandbox, SANDBOX } from '../nonce.js'
import { InvitationNotice } from '../session/invitation-notice.js'
import { signOut } from '../session/session-api.js'
import { useSend } from '../session/use-send.js'
import { useSession } from '../session/use-session.js'
import { Navigation } from './navigation.js'
import { Place } from './place.js'
import { Preferences } from './preferences.js'
import { TenantSwitch } from './tenant-switch.js'

/** What is around every page: where one is, at which tenant, and the way out. */
export function Frame(): ReactNode {
  const t = useText()
  const { tenant } = useSession()
  const [isOpen, setOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => setOpen(false), [path])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 230, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Anchor href="#content" className="skip">
          {t.skip}
        </Anchor>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={() => setOpen(!isOpen)} hiddenFrom="sm" size="sm" aria-label={t.menu} />
          <Text fw={700} truncate data-test="tenant-title">
            {tenant?.name ?? t.operators.title}
          </Text>
          {isSandbox && (
            <Badge variant="outline" title={t.sandboxHint} data-test="sandbox">
              {t.sandbox}
            </Badge>
          )}
          <InvitationNotice />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t.menu}>
        <AppShell.Section grow style={{ overflowY: 'auto' }}>
          <Navigation path={path} />
          {isSandbox && (
            <NavLink
              href={SANDBOX}
              target="_blank"
              rel="noreferrer"
              label={`${t.sandbox} ↗`}
              title={t.sandboxPanel.openHint}
              className="nav-link"
              data-test="nav-sandbox"
            />
          )}
        </AppShell.Section>
        <AppShell.Section pt="xs" className="signed-in">
          <SignedIn />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Place path={path} />
      </AppShell.Main>
    </AppShell>
  )
}

function SignedIn(): ReactNode {
  const t = useText()
  const { session, tenant, refresh } = useSession()
  const { send, isBusy } = useSend(refresh)
  return (
    <Stack gap="xs">
      <TenantSwitch />
      <Preferences />
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <div className="person">
          <Text size="xs" truncate title={session.person.email}>
            {session.person.email}
          </Text>
          <Text size="xs" c="dimmed">
            {t.roles[tenant?.role ?? 'operator']}
          </Text>
        </div>
        <Button
          variant="default"
          size="compact-xs"
          flex="none"
          loading={isBusy}
          onClick={() => void send(signOut)}
          data-test="sign-out"
        >
          {t.signOut}
        </Button>
      </Group>
    </Stack>
  )
}
