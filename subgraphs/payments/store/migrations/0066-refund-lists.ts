/** A tenant's refunds and disputes are read newest first, a page at a time, however many there are. */
export const indexRefundLists = [
  `create index receipt_return_refunds on payments.receipt_return (tenant_id, created_at, refund_id)
      where refund_id is not null`,
  `create index receipt_return_disputes on payments.receipt_return (tenant_id, created_at, rail, receipt_id, id)
      where forced`,
]
