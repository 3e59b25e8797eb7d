import { Alert, Button, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import {
  changePersonRoleMutation,
  invitePersonMutation,
  peopleQuery,
  removePersonMutation,
} from '../generated/operations.js'
import { refusalOf, useGraph, type Acted, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { Refusal } from '../parts/refusal.js'
import { Allowed } from '../session/allowed.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { InviteDialog } from './invite-dialog.js'
import { PeopleTable } from './people-table.js'
import { RemoveDialog } from './remove-dialog.js'
import { RoleDialog } from './role-dialog.js'
import type { ShownPerson } from './shown.js'
import { useResend } from './use-resend.js'

/** Who belongs to the tenant, and what each may do. */
export function PeoplePage(): ReactNode {
  const t = useText()
  const [isInviting, setInviting] = useKeptDraft('inviting', () => false)
  const [changing, setChanging] = useState<ShownPerson>()
  const [removing, setRemoving] = useState<ShownPerson>()
  const { data, isLoading, error, again } = useGraph(peopleQuery, {})
  const changeRole = useProvenAct(changePersonRoleMutation)
  const remove = useProvenAct(removePersonMutation)
  const { resend, sentTo, refused: notSent } = useResend(again)
  const close = (): void => {
    setInviting(false)
    setChanging(undefined)
    setRemoving(undefined)
  }
  const done = (act: Promise<Acted<unknown>>): Promise<Refused | undefined> => refusalOf(act, close, again)
  const people = data?.people
  return (
    <Stack>
      <PageTitle title={t.nav.people} lead={t.people.lead}>
        <Allowed act={invitePersonMutation}>
          <Button onClick={() => setInviting(true)} data-test="invite">
            {t.people.invite}
          </Button>
        </Allowed>
      </PageTitle>
      <Loading isLoading={isLoading} error={error} again={again} />
      <Refusal refused={notSent} />
      {sentTo !== undefined && (
        <Alert role="status" color="green" variant="outline" data-test="said">
          {t.people.resent} {sentTo}
        </Alert>
      )}
      {people && <PeopleTable people={people} onChangeRole={setChanging} onRemove={setRemoving} onResend={resend} />}
      {isInviting && <InviteDialog onDone={done} onClose={close} />}
      {changing && (
        <RoleDialog
          person={changing}
          onChoose={(role, revokeKeys) => done(changeRole({ id: changing.id, role, revokeKeys }))}
          onClose={close}
        />
      )}
      {removing && (
        <RemoveDialog
          person={removing}
          onRemove={(revokeKeys) => done(remove({ id: removing.id, revokeKeys }))}
          onClose={close}
        />
      )}
    </Stack>
  )
}
