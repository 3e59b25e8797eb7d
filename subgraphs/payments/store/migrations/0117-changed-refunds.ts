/** When the provider had changed the charge whose answer a refund was last booked by: only a newer answer says the contrary. */
export const keepChangedRefunds = ['alter table payments.receipt_return add column changed_at timestamptz(3)']
