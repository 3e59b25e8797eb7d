import type { CreateApiKeyVariables } from '../generated/operations.js'

/** A key in the making. */
export interface KeyDraft {
  name: string
  mayAll: boolean
  scopes: string[]
  /** In days; empty for a key that never expires. */
  life: string
}

export const EMPTY_KEY_DRAFT: KeyDraft = { name: '', mayAll: false, scopes: [], life: '' }

/** What a key can be narrowed to. */
export const SCOPES = [
  'payments:read',
  'payments:write',
  'orders:read',
  'orders:write',
  'kyc:read',
  'kyc:write',
  'yield:read',
  'yield:write',
  'webhooks:read',
  'webhooks:write',
  'refunds:write',
]

const DAY_MS = 86_400_000

/** The draft as the graph takes it. @param now from which its life counts */
export function keyInput({ name, mayAll, scopes, life }: KeyDraft, now: Date): CreateApiKeyVariables['input'] {
  return {
    name,
    ...(!mayAll && { scopes }),
    ...(life !== '' && { expiresAt: new Date(now.getTime() + Number(life) * DAY_MS).toISOString() }),
  }
}
