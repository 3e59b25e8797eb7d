/**
 * That what is added to the ledger balances is checked once for each statement, and no longer once for each line: a batch of payouts
 * adds some hundred lines at once. An entry has to come whole by one statement. What changes a line is checked as before.
 */
export const checkAddedEntries = [
  `create function payments.check_added_entries() returns trigger language plpgsql as $$
      declare
        unbalanced record;
      begin
        select payment_id, entry into unbalanced from added
          group by tenant_id, payment_id, entry, currency having sum(debit) <> sum(credit) limit 1;
        if found then
          raise exception 'the ledger entry % of payment % does not balance', unbalanced.entry, unbalanced.payment_id;
        end if;
        return null;
      end $$`,
  `create trigger ledger_line_adds_balanced after insert on payments.ledger_line
      referencing new table as added for each statement execute function payments.check_added_entries()`,
  'drop trigger ledger_entry_balances on payments.ledger_line',
  `create constraint trigger ledger_entry_balances after update on payments.ledger_line
      deferrable initially deferred for each row execute function payments.check_ledger_entry()`,
]
