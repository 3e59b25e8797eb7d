/** Which addresses a tenant had invitations sent to of late, as far as a limit counts them. */
export const countInvitationMails = [
  `create table accounts.invitation_mail (
      tenant_id text not null,
      email text not null,
      sent_at timestamptz(3) not null
    )`,
  'create index on accounts.invitation_mail (tenant_id, sent_at)',
  'create index on accounts.invitation_mail (sent_at)',
]
