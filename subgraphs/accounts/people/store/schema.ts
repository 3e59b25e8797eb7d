import { CreatePeople } from './migrations/0004-people.js'
import { SeparateCodeBudgets } from './migrations/0012-code-budgets.js'
import { InvitePeople } from './migrations/0014-invitations.js'
import { AddPasskeys } from './migrations/0022-passkeys.js'
import { CountInvitationMails } from './migrations/0031-invitation-mails.js'

/** What people add to the database of accounts. */
export const PEOPLE_MIGRATIONS = [
  { name: '0004-people', class: CreatePeople },
  { name: '0012-code-budgets', class: SeparateCodeBudgets },
  { name: '0014-invitations', class: InvitePeople },
  { name: '0022-passkeys', class: AddPasskeys },
  { name: '0031-invitation-mails', class: CountInvitationMails },
]
