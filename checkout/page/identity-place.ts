/** Where a payer is who proves who he is. A code, and what proves that it was typed, are in none of it. */
export interface IdentityPlace {
  /** As he has typed it. */
  email: string
  method: 'pix' | 'card'
  /** What is behind him: nothing, the code is sent, or it was typed. */
  step: 'asked' | 'sent' | 'proved'
}

/**
 * Where he was, over a reload; null where he was nowhere, or nothing may be kept.
 * @param next keeps where he is now, for this tab; null forgets it
 */
export function keptPlace(next?: IdentityPlace | null): IdentityPlace | null {
  const key = `${location.pathname}:identity`
  try {
    if (next !== undefined) sessionStorage[key] = JSON.stringify(next)
    return JSON.parse(sessionStorage[key] as string) as IdentityPlace | null
  } catch {
    return null
  }
}
