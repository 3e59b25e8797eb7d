/**
 * What the list of payments is searched by. Each index is in the order of bytes, so that it serves the beginning of a text
 * in every locale.
 */
export const searchPayments = [
  `create index on payments.payment (tenant_id, (lower(payer_email) collate "C"), id)
      where payer_email is not null`,
  `create index on payments.payment (tenant_id, (lower(payer_wallet) collate "C"), id)
      where payer_wallet is not null`,
  `create index on payments.payment (tenant_id, (lower(tid_hash) collate "C"), id)
      where tid_hash is not null`,
  `create index on payments.charge (tenant_id, (lower(reference) collate "C"), payment_id)`,
  `create table payments.payment_term (
      tenant_id text not null,
      term text collate "C" not null,
      payment_id text not null,
      primary key (tenant_id, term, payment_id)
    )`,
  // At most so many values of a payment, and so much of each: metadata is the caller's, and may be 16 KB of anything.
  `create function payments.metadata_terms(metadata jsonb) returns setof text language sql immutable as $$
      select distinct lower(left(value #>> '{}', 200)) from jsonb_path_query(metadata, '$.**') as value
      where jsonb_typeof(value) in ('string', 'number') and value #>> '{}' <> '' limit 100 $$`,
  // Metadata is set at registration and stays.
  `create function payments.add_payment_terms() returns trigger language plpgsql as $$
      begin
        insert into payments.payment_term (tenant_id, term, payment_id)
          select new.tenant_id, term, new.id from payments.metadata_terms(new.metadata) as term;
        return null;
      end $$`,
  `create trigger payment_terms after insert on payments.payment for each row
      when (new.metadata is not null) execute function payments.add_payment_terms()`,
  `insert into payments.payment_term (tenant_id, term, payment_id)
      select tenant_id, term, id from payments.payment, payments.metadata_terms(metadata) as term
      where metadata is not null`,
]
