import { useState } from 'react'
import type { Refused } from '../graph/use-graph.js'

/**
 * Does what a dialog asks for, once at a time.
 * @param onAct does it; answers why it was not done
 */
export function useSubmit(onAct: () => Promise<Refused | undefined>): {
  submit: () => void
  isBusy: boolean
  refused: Refused | undefined
} {
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const go = async (): Promise<void> => {
    setBusy(true)
    setRefused(await onAct())
    setBusy(false)
  }
  return { submit: () => void go(), isBusy, refused }
}
