/** Who is invited is no member before he says so. Members who have never signed in have said nothing yet: they are invited. */
export const invitePeople = [
  `create table accounts.invitation (
      id text not null primary key,
      tenant_id text not null,
      email text not null,
      role text not null check (role in ('owner', 'developer', 'support', 'viewer')),
      invited_by text,
      created_at timestamptz(3) not null,
      unique (tenant_id, email)
    )`,
  'create index on accounts.invitation (email)',
  'alter table accounts.membership add column joined_at timestamptz(3)',
  `insert into accounts.invitation (id, tenant_id, email, role, created_at)
      select 'c' || substr(md5(tenant_id || person_id), 1, 24), tenant_id, email, role, membership.created_at
      from accounts.membership join accounts.person on person.id = person_id where verified_at is null`,
  `delete from accounts.membership using accounts.person
      where person.id = person_id and verified_at is null`,
  `update accounts.membership set joined_at = greatest(membership.created_at, verified_at)
      from accounts.person where person.id = person_id`,
  'alter table accounts.membership alter column joined_at set not null',
]
