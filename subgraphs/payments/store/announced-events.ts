/** A change that a tenant is told of, and its place among those of all payments. */
export interface AnnouncedEvent {
  /** When it was made, ISO 8601. */
  at: string
  paymentId: string
  sequence: number
}

/**
 * The changes of a tenant ($1) behind a place ($2 time, $3 payment, $4 sequence): at most 100, by their times. Registrations are
 * none: the database announces no news of them either. An index holds no others (0081), so a page is read however long the history is.
 */
export const ANNOUNCED_AFTER = {
  name: 'payment_announced_after',
  text: `select to_json(created_at) #>> '{}' as at, payment_id as "paymentId", sequence from payments.payment_event
    where tenant_id = $1 and notify and sequence > 1 and (created_at, payment_id, sequence) > ($2::timestamptz, $3, $4)
    order by created_at, payment_id, sequence limit 100`,
}
