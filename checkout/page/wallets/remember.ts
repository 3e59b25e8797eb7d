/** What was sent and may not have reached the server, by the page's path: a reload must not forget that it was paid. */
export interface Remembered {
  hash?: string
  signature?: string
  signed?: string
}

/** Keeps what was sent, for this tab; where a browser forbids it, it is lost with the page. */
export function remember(base: string, sent: Remembered | undefined): void {
  try {
    if (sent) sessionStorage.setItem(base, JSON.stringify(sent))
    else sessionStorage.removeItem(base)
  } catch {
    // Forbidden.
  }
}

/** What was kept. */
export function remembered(base: string): Remembered | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(base) ?? 'null') as Remembered | null) ?? undefined
  } catch {
    return undefined
  }
}
