/** Wakes one who waits: rung while nobody does, it is heard by the next who does. */
export interface Bell {
  ring: () => void
  /** Resolves once it was rung since the last time, and at once from the end of `signal` on. */
  rung: () => Promise<void>
}

/** A bell that is rung for good when `signal` is aborted. */
export function bell(signal: AbortSignal): Bell {
  let isRung = false
  let wake: (() => void) | undefined
  const ring = (): void => {
    isRung = true
    wake?.()
  }
  signal.addEventListener('abort', ring, { once: true })
  return {
    ring,
    rung: async () => {
      if (!isRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      wake = undefined
      isRung = false
    },
  }
}
