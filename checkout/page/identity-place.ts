/** Where a payer is who proves who he is. A code, and what proves that it was typed, are in none of it. */
export interface IdentityPlace {
  /** As he has typed it. */
  email: string
  method: 'pix' | 'card'
  /** What is behind him: nothing, the code is sent, or it was typed. */
  step: 'asked' | 'sent' | 'proved'
}

const keyNow = (): string => `${location.pathname}:identity`

/** Keeps where he is for this tab, over a reload. @param place undefined to forget it */
export function keepPlace(place: IdentityPlace | undefined): void {
  try {
    if (place) sessionStorage.setItem(keyNow(), JSON.stringify(place))
    else sessionStorage.removeItem(keyNow())
  } catch {
    // Forbidden: it is lost with the page.
  }
}

/** Where he was; undefined where he was nowhere. */
export function keptPlace(): IdentityPlace | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(keyNow()) ?? 'null') as IdentityPlace | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Notes that a step is behind him. */
export function passStep(step: IdentityPlace['step']): void {
  const place = keptPlace()
  if (place) keepPlace({ ...place, step })
}
