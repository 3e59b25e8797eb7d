/**
 * How long no node may show a transaction that paid, in milliseconds: its bytes are sent at each look until then. After it an operator is
 * told, and its nonce is its wallet's again.
 */
export const MISSING_MAX_MS = 600_000
