/** Receipts that payers want by e-mail. The address is kept until it was sent. */
export const emailReceipts = [
  `create table payments.receipt_email (
      tenant_id text not null,
      payment_id text not null,
      email text,
      language text not null,
      requested_at timestamptz(3) not null,
      sent_at timestamptz(3),
      primary key (tenant_id, payment_id),
      check ((email is null) = (sent_at is not null))
    )`,
]
