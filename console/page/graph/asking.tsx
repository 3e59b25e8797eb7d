import { createContext, use, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'

/** How many queries of a part of a page have been asked anew by the person and have not answered yet. */
interface Asking {
  change: (by: number) => void
  subscribe: (listener: () => void) => () => void
  isAsking: () => boolean
}

function newAsking(): Asking {
  let asked = 0
  const listeners = new Set<() => void>()
  return {
    change: (by) => {
      asked += by
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isAsking: () => asked > 0,
  }
}

/** What is in no part of its own is the page. */
const AskingContext = createContext(newAsking())

/** A part of a page that asks for what it shows by itself: while it does, its rows are dimmed and no others. */
export function OwnRows({ children }: { children: ReactNode }): ReactNode {
  const [asking] = useState(newAsking)
  return <AskingContext value={asking}>{children}</AskingContext>
}

/** Tells the lists around it whether their query is being asked anew: what they show is what was known before. */
export function useTellAsking(isAsking: boolean): void {
  const { change } = use(AskingContext)
  useEffect(() => {
    if (!isAsking) return undefined
    change(1)
    return () => change(-1)
  }, [isAsking, change])
}

/** Whether what is shown may be out of date, as the person has asked for something else. */
export function useIsAsking(): boolean {
  const { subscribe, isAsking } = use(AskingContext)
  return useSyncExternalStore(subscribe, isAsking)
}
