/** What tenants can follow. Each event is read by `paymentAt`, so a field is as it was after that event. */
export const PAYMENT_SUBSCRIPTIONS = `"""What can be followed as it changes, over server-sent events."""
type Subscription {
  """
  A payment: as it is now, and again after each change that webhooks tell of. The event's id is the payment's sequence.
  """
  paymentUpdated(
    """Of the payment."""
    id: ID!
  ): Payment
  """
  Each change of any payment of the tenant that webhooks tell of, registrations aside; to a person at the console each change, such as
  how far a refund is. The event's id is opaque.
  """
  paymentsUpdated: Payment
}
`
