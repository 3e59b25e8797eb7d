import type { PasskeysResult } from '../generated/operations.js'

/** The server's bound. */
export const PASSKEY_NAME_MAX = 60

/** A passkey as its person sees it. */
export type ShownPasskey = NonNullable<PasskeysResult['passkeys']>[number]
