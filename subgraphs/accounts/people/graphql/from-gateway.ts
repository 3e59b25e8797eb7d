import { Arg } from 'type-graphql'
import { AppError } from '../../../../kernel/errors.js'
import type { PeopleContext, PeopleDeps } from '../deps.js'

/** The argument that names a session. */
export const Hash = () => Arg('hash', () => String, { description: 'SHA-256, hex, of what the cookie holds.' })

/** The argument that says what a session is named from then on. */
export const NewHash = () => Arg('newHash', () => String, { description: 'The same of what it will hold.' })

/**
 * Lets only the gateway itself through: it asks before it is known who calls.
 * @returns what the use cases are given
 * @throws unauthorized for everyone else
 */
export function depsOfGateway({ caller, deps }: PeopleContext): PeopleDeps {
  if (caller.tenantId !== null || caller.keyId !== 'gateway') throw new AppError('unauthorized')
  return deps
}
