/** Ends a request that takes too long. Browsers from before the middle of 2022 have no `AbortSignal.timeout`. */
export function timeLimit(timeoutMs: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => {
    controller.abort()
  }, timeoutMs)
  return controller.signal
}
