import { Button, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { endSessionMutation, sessionsQuery } from '../generated/operations.js'
import { useAct, useGraph, type Refused } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { Confirm } from '../parts/confirm.js'
import { moment } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { Refusal } from '../parts/refusal.js'
import { buttonColumn } from '../parts/row-button.js'
import { DataTable } from '../parts/table.js'
import { useSession } from '../session/use-session.js'
import type { ShownSession } from './shown.js'

/** Where the person is signed in, with a way to end it there, or everywhere. */
export function SessionsPage(): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { refresh } = useSession()
  const [isEndingAll, setEndingAll] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const { data, isLoading, error, again } = useGraph(sessionsQuery, {})
  const end = useAct(endSessionMutation)
  const sessions = data?.sessions ?? []
  const endOne = async (id: string): Promise<void> => {
    const acted = await end({ id })
    setRefused(acted.refused)
    again()
  }
  // All at once: this session is among them, and nothing can be asked for by one that has ended.
  const endAll = async (): Promise<Refused | undefined> => {
    const acted = await Promise.all(sessions.map(({ id }) => end({ id })))
    await refresh()
    return acted.find((one) => one.refused)?.refused
  }
  return (
    <Stack>
      <PageTitle title={t.nav.sessions} lead={t.sessions.lead}>
        <Button variant="default" onClick={() => setEndingAll(true)} data-test="end-all">
          {t.sessions.endAll}
        </Button>
      </PageTitle>
      <Loading isLoading={isLoading} error={error} again={again} />
      <Refusal refused={refused} />
      {data?.sessions && (
        <DataTable<ShownSession>
          label={t.nav.sessions}
          test="sessions"
          rows={sessions}
          keyOf={({ id }) => id}
          columns={[
            { name: t.common.lastUsed, show: ({ lastUsedAt }) => moment(lastUsedAt, language) },
            buttonColumn(
              t.sessions.end,
              ({ address }) => address,
              'end-session',
              ({ id }) => void endOne(id),
            ),
            { name: t.sessions.address, show: (session) => <SessionAddress session={session} /> },
            { name: t.sessions.agent, show: ({ agent }) => <span className="wrap">{agent}</span> },
            { name: t.sessions.opened, show: ({ createdAt }) => moment(createdAt, language) },
          ]}
        />
      )}
      {isEndingAll && (
        <Confirm
          title={t.sessions.endAll}
          lead={t.sessions.endAllLead}
          act={t.sessions.endAll}
          onAct={endAll}
          onClose={() => setEndingAll(false)}
        />
      )}
    </Stack>
  )
}

function SessionAddress({ session: { address, isCurrent } }: { session: ShownSession }): ReactNode {
  const t = useText()
  return (
    <>
      {address}
      {isCurrent && (
        <Text size="xs" data-test="this-session">
          {t.sessions.current}
        </Text>
      )}
    </>
  )
}
