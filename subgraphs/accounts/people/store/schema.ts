import { createPeople } from './migrations/0004-people.js'
import { separateCodeBudgets } from './migrations/0012-code-budgets.js'
import { invitePeople } from './migrations/0014-invitations.js'
import { addPasskeys } from './migrations/0022-passkeys.js'
import { countInvitationMails } from './migrations/0031-invitation-mails.js'
import { separateBrowserCodes } from './migrations/0100-browser-codes.js'
import { keepDeclines } from './migrations/0102-invitation-declines.js'

/** What people add to the database of accounts. */
export const PEOPLE_MIGRATIONS = [
  { name: '0004-people', statements: createPeople },
  { name: '0012-code-budgets', statements: separateCodeBudgets },
  { name: '0014-invitations', statements: invitePeople },
  { name: '0022-passkeys', statements: addPasskeys },
  { name: '0031-invitation-mails', statements: countInvitationMails },
  { name: '0100-browser-codes', statements: separateBrowserCodes },
  { name: '0102-invitation-declines', statements: keepDeclines },
]
