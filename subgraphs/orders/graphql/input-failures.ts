import { Arg, Ctx, Directive, Query, Resolver } from 'type-graphql'
import type { FieldFailure } from '../../../kernel/errors.js'
import { JsonValue } from '../../../kernel/scalars.js'
import { FieldFailureType } from '../../../kernel/subgraph-failure.type.js'
import { readTerms } from '../../../terms/graphql/read-terms.js'
import type { OrdersContext } from '../deps.js'
import { findInputFailures } from '../domain/find-input-failures.js'

@Resolver()
export class InputFailuresResolver {
  @Directive('@inaccessible')
  @Query(() => [FieldFailureType], { description: 'The rules that a partial input breaks.' })
  ordersInputFailures(
    @Arg('operation', () => String) operation: string,
    @Arg('input', () => JsonValue) input: unknown,
    @Ctx() context: OrdersContext,
  ): Promise<FieldFailure[]> {
    return findInputFailures(context.deps, { operation, input: readTerms(withEnumValues(input)) })
  }
}

/** JSON carries an enum's name, SUBS, where the rules know its value, subs. */
function withEnumValues(input: unknown): object {
  if (typeof input !== 'object' || input === null) return {}
  if (!('gatewayMethod' in input) || typeof input.gatewayMethod !== 'string') return input
  return { ...input, gatewayMethod: input.gatewayMethod.toLowerCase() }
}
