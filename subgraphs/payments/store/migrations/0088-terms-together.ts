/** Registrations that are written together have their searched words added together: a trigger for each row cost each of them more than its words. */
export const addTermsTogether = [
  'drop trigger payment_terms on payments.payment',
  `create or replace function payments.add_payment_terms() returns trigger language plpgsql as $$
      begin
        insert into payments.payment_term (tenant_id, term, payment_id)
          select tenant_id, term, id from added, payments.metadata_terms(metadata) as term;
        return null;
      end $$`,
  `create trigger payment_terms after insert on payments.payment referencing new table as added
      for each statement execute function payments.add_payment_terms()`,
]
