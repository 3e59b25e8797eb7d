import { AppError } from '../../../../kernel/errors.js'
import type { Person } from '../../../../kernel/tenant.js'
import type { PeopleContext } from '../deps.js'

/** The person who asks, with the session in which that is. @throws permission_denied where there is none */
export function signedInOf(context: PeopleContext): Person & { sessionId: string } {
  const person = personOf(context)
  const { sessionId } = person
  if (sessionId === undefined) throw new AppError('permission_denied')
  return { ...person, sessionId }
}

/** The person who asks. @throws permission_denied for a key, which is nobody */
export function personOf({ caller: { person } }: PeopleContext): Person {
  if (!person) throw new AppError('permission_denied')
  return person
}
