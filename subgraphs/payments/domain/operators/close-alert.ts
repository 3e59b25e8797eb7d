import { AppError } from '../../../../kernel/errors.js'
import type { Person } from '../../../../kernel/tenant.js'
import type { RaisedAlert } from '../../store/alerts.js'
import type { Stores } from '../../store/stores.js'
import { identified, numberIn } from './numbered-id.js'
import { readReason } from './read-reason.js'

/** What closing an alert needs. */
export type CloseAlertDeps = Pick<Stores, 'alerts'>

/**
 * Closes an open alert for a person's reason. Should its cause come again, another one opens.
 * @throws validation_error on `reason`, not_found where no alert of this id is open
 */
export async function closeAlert(
  { alerts }: CloseAlertDeps,
  operator: Person,
  input: { id: string; reason: string },
): Promise<RaisedAlert> {
  const reason = readReason(input.reason)
  const id = numberIn('alert', input.id)
  const closed = id === undefined ? undefined : await alerts.close(id, operator.email, reason)
  if (!closed) throw new AppError('not_found', { message: 'No alert of this id is open.' })
  return identified('alert', closed)
}
