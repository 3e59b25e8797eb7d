/**
 * The audit log is one for all subgraphs, as the idempotency keys are: who acts in one of them is written down in the same
 * database, and read in one order. Nobody changes or removes what is written, the product least of all.
 */
export const createAuditLog = [
  `create table kernel.audit_entry (
      number bigint generated always as identity primary key,
      id text not null unique,
      at timestamptz(3) not null,
      tenant_id text,
      actor_kind text not null check (actor_kind in ('person', 'operator', 'key', 'command_line')),
      actor_id text not null,
      actor_email text,
      operation text not null,
      subjects jsonb not null,
      address text,
      agent text,
      request_id text not null
    )`,
  'create index on kernel.audit_entry (tenant_id, number)',
  'create index on kernel.audit_entry (tenant_id, operation, number)',
  'create index on kernel.audit_entry (actor_id, number)',
  `create table kernel.audit_outcome (
      entry_id text not null primary key references kernel.audit_entry (id),
      at timestamptz(3) not null,
      outcome text not null,
      result_id text
    )`,
  `create function kernel.refuse_audit_change() returns trigger language plpgsql as $$
      begin
        raise exception 'the audit log is only added to' using errcode = 'insufficient_privilege';
      end $$`,
  ...['audit_entry', 'audit_outcome'].map(
    (table) => `create trigger append_only before update or delete or truncate on kernel.${table}
        for each statement execute function kernel.refuse_audit_change()`,
  ),
]

/** Acts are looked for by when they were done. */
export const findActsByTime = ['create index on kernel.audit_entry (at)']
