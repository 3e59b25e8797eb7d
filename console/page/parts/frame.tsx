import { Anchor, AppShell, Badge, Burger, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { RoutedNavLink } from './links.js'
import { useText } from '../messages/use-text.js'
import { isSandbox } from '../nonce.js'
import { signOut } from '../session/session-api.js'
import { useSend } from '../session/use-send.js'
import { useSession } from '../session/use-session.js'
import { Preferences } from './preferences.js'
import { TenantSwitch } from './tenant-switch.js'

const PAGES = [
  ['/', 'payments'],
  ['/overview', 'overview'],
  ['/orders', 'orders'],
  ['/webhooks', 'webhooks'],
  ['/keys', 'keys'],
  ['/statement', 'statement'],
] as const

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
        <VisuallyHidden>
          <Anchor href="#content">{t.skip}</Anchor>
        </VisuallyHidden>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={() => setOpen(!isOpen)} hiddenFrom="sm" size="sm" aria-label={t.menu} />
          <Text fw={700} truncate data-test="tenant-title">
            {tenant.name}
          </Text>
          {isSandbox && (
            <Badge variant="outline" title={t.sandboxHint} data-test="sandbox">
              {t.sandbox}
            </Badge>
          )}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t.menu}>
        <AppShell.Section grow>
          {PAGES.map(([to, name]) => (
            <RoutedNavLink key={to} to={to} label={t.nav[name]} active={isAt(path, to)} data-test={`nav-${name}`} />
          ))}
        </AppShell.Section>
        <AppShell.Section>
          <SignedIn />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
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
      <Text size="xs" className="wrap">
        {session.person.email} · {t.roles[tenant.role]}
      </Text>
      <Button variant="default" size="xs" loading={isBusy} onClick={() => void send(signOut)} data-test="sign-out">
        {t.signOut}
      </Button>
    </Stack>
  )
}

/** Payments are the first page, and a payment belongs to them. */
function isAt(path: string, to: string): boolean {
  return to === '/' ? path === '/' || path.startsWith('/payments/') : path.startsWith(to)
}
