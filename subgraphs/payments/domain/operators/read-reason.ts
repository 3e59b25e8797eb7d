import { validationError } from '../../../../kernel/errors.js'

const LONGEST = 500

/** The reason that a person gives for an act. Throws validation_error on `reason` where it says nothing, or is too long. */
export function readReason(given: string): string {
  const reason = given.trim()
  if (reason.length === 0 || reason.length > LONGEST)
    throw validationError([{ field: 'reason', message: `must have 1 to ${LONGEST} characters` }])
  return reason
}
