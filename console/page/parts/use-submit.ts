import { useEffect, useState } from 'react'
import { openForm } from '../graph/act-keys.js'
import type { Refused } from '../graph/use-graph.js'

/**
 * Does what a form or a dialog asks for, once at a time.
 * @param onAct does it; answers why it was not done
 */
export function useSubmit(onAct: () => Promise<Refused | undefined>): {
  submit: () => void
  isBusy: boolean
  refused: Refused | undefined
  /** Whether it was done the last time. */
  isDone: boolean
} {
  const [isBusy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<{ refused: Refused | undefined }>()
  useEffect(openForm, [])
  const go = async (): Promise<void> => {
    setBusy(true)
    try {
      setAnswer({ refused: await onAct() })
    } catch (error) {
      // An act answers why it was not done; what it throws is an error of ours, which the browser's console is to have as well.
      setAnswer({ refused: { code: 'SERVER_ERROR', message: '' } })
      throw error
    } finally {
      setBusy(false)
    }
  }
  const refused = answer?.refused
  return { submit: () => void go(), isBusy, refused, isDone: answer !== undefined && !refused }
}
