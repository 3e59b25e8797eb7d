import type { FieldFailure } from '../kernel/errors.js'
import { paysInFiatOnly, type SentMethods } from './methods.js'

/** A receiver's share as stored: percentages are exact decimal numbers in jsonb; see `readTerms` for what GraphQL has in their place. */
export interface SplitReceiver {
  receiverWallet: string
  receiverPercent: number
  recipientId?: string
  liable?: boolean
  chargeProcessingFee?: boolean
}

/** A receiver as a caller sends it: any part may be absent where its own form was bad. */
export interface SentReceiver {
  receiverWallet?: string | null | undefined
  receiverPercent?: number | null | undefined
  recipientId?: string | null | undefined
}

/** Whether the card processor cannot pay a receiver: one with a share and no recipient id there. */
export function lacksRecipient({ receiverPercent, recipientId }: SentReceiver): boolean {
  return receiverPercent !== 0 && (recipientId ?? '').trim() === ''
}

/**
 * The receivers that could not be paid, because only the card processor pays and has no recipient of theirs.
 * @param methods absent where they are not known
 */
export function recipientFailures(
  methods: SentMethods | null | undefined,
  split: readonly (SentReceiver | null | undefined)[] | null | undefined,
): FieldFailure[] {
  if (!methods || !split || !paysInFiatOnly(methods)) return []
  return split.flatMap((receiver, index) => {
    if (!receiver || !lacksRecipient(receiver)) return []
    const message = 'is required where the money is paid out in fiat only'
    return [{ field: `splitPaymentConfig.${index}.recipientId`, message }]
  })
}
