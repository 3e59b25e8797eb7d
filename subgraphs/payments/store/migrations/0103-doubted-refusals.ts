/** When a refund was refused whose first try was never answered: that one may still be at work at the provider. */
export const addRefusedRefunds = ['alter table payments.receipt_return add column refused_at timestamptz']
