import { useEffect, useSyncExternalStore } from 'react'

/** How many queries of the page have been asked anew by the person and have not answered yet. */
let asked = 0
const listeners = new Set<() => void>()

function change(by: number): void {
  asked += by
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells the lists whether a query of the page is being asked anew: what they show is what was known before. */
export function useTellAsking(isAsking: boolean): void {
  useEffect(() => {
    if (!isAsking) return undefined
    change(1)
    return () => change(-1)
  }, [isAsking])
}

/** Whether what is shown may be out of date, as the person has asked for something else. */
export function useIsAsking(): boolean {
  return useSyncExternalStore(subscribe, () => asked > 0)
}
