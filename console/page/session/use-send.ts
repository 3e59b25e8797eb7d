import { useContext, useState } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { SessionError } from './session-api.js'
import { SessionContext } from './use-session.js'

/** How the server refuses what it knows no session for, be it that nothing else is wrong. */
const OF_NOBODY: ReadonlySet<string> = new Set(['not_signed_in', 'code_refused', 'passkey_refused'])

/**
 * Sends something to the console's own routes, once at a time.
 * @param onDone called where it was not refused
 */
export function useSend(onDone: () => unknown): {
  send: (act: () => Promise<void>) => Promise<void>
  isBusy: boolean
  refused: Refused | undefined
} {
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  // Who signs in has no session yet.
  const signedIn = useContext(SessionContext)
  const send = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setRefused(undefined)
    try {
      await act()
      await onDone()
    } catch (error) {
      if (error instanceof SessionError) setRefused({ code: error.code, message: error.message })
      else setRefused({ code: 'UNREACHABLE', message: '' })
      // Where the session has ended meanwhile, as by a sign-out in another tab, the page says so.
      if (signedIn && error instanceof SessionError && OF_NOBODY.has(error.code)) await signedIn.refresh()
    }
    setBusy(false)
  }
  return { send, isBusy, refused }
}
