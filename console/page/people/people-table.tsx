import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { changePersonRoleMutation, removePersonMutation, resendInvitationMutation } from '../generated/operations.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { day } from '../parts/format.js'
import { RowButton } from '../parts/row-button.js'
import { DataTable } from '../parts/table.js'
import { Allowed } from '../session/allowed.js'
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
      label={t.people.title}
      test="people"
      rows={people}
      keyOf={({ id }) => id}
      columns={[
        { name: t.signIn.email, show: ({ email }) => <span className="wrap">{email}</span> },
        { name: t.people.role, show: ({ role }) => roleText(t, role) },
        {
          name: t.people.acts,
          show: (person) => (
            <Group gap="xs" wrap="nowrap">
              <Allowed act={changePersonRoleMutation}>
                <RowButton
                  text={t.people.changeRole}
                  of={person.email}
                  test="change-role"
                  onClick={() => onChangeRole(person)}
                />
              </Allowed>
              <Allowed act={removePersonMutation}>
                <RowButton text={t.people.remove} of={person.email} test="remove" onClick={() => onRemove(person)} />
              </Allowed>
              {person.invitationExpiresAt !== null && (
                <Allowed act={resendInvitationMutation}>
                  <RowButton text={t.people.resend} of={person.email} test="resend" onClick={() => onResend(person)} />
                </Allowed>
              )}
            </Group>
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
