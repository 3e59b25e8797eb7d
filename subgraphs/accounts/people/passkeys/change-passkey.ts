import { AppError, validationError } from '../../../../kernel/errors.js'
import type { Reauthorize } from '../../domain/acting-tenant.js'
import type { PeopleDeps } from '../deps.js'
import { mailChange, type PasskeyActor } from './mail-change.js'
import type { ListedPasskey } from './store/passkeys.js'

const NAME_MAX_LENGTH = 60

/** What a passkey is called. @throws validation_error on `name` */
export function passkeyName(given: string): string {
  const name = given.trim()
  if (name !== '' && name.length <= NAME_MAX_LENGTH) return name
  throw validationError([{ field: 'name', message: `must have 1 to ${NAME_MAX_LENGTH} characters` }])
}

/** Calls an own passkey something else. @throws validation_error on `name`, not_found where the person has none of that id */
export async function renamePasskey(
  deps: Pick<PeopleDeps, 'passkeys'>,
  personId: string,
  { id, name }: { id: string; name: string },
): Promise<ListedPasskey> {
  const renamed = await deps.passkeys.rename(personId, id, passkeyName(name))
  if (!renamed) throw noSuchPasskey()
  return renamed
}

/** Removes an own passkey, and has the person told by e-mail. @throws not_found where the person has none of that id */
export function removePasskey(
  deps: Pick<PeopleDeps, 'clock' | 'passkeys' | 'transaction'>,
  { reauthorize, ...person }: PasskeyActor & { reauthorize: Reauthorize },
  id: string,
): Promise<ListedPasskey> {
  return deps.transaction(async (em) => {
    await reauthorize(em)
    const removed = await deps.passkeys.remove(em, person.id, id)
    if (!removed) throw noSuchPasskey()
    await mailChange(deps, em, person, removed, 'removed')
    return removed
  })
}

function noSuchPasskey(): AppError {
  return new AppError('not_found', { message: 'No such passkey.' })
}
