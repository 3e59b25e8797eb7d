import { useState } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { SessionError } from './session-api.js'

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
  const send = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setRefused(undefined)
    try {
      await act()
      await onDone()
    } catch (error) {
      if (error instanceof SessionError) setRefused({ code: error.code, message: error.message })
      else setRefused({ code: 'UNREACHABLE', message: '' })
    }
    setBusy(false)
  }
  return { send, isBusy, refused }
}
