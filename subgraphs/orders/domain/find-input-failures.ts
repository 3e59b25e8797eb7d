import type { FieldFailure } from '../../../kernel/errors.js'
import type { CheckTenantDataDeps } from '../../../terms/tenant-data.js'
import { checkPartialUpdate } from './check-order-input.js'
import { findCreateOrderFailures } from './create-order.js'
import type { DraftOrder } from './draft-order.js'
import { checkListOrders, type ListOrdersInput } from './list-orders.js'

/**
 * The rules that a partial input breaks, so that they can be reported together with the fields whose form is bad.
 * @param operation the operation's kebab-case name; one without rules of its own has no failures
 * @param input the fields whose form is good, as far as they were sent; enums as their values
 */
export async function findInputFailures(
  deps: CheckTenantDataDeps,
  { operation, input }: { operation: string; input: object },
): Promise<FieldFailure[]> {
  switch (operation) {
    case 'create-order':
      return findCreateOrderFailures(deps, input as DraftOrder)
    case 'update-order':
      return checkPartialUpdate(deps.settings, input as DraftOrder)
    case 'list-orders':
      return checkListOrders(input as Partial<ListOrdersInput>)
    default:
      return []
  }
}
