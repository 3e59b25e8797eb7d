/** E-mails of invitations are counted by address too, over all tenants; who has declined one of a tenant is not asked again at once. */
export const keepDeclines = [
  'create index on accounts.invitation_mail (email, sent_at)',
  `create table accounts.invitation_decline (
      tenant_id text not null,
      email text not null,
      declined_at timestamptz(3) not null,
      primary key (tenant_id, email)
    )`,
  'create index on accounts.invitation_decline (declined_at)',
]
