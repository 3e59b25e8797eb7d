/**
 * Every change of a payment is told to who listens on `payment_changed`, once its transaction is committed. A registration is
 * not: nobody can be waiting for news of it yet, and the database commits those who notify one after the other.
 */
export const announceChanges = [
  `create function payments.announce_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('payment_changed', new.tenant_id || ' ' || new.payment_id);
        return null;
      end $$`,
  `create trigger announce_change after insert on payments.payment_event
      for each row when (new.sequence > 1) execute function payments.announce_change()`,
]
