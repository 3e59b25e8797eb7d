import { Center, Loader } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Provider as GraphProvider } from 'urql'
import { graphClient } from './graph/client.js'
import { useOwnHints } from './messages/use-own-hints.js'
import { useText } from './messages/use-text.js'
import { Refusal } from './parts/refusal.js'
import { router } from './router.js'
import { noteNoSession, noteSession } from './session/kept-drafts.js'
import { ProofProvider } from './session/proof.js'
import { readSession, type Session } from './session/session-api.js'
import { SignInPage } from './session/sign-in-page.js'
import { SessionContext } from './session/use-session.js'

type Known = { session: Session | null } | { failed: true } | undefined

/** The console: the sign-in where there is no session, otherwise the page of the address, which stays as it is. */
export function App({ isSandbox }: { isSandbox: boolean }): ReactNode {
  const t = useText()
  useOwnHints()
  const [known, setKnown] = useState<Known>()
  const reads = useRef(0)
  const refresh = useCallback(async () => {
    const own = (reads.current += 1)
    const read = await readSession().then(
      (session) => ({ session }),
      () => ({ failed: true }) as const,
    )
    // What was asked before may be of another tenant than the one that was chosen since.
    if (own !== reads.current) return
    if ('session' in read) {
      if (read.session) noteSession(read.session.person.id)
      else noteNoSession()
    }
    setKnown(read)
  }, [])
  useEffect(() => void refresh(), [refresh])
  const session = known && 'session' in known ? known.session : null
  const tenant = session?.tenants.find(({ id }) => id === session.tenantId)
  const tenantId = tenant?.id ?? null
  // Another tenant, or another person, is another memory: nothing of one is ever shown to the other.
  const client = useMemo(() => graphClient(tenantId, () => void refresh()), [refresh, session?.person.id, tenantId])
  if (!known)
    return (
      <Center component="main" mih="100vh">
        <Loader role="status" aria-label={t.loading} />
      </Center>
    )
  if ('failed' in known)
    return (
      <main>
        <Refusal refused={{ code: 'UNREACHABLE', message: '' }} again={() => void refresh()} />
      </main>
    )
  // An operator who has chosen no tenant looks at the deployment; one whose tenant is gone has chosen nothing.
  const isPlaced = tenant !== undefined || (session?.person.isOperator === true && session.isTenantGone !== true)
  // Invitations are beside the pages: strangers may invite anybody, and stand in nobody's way.
  if (!session || !isPlaced) return <SignInPage session={session} onChange={refresh} isSandbox={isSandbox} />
  return (
    <GraphProvider value={client} key={tenantId ?? 'operators'}>
      <SessionContext value={{ session, tenant, refresh }}>
        <ProofProvider>
          <RouterProvider router={router} />
        </ProofProvider>
      </SessionContext>
    </GraphProvider>
  )
}
