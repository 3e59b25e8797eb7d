import { Arg } from 'type-graphql'
import { AppError } from '../../../../kernel/errors.js'
import type { PeopleContext, PeopleDeps } from '../deps.js'
import { MailLanguageEnum } from './mail-language.js'

/** The argument that names a session. */
export const Hash = () => Arg('hash', () => String, { description: 'SHA-256, hex, of what the cookie holds.' })

/** The argument that says what a session is named from then on. */
export const NewHash = () => Arg('newHash', () => String, { description: 'The same of what it will hold.' })

/** The argument that says in which language the page is on which a code is asked for. */
export const Language = () =>
  Arg('language', () => MailLanguageEnum, {
    nullable: true,
    description:
      'Of the e-mail; null from a gateway of the version before, or where the page does not say it: English.',
  })

/**
 * Lets only the gateway itself through: it asks before it is known who calls.
 * @returns what the use cases are given
 * @throws unauthorized for everyone else
 */
export function depsOfGateway({ caller, deps }: PeopleContext): PeopleDeps {
  if (caller.tenantId !== null || caller.keyId !== 'gateway') throw new AppError('unauthorized')
  return deps
}
