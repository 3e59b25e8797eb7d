import { AppError } from '../../../kernel/errors.js'
import type { Role } from '../../../kernel/tenant.js'
import type { PeopleDeps } from './deps.js'
import { personEmail } from './email.js'
import type { TenantPerson } from './store/members.js'

/** People of one tenant. */
const PEOPLE_MAX = 100

type MemberDeps = Pick<PeopleDeps, 'clock' | 'members' | 'newId' | 'people' | 'transaction'>

/**
 * Makes the person of an address, known or not, a member of a tenant; signing in proves the address.
 * @throws validation_error on `email`; invalid_parameters where the person is a member already, or there are too many
 */
export async function invitePerson(
  deps: MemberDeps,
  tenant: { id: string },
  { email: given, role }: { email: string; role: Role },
): Promise<TenantPerson> {
  const email = personEmail(given)
  const now = deps.clock.now()
  return deps.transaction(async (em) => {
    const members = await deps.members.lock(em, tenant.id)
    if (members.length >= PEOPLE_MAX) {
      throw new AppError('invalid_parameters', { message: `A tenant has ${PEOPLE_MAX} people at most.` })
    }
    const id = await deps.people.know(em, { id: deps.newId(), email, now, isVerified: false })
    if (members.some(({ personId }) => personId === id)) {
      throw new AppError('invalid_parameters', { message: 'This person belongs to the tenant already.' })
    }
    await deps.people.join(em, { tenantId: tenant.id, personId: id, role, now })
    return deps.members.get(em, tenant.id, id)
  })
}

/**
 * Gives a member another role.
 * @throws not_found; invalid_parameters where nobody would own the tenant any more
 */
export async function changeRole(
  deps: MemberDeps,
  tenant: { id: string },
  { id, role }: { id: string; role: Role },
): Promise<TenantPerson> {
  return deps.transaction(async (em) => {
    await assertOwned(deps, em, tenant.id, id, role)
    await deps.members.changeRole(em, tenant.id, id, role)
    return deps.members.get(em, tenant.id, id)
  })
}

/**
 * Takes a member out of a tenant; the sessions of that person see nothing of it five seconds later.
 * @returns who it was
 * @throws not_found; invalid_parameters where nobody would own the tenant any more
 */
export async function removePerson(deps: MemberDeps, tenant: { id: string }, id: string): Promise<TenantPerson> {
  return deps.transaction(async (em) => {
    await assertOwned(deps, em, tenant.id, id, undefined)
    const person = await deps.members.get(em, tenant.id, id)
    await deps.members.remove(em, tenant.id, id)
    return person
  })
}

/** Two owners who remove each other at once wait for each other: the members are locked. */
async function assertOwned(
  deps: MemberDeps,
  em: Parameters<MemberDeps['members']['lock']>[0],
  tenantId: string,
  personId: string,
  role: Role | undefined,
): Promise<void> {
  const members = await deps.members.lock(em, tenantId)
  if (!members.some((member) => member.personId === personId)) {
    throw new AppError('not_found', { message: 'No such person.' })
  }
  const others = members.filter((member) => member.personId !== personId && member.role === 'owner')
  if (others.length === 0 && role !== 'owner') {
    throw new AppError('invalid_parameters', { message: 'A tenant has an owner: name another one first.' })
  }
}
