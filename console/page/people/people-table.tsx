import type { ReactNode } from 'react'
import { changePersonRoleMutation, removePersonMutation, resendInvitationMutation } from '../generated/operations.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { day } from '../parts/format.js'
import { RowActs } from '../parts/row-button.js'
import { DataTable } from '../parts/table.js'
import { roleText } from './role-select.js'
import type { ShownPerson } from './shown.js'

interface PeopleTableProps {
  people: readonly ShownPerson[]
  onChangeRole: (person: ShownPerson) => void
  onRemove: (person: ShownPerson) => void
  onResend: (person: ShownPerson) => void
}

/** The people of a tenant. What one may do about another the server says. */
export function PeopleTable({ people, onChangeRole, onRemove, onResend }: PeopleTableProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  return (
    <DataTable<ShownPerson>
      label={t.nav.people}
      test="people"
      rows={people}
      keyOf={({ id }) => id}
      columns={[
        { name: t.signIn.email, show: ({ email }) => <span className="wrap">{email}</span> },
        { name: t.people.role, show: ({ role }) => roleText(t, role) },
        {
          name: t.people.acts,
          show: (person) => (
            <RowActs
              of={person.email}
              acts={[
                [changePersonRoleMutation, t.people.changeRole, 'change-role', () => onChangeRole(person)],
                [removePersonMutation, t.common.remove, 'remove', () => onRemove(person)],
                person.invitationExpiresAt !== null && [
                  resendInvitationMutation,
                  t.people.resend,
                  'resend',
                  () => onResend(person),
                ],
              ]}
            />
          ),
        },
        { name: t.people.invited, show: ({ createdAt }) => day(createdAt, language) },
        {
          name: t.people.joined,
          show: ({ joinedAt, invitationExpiresAt: endsAt }) => {
            if (joinedAt !== null || endsAt === null) return joinedAt && day(joinedAt, language)
            const isOpen = Date.parse(endsAt) > Date.now()
            return `${isOpen ? t.people.openUntil : t.people.ended} ${day(endsAt, language)}`
          },
        },
      ]}
    />
  )
}
