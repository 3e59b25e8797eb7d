import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { answerInvitation, type Invitation } from './session-api.js'

interface InvitationListProps {
  invitations: readonly Invitation[]
  isBusy: boolean
  send: (act: () => Promise<void>) => Promise<void>
}

/** What the person is invited to: nobody belongs to a tenant before saying so. */
export function InvitationList({ invitations, isBusy, send }: InvitationListProps): ReactNode {
  const t = useText()
  return invitations.map(({ id, tenantName, role, invitedBy }) => (
    <Stack key={id} gap="xs" data-test="invitation">
      <Title order={2} size="h4">
        {t.signIn.invitation} {tenantName} · {t.roles[role]}
      </Title>
      {invitedBy !== null && <Text size="sm">{invitedBy}</Text>}
      <Group>
        <Button
          disabled={isBusy}
          data-test="accept-invitation"
          onClick={() => void send(() => answerInvitation(id, 'accept'))}
        >
          {t.signIn.accept}
        </Button>
        <Button
          variant="default"
          disabled={isBusy}
          data-test="decline-invitation"
          onClick={() => void send(() => answerInvitation(id, 'decline'))}
        >
          {t.signIn.decline}
        </Button>
      </Group>
    </Stack>
  ))
}
