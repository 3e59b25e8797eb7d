import type { Role } from '../../../kernel/tenant.js'
import type { PeopleDeps } from './deps.js'

/**
 * Makes the person of an address, known or not, a member of a tenant without asking; one who is already stays as he is. For the
 * deployment's own hands: people are invited by `invitePerson`.
 */
export async function addMember(
  deps: Pick<PeopleDeps, 'clock' | 'newId' | 'people' | 'transaction'>,
  { tenantId, email, role }: { tenantId: string; email: string; role: Role },
): Promise<void> {
  const now = deps.clock.now()
  await deps.transaction(async (em) => {
    const personId = await deps.people.know(em, { id: deps.newId(), email, now, isVerified: false })
    await deps.people.join(em, { tenantId, personId, role, now })
  })
}
