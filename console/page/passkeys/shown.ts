import type { PasskeysResult } from '../generated/operations.js'

/** A passkey as its person sees it. */
export type ShownPasskey = NonNullable<PasskeysResult['passkeys']>[number]
