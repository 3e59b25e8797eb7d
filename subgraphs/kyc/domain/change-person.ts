import type { Transaction } from '../../../kernel/database.js'
import type { KycDeps } from '../deps.js'
import type { PersonChange } from '../store/people.js'
import type { Person } from '../store/person.entity.js'
import type { KycSession } from '../store/session.entity.js'
import { kycView } from './kyc-view.js'

export type ChangePersonDeps = Pick<KycDeps, 'clock' | 'people' | 'personEvents'>

/** Changes what a tenant sees of a person, and appends the event that tells it so, in one transaction. */
export async function changePerson(
  { people, personEvents, clock }: ChangePersonDeps,
  em: Transaction,
  person: Person,
  { session, change, cause }: { session: KycSession | undefined; change: PersonChange; cause: string },
): Promise<Person> {
  const changed = await people.change(em, person, { ...change, sequence: person.sequence + 1 })
  await personEvents.append(em, changed, cause, kycView({ person: changed, session }, clock.now()))
  return changed
}
