import type { ApiKeyScope, CreateApiKeyVariables } from '../generated/operations.js'

/** A key in the making. */
export interface KeyDraft {
  name: string
  mayAll: boolean
  scopes: ApiKeyScope[]
  /** In days; empty for a key that never expires. */
  life: string
}

export const EMPTY_KEY_DRAFT: KeyDraft = { name: '', mayAll: false, scopes: [], life: '' }

/** What a key can be narrowed to. */
export const SCOPES: readonly ApiKeyScope[] = [
  'PAYMENTS_READ',
  'PAYMENTS_WRITE',
  'ORDERS_READ',
  'ORDERS_WRITE',
  'KYC_READ',
  'KYC_WRITE',
  'YIELD_READ',
  'YIELD_WRITE',
  'WEBHOOKS_READ',
  'WEBHOOKS_WRITE',
  'REFUNDS_WRITE',
]

/** A scope as people read it: `orders:read`. */
export function scopeText(scope: ApiKeyScope): string {
  return scope.toLowerCase().replace('_', ':')
}

const DAY_MS = 86_400_000

/** The draft as the graph takes it. @param now from which its life counts */
export function keyInput({ name, mayAll, scopes, life }: KeyDraft, now: Date): CreateApiKeyVariables['input'] {
  return {
    name,
    ...(!mayAll && { scopes }),
    ...(life !== '' && { expiresAt: new Date(now.getTime() + Number(life) * DAY_MS).toISOString() }),
  }
}
