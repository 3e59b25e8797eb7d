import { Anchor, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { createOrderMutation } from '../generated/operations.js'
import { RoutedButton } from '../parts/links.js'
import { useText } from '../messages/use-text.js'
import { isSandbox, SANDBOX } from '../nonce.js'
import { Allowed } from '../session/allowed.js'

/** What a tenant sees who has no payment yet: the way to the first one. */
export function FirstSteps(): ReactNode {
  const t = useText()
  const { firstTitle, firstLead, firstLink, firstLinkHint, firstPay, firstPayHint } = t.payments
  return (
    <Stack data-test="first-steps">
      <Title order={2} size="h4">
        {firstTitle}
      </Title>
      <Text>{firstLead}</Text>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Paper withBorder p="md">
          <Text fw={600}>1. {firstLink}</Text>
          <Text size="sm" mb="md">
            {firstLinkHint}
          </Text>
          <Allowed act={createOrderMutation}>
            <RoutedButton to="/orders/new" data-test="first-link">
              {firstLink}
            </RoutedButton>
          </Allowed>
        </Paper>
        <Paper withBorder p="md">
          <Text fw={600}>2. {firstPay}</Text>
          <Text size="sm" mb="md">
            {firstPayHint}
          </Text>
          {isSandbox && (
            <Anchor href={SANDBOX} target="_blank" rel="noreferrer" data-test="open-sandbox">
              {t.sandboxPanel.open}
            </Anchor>
          )}
        </Paper>
      </SimpleGrid>
    </Stack>
  )
}
