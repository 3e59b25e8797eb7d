import { Arg, Ctx, Directive, Query, Resolver } from 'type-graphql'
import type { FieldFailure } from '../../../kernel/errors.js'
import { JsonValue } from '../../../kernel/scalars.js'
import { FieldFailureType } from '../../../kernel/subgraph-failure.type.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import { readTerms } from '../../../terms/graphql/read-terms.js'
import { findInputFailures, type FindInputFailuresDeps } from '../domain/find-input-failures.js'

@Resolver()
export class InputFailuresResolver {
  @Directive('@inaccessible')
  @Query(() => [FieldFailureType], { description: 'The rules that a partial input breaks.' })
  paymentsInputFailures(
    @Arg('operation', () => String) operation: string,
    @Arg('input', () => JsonValue) input: unknown,
    @Ctx() context: SubgraphContext<FindInputFailuresDeps>,
  ): Promise<FieldFailure[]> {
    return findInputFailures(context.deps, { operation, input: readTerms(input as Record<string, unknown>) })
  }
}
